"""What the rewriter makes of CUDA's syntax, what it refuses, and what the compiler ($CXX) refuses of its output, as ptxas
would."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from typing import Tuple

SIMTCC = os.environ.get("SIMTCC", "simtcc")
INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"

# What a variable in device memory is marked with.
SPACE = '__attribute__((section("simt_{}"), aligned(256), used))'
DEVICE, CONSTANT, MANAGED = map(SPACE.format, ("device", "constant", "managed"))

# Source and what becomes of it, without the #line at its head.
REWRITTEN = (
    ("k<<<1, 2>>>(a);", "::simt::configure(k, 1, 2)(a);"),
    ("k<A<1, (2 > 1)>, 3><<<dim3(a, f(b)), 2, s, 0>>>();",
     "::simt::configure(k<A<1, (2 > 1)>, 3>, dim3(a, f(b)), 2, s, 0)();"),
    ("x = 1; ns::k<T> <<<g, b>>> (p);", "x = 1; ::simt::configure(ns::k<T> , g, b) (p);"),
    ("__global__ void k(int n, T t = T()); __global__ void k(int, T t) { } void f() { ns::k<<<1, 2>>>(a); }",
     "__global__ void k(int n, T t = T()); __global__ void k(int, T t) { } "
     "void f() { ::simt::configure_partial(ns::k, [](auto&... simt_args) SIMT_UNCHECKED { ns::k(simt_args...); }, 1, 2)(a); }"),
    ("template <typename T> __global__ void k(T x); template <class T> __global__ void r(T& x); void f() { k<<<1, 2>>>(a); r<<<1, 2>>>(a); }",
     "template <typename T> __global__ void k(T x); template <class T> __global__ void r(T& x); void f() { "
     '::simt::configure_call("k", [](auto&... simt_args) SIMT_UNCHECKED { k(simt_args...); }, 1, 2)(a); '
     '::simt::configure_references("r", [](auto&... simt_args) SIMT_UNCHECKED { r(simt_args...); }, 1, 2)(a); }'),
    ("f(); a.kernels[i[0]]<<<g, b>>>(p);", "f(); ::simt::configure(a.kernels[i[0]], g, b)(p);"),
    ("(c ? f : g)<<<g, b>>>(p);", "::simt::configure((c ? f : g), g, b)(p);"),
    ("k<<<g,\n  b>>>(\n  p);", "::simt::configure(k, g,\n  b)(\n  p);"),
    ("k << <1, 2 >> > (a); x = 1 << n >> (3 > 1);", "::simt::configure(k , 1, 2 ) (a); x = 1 << n >> (3 > 1);"),
    ("// k<<<1, 2>>>(a); asm", None),
    ('const char* s = "k<<<1, 2>>>(a) asm";', None),
    ("void f() { extern __shared__ float4 s[]; }",
     "void f() { float4 * const s = ::simt::dynamic_shared_as<float4 >(); }"),
    ("void f() { extern __align__(16) __shared__ unsigned char s[]; }",
     "void f() { struct simt_dynamic_s { __align__ ( 16 ) unsigned char s[1]; }; "
     "unsigned char * const s = ::simt::dynamic_shared_as<unsigned char >(alignof(simt_dynamic_s)); }"),
    ("void f() { extern __shared__ alignas(8 * (2 + 2)) half s[]; }",
     "void f() { struct simt_dynamic_s { alignas ( 8 * ( 2 + 2 ) ) half s[1]; }; "
     "half * const s = ::simt::dynamic_shared_as<half >(alignof(simt_dynamic_s)); }"),
    ("int a = b << 3 >> 1; extern int c;", None),
    ("__host__ __device__ int f(int x) { return x; }", None),
    ("__device__ int f(int x) { return x; }", '__attribute__((abi_tag("simt1"))) __device__ int f(int x) { return x; }'),
    ("__device__ constexpr int n = 3;", None),
    ("__device__ const float t[2] = {1, 2}; __constant__ const int n = 3;",
     "__device__ const float t[2] = {1, 2};  const int n = 3;"),
    ("__device__ int a, b[3] = {1}, *c;", f"static {DEVICE} int a, b[3] = {{1}}, *c;"),
    ("__device__ __constant__ float4 c[4];", f"static {CONSTANT}  float4 c[4];"),
    ("static __managed__ __device__ int x{3};", f"static {MANAGED}  int x{{3}};"),
    ("float __constant__ c[4]; volatile __device__ int v;", f"float static {CONSTANT} c[4]; volatile static {DEVICE} int v;"),
    ("__device__ const char* names[2] = {};", f"static {DEVICE} const char* names[2] = {{}};"),
    ("__device__ std::array<A<1, 2>, 4> a{};", f"static {DEVICE} std::array<A<1, 2>, 4> a{{}};"),
    ("__device__ __align__(16) struct P { int a, b; } p;", f"static {DEVICE} __align__(16) struct P {{ int a, b; }} p;"),
    ("__device__ float (*f)(float) = nullptr;", f"static {DEVICE} float (*f)(float) = nullptr;"),
    ("extern __constant__ int n; __constant__ int n;",
     f"{CONSTANT.replace(', used', '')} int n;".replace("__attr", "extern __attr", 1) + f" {CONSTANT} int n;"),
    ('extern "C" __device__ int n;', 'extern "C" ' + DEVICE.replace(", used", "") + " int n;"),
    ("void k() { static __device__ int n; }", f"void k() {{ static {DEVICE} int n; }}"),
    ("auto f = [] __device__ (int i) -> int { return i; }; struct S { __device__ int g() const; };",
     'auto f = [] __device__ (int i) -> int { return i; }; struct S { __attribute__((abi_tag("simt1"))) __device__ int g() const; };'),
    ("int bmma_sync = 1; int cufftSize = 2; void f(int thread_block_tile, int* clock64) { g(thread_block_tile + bmma_sync, clock64); }", None),
    ("template <int N> __global__ void k(int n); void f() { cudaLaunchKernel((void*)k<(2 > 1)>, g, b, a); "
     "cudaLaunchKernelExC(&c, (void*)&x, a); p.func = reinterpret_cast<const void *>(k<1>); p.func = (void*)&ns::k<1>; h((void*)x, (void*)f); }",
     "template <int N> __global__ void k(int n); void f() { cudaLaunchKernel(k<(2 > 1)>, g, b, a); "
     "cudaLaunchKernelExC(&c, &x, a); p.func = ::simt::kernel_pointer((k<1>)); p.func = ::simt::kernel_pointer(&ns::k<1>); h((void*)x, (void*)f); }"),
    ("__global__ void k(int** x) { *x = new int[3]; delete[] *x; delete x[1]; free(std::malloc(8)); p.free(new (x) int); }",
     "__global__ void k(int** x) { *x = new (::simt::DeviceHeap()) int[3]; ::simt::heap_delete_array( *x); "
     "::simt::heap_delete( x[1]); ::simt::heap_release(::simt::heap_malloc(8)); p.free(new (x) int); }"),
    ("__device__ void* f(T a) { std::memset(a, 0, 8); a.memset(); cuda::std::memcpy(a, a, 8); return memcpy(a, a, 8); }",
     '__attribute__((abi_tag("simt1"))) __device__ void* f(T a) { ::simt::set_bytes(a, 0, 8); a.memset(); ::simt::copy_bytes(a, a, 8); '
     "return ::simt::copy_bytes(a, a, 8); }"),
    ("struct S { __device__ S& operator=(const S&) { free(0); } S() { free(0); } __device__ ~S() = default; }; void f() { free(0); }",
     'struct S { __attribute__((abi_tag("simt1"))) __device__ S& operator=(const S&) { ::simt::heap_release(0); } S() { free(0); } '
     '__device__ ~S() = default; }; void f() { free(0); }'),
    ("template <int N> __device__ __forceinline__ Vec<float, N>* g(T (&x)[N]);",
     "template <int N> static __device__ __forceinline__ Vec<float, N>* g(T (&x)[N]);"),
    ("__host__ __device__ __noinline__ int f(int x); __attribute__((__noinline__)) int g();",
     "__host__ __device__ __attribute__((noinline)) int f(int x); __attribute__((__noinline__)) int g();"),
    ("auto f = [=] __device__ { return x; };", None),
    ('printf("x"); std::printf("%d", f(1)); p.printf("x"); fprintf(f, "x");',
     '::simt::print("x"); ::simt::print("%d", f(1)); p.printf("x"); fprintf(f, "x");'),
    ("__global__ void __launch_bounds__(f(A, 2), B) k(int n) { }",
     "__global__ void __launch_bounds__(f(A, 2), B) k(int n) { __attribute__((used)) static char simt_bounds[f(A, 2)]; }"),
    ("__global__ void __launch_bounds__(A) k(int n);", None),
    ('asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(f(b, 1)));',
     "::simt::ptx::ldmatrix<false>((a), (f(b, 1)));"),
    ('asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 "\n  "{ %1, %0 }, [%2] ;\\n\\t"\n'
     '  : "=r"(a), "=r"(b) : "r"(c) : "memory"); d();',
     "::simt::ptx::ldmatrix<true>((b), (a), (c))\n\n; d();"),
    ('__asm__ __volatile__("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},'
     '{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(b), "r"(c), "r"(e), "r"(f), "r"(g));',
     "::simt::ptx::mma_m16n8k16((d[0]), (d[1]), (d[2]), (d[3]), (a), (b), (c), (e), (f), (g), (d[0]), (d[1]), (d[2]), (d[3]));"),
    ('asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }" '
     ': "=r"(ended) : "r"(unsigned(f(&b))), "r"(parity) : "memory");',
     "({ bool simt_p{}; ::simt::ptx::mbarrier_test_wait_parity(simt_p, (unsigned(f(&b))), (parity)); "
     "::simt::ptx::selp((ended), 1, 0, simt_p); });"),
    ('asm("{\\n\\t.reg.pred q;"\n"mbarrier.test_wait.parity.shared::cta.b64 q,[%2],%1;\\n\\tselp.b32 %0,1,0,q;}" '
     ': "=r"(e) : "r"(p), "r"(a));',
     "({ bool simt_q{}; ::simt::ptx::mbarrier_test_wait_parity(simt_q, (a), (p)); ::simt::ptx::selp((e), 1, 0, simt_q); })\n;"),
    ('asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;\\n" :: "r"(a), "l"(p));',
     "::simt::ptx::cp_async((a), (p), 16);"),
    ('asm volatile("cp.async.ca.shared::cta.global [%0], [%1], %2, %3;" :: "r"(a), "l"(p), "n"(8), "r"(n));'
     'asm("cp.async.commit_group;"); asm("cp.async.wait_group %0;" :: "n"(N)); asm("cp.async.wait_all;");',
     "::simt::ptx::cp_async((a), (p), (8), (n));::simt::ptx::cp_async_commit_group(); "
     "::simt::ptx::cp_async_wait_group((N)); ::simt::ptx::cp_async_wait_all();"),
    ('asm volatile("" ::: "memory"); asm volatile("" : "+f"(a), "+f"(b[1])::"memory");',
     "static_cast<void>(0); static_cast<void>(a), static_cast<void>(b[1]);"),
    ('asm("{ .reg .f32 t; tanh.approx.f32 t, %1; cvt.rz.bf16x2.f32 %0, t, %1; }" : "=r"(a) : "f"(b));',
     "({ float simt_t{}; ::simt::ptx::tanh_approx(simt_t, (b)); ::simt::ptx::cvt_two_bf16_rz((a), simt_t, (b)); });"),
    ('asm("{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 1; @!p bra W; }" :: "r"(a));',
     "({ __label__ simt_W; bool simt_p{}; simt_W:; ::simt::ptx::mbarrier_test_wait_parity(simt_p, (a), 1); "
     "if (!simt_p) goto simt_W; });"),
    ('asm("mbarrier.arrive.shared.b64 _, [%0]; mbarrier.arrive.shared.b64 %1, [%0];" : "+r"(a), "=l"(b));',
     "({ ::simt::ptx::mbarrier_arrive<false>((a)); ::simt::ptx::mbarrier_arrive_state<false>((b), (a)); });"),
    ('asm("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0]; bar.sync 1, %1; mov.u32 %2, %%cluster_ctarank;" '
     ': "+r"(a), "+r"(n), "=r"(b));',
     "({ ::simt::ptx::mbarrier_arrive<true>((a)); ::simt::ptx::bar_sync(1, (n)); "
     "::simt::ptx::mov((b), ::simt::ptx::special_cluster_ctarank()); });"),
    # Scopes, comments, raw strings, addresses with an offset, and registers of the other kind.
    ('asm(R"({ .reg .b32 t, %%u<2>; // t;\n mov.b32 t, %1; { .reg .f32 t; mov.f32 t, %1; } mov.b32 %0, %%u1; })" '
     ': "=&r"(a) : "f"(x));',
     "({ uint32_t simt_$u0{}; uint32_t simt_$u1{}; uint32_t simt_t{}; float simt_t$2{}; "
     "::simt::ptx::mov(simt_t, ::simt::ptx::bits_as<uint32_t>((x))); ::simt::ptx::mov(simt_t$2, (x)); "
     "::simt::ptx::mov((a), simt_$u1); })\n;"),
    ('asm("ldmatrix.sync.aligned.trans.x1.m8n8.shared.b16 %0, [%1 + 16];" : "=f"(a) : "r"(b));',
     "::simt::ptx::ldmatrix<true>(::simt::ptx::register_as<uint32_t>((a)), ::simt::ptx::behind((b), 16));"),
    ('asm("ld.global.relaxed.gpu.f32.L2::128B %0, [%1];" : "=f"(a) : "l"(p));',
     "::simt::ptx::Load<::simt::ptx::type_f32, ::simt::ptx::order_relaxed, ::simt::ptx::Global>()((a), (p));"),
    ('asm("{ .reg .pred p; setp.gt.and.f32 p, %1, 0f3f800000, 1; @!p bra.uni L%=; mov.u32 %0, %laneid; L%=: }" '
     ': "=r"(a) : "f"(x));',
     "({ __label__ simt_Lu; bool simt_p{}; ::simt::ptx::Compare<::simt::ptx::number_f32, ::simt::ptx::Relation::is_gt, "
     "::simt::ptx::Logic::with_and, false>()(simt_p, (x), ::simt::ptx::bits_as<float>(0x3f800000u), 1); "
     "if (!simt_p) goto simt_Lu; ::simt::ptx::mov((a), ::simt::ptx::special_laneid()); simt_Lu:; });"),
    ("__global__ void __cluster_dims__(2, N) __launch_bounds__(64) k(int a) {\n}",
     "__global__ void __cluster_dims__(2, N) __launch_bounds__(64) k(int a) { "
     "__attribute__((used)) static char simt_cluster_x[2]; __attribute__((used)) static char simt_cluster_y[N]; "
     "__attribute__((used)) static char simt_cluster_z[1]; __attribute__((used)) static char simt_bounds[64];\n}"),
    ("__global__ void k(float f(int), const __grid_constant__ Map A, int b) {\n}",
     "__global__ void k(float f(int), const __grid_constant__ Map A, int b) { ::simt::grid_constant(&A, sizeof A);\n}"),
    ("c.kernel<<<1, 2>>>(3);", "::simt::configure(c.kernel, 1, 2)(3);"),
    ("p->kernel<<<1, 2>>>(3);", "::simt::configure(p->kernel, 1, 2)(3);"),
)

X1 = '"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1'
X4 = '"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"'
OUT = '"=r"(a), "=r"(b), "=r"(c), "=r"(d)'
WAIT = "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"


def wgmma(cols: int, types: str, rest: str, *inputs: str, constraint: str = "f") -> str:
    """The asm of a product whose sums are d[0], d[1] ...; $0 in `rest` is its first operand behind them."""
    count = cols // (4 if constraint == "r" else 2)
    rest = re.sub(r"\$(\d)", lambda match: f"%{count + int(match[1])}", rest)
    registers = ", ".join(f"%{i}" for i in range(count))
    sums = ", ".join(f'"+{constraint}"(d[{i}])' for i in range(count))
    return (f'asm("{{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n{cols}{types} '
            f'{{{registers}}}, {rest}; }}" : {sums} : {", ".join(inputs)});')


def product(form: str, count: int, rest: str) -> str:
    sums = ", ".join(f"(d[{i}])" for i in range(count))
    return ("({ bool simt_p{}; ::simt::ptx::setp_ne<uint32_t>(simt_p, 1, 0); "
            f"::simt::ptx::Wgmma<{form}>()({sums}, {rest}); }});")


def element(a: str, b: str) -> str:
    return f"::simt::Element::{a}, ::simt::Element::{b}"


DESCRIPTORS, LANES = ('"l"(a)', '"l"(b)'), ('"r"(x)', '"r"(y)', '"r"(z)', '"r"(w)', '"l"(b)')
PRODUCTS = (
    *((wgmma(n, "k16.f32.f16.f16", "$0, $1, p, 1, -1, 0, 1", *DESCRIPTORS),
       product(f"{n}, {element('F16', 'F16')}, false, false", n // 2, "(a), (b), simt_p, 1, -1, 0, 1"))
      for n in range(8, 257, 8)),
    (wgmma(16, "k16.f16.f16.f16", "{$0, $1, $2, $3}, $4, p, $5, 1, 1", *LANES, '"n"(S)', constraint="r"),
     product(f"16, {element('F16', 'F16')}, true, true", 4, "(x), (y), (z), (w), (b), simt_p, (S), 1, 1")),
    (wgmma(8, "k8.f32.tf32.tf32", "$0, $1, p, 1, 1", *DESCRIPTORS),
     product(f"8, {element('TF32', 'TF32')}, false, false", 4, "(a), (b), simt_p, 1, 1")),
    (wgmma(8, "k32.f32.e4m3.e5m2", "$0, $1, p, 1, 1", *DESCRIPTORS),
     product(f"8, {element('E4M3', 'E5M2')}, false, false", 4, "(a), (b), simt_p, 1, 1")),
    ('asm("wgmma.fence.sync.aligned;"); asm("wgmma.commit_group.sync.aligned;"); '
     'asm("wgmma.wait_group.sync.aligned %0;" :: "n"(N)); asm("setmaxnreg.inc.sync.aligned.u32 240;");',
     "::simt::ptx::wgmma_fence(); ::simt::ptx::wgmma_commit_group(); ::simt::ptx::wgmma_wait_group((N)); "
     "::simt::ptx::setmaxnreg_inc(240);"),
)
NO_PRODUCTS = tuple((text, 1, "asm.*not: wgmma.mma_async") for text in (
    wgmma(12, "k16.f32.f16.f16", "$0, $1, p, 1, 1, 0, 1", *DESCRIPTORS),
    wgmma(264, "k16.f32.f16.f16", "$0, $1, p, 1, 1, 0, 1", *DESCRIPTORS),
    wgmma(8, "k8.f32.f16.f16", "$0, $1, p, 1, 1, 0, 1", *DESCRIPTORS),
    wgmma(8, "k16.f32.f16.bf16", "$0, $1, p, 1, 1, 0, 1", *DESCRIPTORS),
    wgmma(8, "k16.f32.f16.f16", "$0, $1, p, 1, 1", *DESCRIPTORS),
    wgmma(8, "k8.f32.tf32.tf32", "$0, $1, p, 1, 1, 0, 1", *DESCRIPTORS),
    wgmma(16, "k16.f16.bf16.bf16", "$0, $1, p, 1, 1, 0, 1", *DESCRIPTORS, constraint="r"),
    wgmma(16, "k16.f16.f16.f16", "$0, $1, p, 1, 1, 0, 1", *DESCRIPTORS),
))


# Source, the line that the message names, a pattern in the message.
REFUSED = (
    ("template <typename T>\n__device__ T counter;", 2, "__device__: .* templates of variables"),
    ("struct S {\n  static __device__ int counter;\n};", 2, "__device__: a member of a class cannot lie in device memory"),
    ("inline __constant__ int counter;", 1, "__constant__: an inline variable .* must be static"),
    ('__device__ void f() { asm("brkpt;"); }', 1, "asm.* mma.sync, .*not: brkpt$"),
    ('\nasm volatile("ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(b));', 2, "asm.*not: ldmatrix"),
    *((f'asm({text};" : "=r"(a) : "r"(b));', 1, "asm.*not: ldmatrix") for text in (
        X1.replace("x1", "x2") + "]", f"{X1} - 16]", f"{X1}]; ldmatrix")),
    ('asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0}, {%1}, {%2}, {%0};" : "+r"(a) : "r"(b), "r"(c));', 1,
     "asm.*not: mma"),
    (f'asm({X4} : {OUT} : "h"(p));', 1, "asm: %4 must be an operand with the constraint r or [+]r"),
    (f"asm({X4} : {OUT});", 1, "asm: %4 must be"),
    (f'asm({X4} : "r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(p));', 1, "asm: %0 must be"),
    (f'asm({X4} : [a] {OUT} : "r"(p));', 1, "asm.*operands"),
    (f'asm({X4} : {OUT} : "r"(p)', 1, "this [(] is never closed"),
    (f'asm({X4} ; {OUT});', 1, 'asm: expected asm[(]"text" : outputs : inputs : clobbers[)]'),
    (f'asm("{WAIT.replace("0, p;", "0, q;")}" : "=r"(e) : "r"(a), "r"(p));', 1, "asm: q must be a predicate"),
    *((f'asm("{name};");', 1, f"asm.*not: {name}") for name in (
        "bar.red.popc.u32 1, 64", "barrier.cluster.arrive.sc")),
    ('asm("mov.u32 %0, %%pm0;" : "=r"(a));', 1, "asm: the CPU backend has no special register %pm0 in: mov.u32"),
    *((f'asm("{text}" : "=r"(a) : "r"(b));', 1, f"asm.*{what}") for text, what in (
        ("{ { mov.u32 %0, 1; }", "not: { { mov"), ("{ .reg .pred p; { L: } @p bra L; }", "not: @p bra L"),
        ("{ { .reg .b32 t; } mov.b32 %0, t; }", "not: mov.b32 %0, t"), ("@p mov.u32 %0, 1;", "p must be a predicate"),
        ("addc.u32 %0, %1, 0;", "no asm of this file sets one"))),
    *((f'asm("{name} %0;" :: "r"(a));', 1, f"asm.*not: {name}") for name in ("mma.sp.sync.aligned", "tensormap.replace", "multimem.red", "wmma.load.a", "ld.const.u32")),
    ('asm("{ .reg .b128 x; }");', 1, "asm.*not: .reg .b128 x"),
    ('asm("setp.eq.u32 p, 0, 0;");', 1, "asm: p must be a predicate"),
    ('asm("mbarrier.init.shared.b64 [%0], 1.5;" :: "r"(a));', 1, "asm: 1.5 must be an operand"),
    (f'asm("{WAIT}" : "=r"(e) : "h"(a), "r"(p));', 1, "asm: %1 must be"),
    (f'asm("{WAIT}" : "=r"(e) : "r"(a));', 1, "asm: %2 must be"),
    ('asm goto("bra %l0;" :::: done);', 1, "asm"),
    ('int x asm("y");', 1, "asm.*not: y"),
    ("asm(", 1, "this [(] is never closed"),
    ("asm", 1, "asm"),
    ("cudaLaunchCooperativeKernelMultiDevice(f);", 1, "cudaLaunchCooperativeKernelMultiDevice"),
    ("wmma::bmma_sync(d, a, b, c);", 1, "bmma_sync.*products of single bits"),
    ("__mbarrier_token_pending_count(token);", 1, "__mbarrier_token_pending_count"),
    ("void f(const cudaTextureObject_t texture);", 1, "cudaTextureObject_t"),
    *((f"{name}(&x);", 1, f"{name}: .* does not support") for name in (
        "cudaGraphAddMemAllocNode", "cublasLtCreate", "cublasLtMatmul", "cufftPlan1d", "cusparseCreate", "cudaMallocArray", "cudaMalloc3DArray", "cudaMemcpyToArray", "cudaMemcpy2DToArray")),
    *((f"{name} x;", 1, f"{name}: .* does not support") for name in (
        "cudaGraphConditionalHandle", "cudaIpcMemHandle_t", "cudaExternalMemory_t", "CUmodule", "cudnnHandle_t")),
    *NO_PRODUCTS,
    ("extern __shared__ float s[], t[];", 1, "must be declared as"),
    ("k<<<1, 2>>>;", 1, "arguments"),
    ("k<<<1, 2;", 1, "<<< without >>>"),
    ("k<<<1>>>(a);", 1, "k<<<blocks, threads>>>"),
    ("k<<<>>>(a);", 1, "k<<<blocks, threads>>>"),
    # The bracket that is meant, as lines are indented.
    ("void f() {\n  if (x) {\n    for (;;) {\n      g();\n  }\n}", 3, "this { is never closed"),
    ("void f() {\n  g();\n\nvoid h() {\n}", 1, "this { is never closed"),
    ("void f() {\n  if (x) {\n    g();\n  }\n  }\n  h();\n}", 5, "this } closes nothing"),
    ("void f() {\n}\n}", 3, "this } closes nothing"),
    ("void f() {\n  if (x {\n    g();\n  }\n}", 2, "this [(] is never closed"),
    ("void f() {\n  g());\n}", 2, "this [)] closes nothing"),
    ("void f(int\n           a) {\n  if (a) {\n}", 3, "this { is never closed"),
    # Launches.
    ("void k() {}\nvoid f() { k<<<1, 2>>>(); }", 1, "k[(][)] is launched with <<<>>>, but it has no __global__"),
    ("__device__ void k() {}\nvoid f() { k<<<1, 2>>>(); }", 1, "it is a __device__ function: a kernel is __global__"),
    ("__global__ void k(int a) {}\nvoid f() { k<<<1, 2>>>(1, 2); }", 2, "k[(][)] takes 1 argument, and is launched with 2"),
    *((f"__global__ void k(int a, int b, int c = f(1, 2), int d = a == b) {{}}\nvoid f() {{ k<<<1, 2>>>({given}); }}", 2,
       f"k[(][)] takes 2 to 4 arguments, and is launched with {count}$") for given, count in (("1", 1), ("1, 2, 3, 4, 5", 5))),
    ("void f() { int i = threadIdx.x; }", 1, "threadIdx: only kernels and __device__ functions have it"),
    ("__global__ void k() { __shared__ float a[4] = {}; }", 1, "__shared__ memory has no initial value"),
)

# Warnings: of which line, and what of; 0 and "" where there is none.
WARNED = (
    ("__global__ void k() {\n  float a[4][4];\n  const int r = threadIdx.x;\n  a[0][r] = 1;\n  __syncthreads();\n}", 2,
     "a has no __shared__: each thread has its own a, yet r, which differs by thread"),
    ("__global__ void k() {\n  float a[4];\n  const int r = threadIdx.x;\n  a[r] = 1;\n}", 0, ""),
    ("__global__ void k(float* x) {\n  float a[4];\n  for (int i = 0; i < 4; ++i) a[i] = x[i];\n  __syncthreads();\n"
     "  if (threadIdx.x < 4) x[threadIdx.x] = a[threadIdx.x];\n}", 0, ""),
    ("__global__ void k() {\n  __shared__ float a[4];\n  a[threadIdx.x] = 1;\n  __syncthreads();\n}", 0, ""),
    ("__global__ void k() {\n  float a[4];\n  for (int i = 0; i < 4; ++i) a[i] += 1;\n}", 2, "a is used uninitialized"),
    ("__global__ void k() {\n  float a[4] = {};\n  for (int i = 0; i < 4; ++i) a[i] += 1;\n}", 0, ""),
    ("__global__ void k() {\n  float a[4];\n  for (int i = 0; i < 4; ++i) a[i] = 1;\n  a[0] += 1;\n}", 0, ""),
    ("__device__ void add(int n, float (&x)[4]) { x[n] += 1; }\n__global__ void k() {\n  float a[4];\n  add(1, a);\n}", 3,
     "a is used uninitialized"),
    ("__device__ void set(int n, float (&x)[4]) { x[n] = 1; }\n__global__ void k() {\n  float a[4];\n  set(1, a);\n}", 0, ""),
    ("void f() {\n  dim3 grid = (g(1, 2), 3);\n}", 2, "grid gets only the last of these numbers"),
    ("void f() {\n  dim3 grid = (g(1, 2));\n  dim3 block = dim3(1, 2);\n}", 0, ""),
    ("__global__ void k(int n) {\n#pragma unroll\n\n  int i = 0;\n  for (; i < n; ++i) {}\n}", 2,
     "#pragma unroll has no effect, since no loop follows it"),
    ("__global__ void k(int n) {\n#pragma unroll 4\n#pragma nounroll\n  for (int i = 0; i < n; ++i) {}\n#pragma unroll\n"
     "  while (n) {}\n}", 0, ""),
    ("__device__ void get(int n, float (&x)[4]) { *reinterpret_cast<float4*>(x) = {}; }\n__global__ void k() {\n"
     "  float a[2][4];\n  get(1, a[0]);\n}", 3, "a is accessed as float4, so it must begin at a multiple of 16 bytes"),
    ("__global__ void k() {\n  alignas(16) float a[4], b[4];\n  float4 c[1];\n"
     "  *reinterpret_cast<float4*>(b) = *(float4*)&c[0];\n}", 0, ""),
    ("__global__ void k() {\n  float a[4];\n  float4 b = *(const float4*)&a[0];\n}", 2, "a is accessed as float4"),
    ("__global__ void k() {\n  __syncthreads;\n}", 2, "__syncthreads is not called"),
    ("float4 f(float x) {\n  return float4(x, g(1, 2), 0, 0);\n}", 2,
     r"nvcc refuses float4\(\.\.\.\) before C\+\+20: write make_float4\("),
    ("__device__ void f() {\n  x[0] = uint2(1, 2);\n}", 2, r"nvcc refuses uint2\("),
    ("void f(float4 a) {\n  float4 b(a), c = float4(a), d = float4{1, 2}, e(g(1, 2));\n  T<float4(int, int)> h; dim3 i(1, 2);\n"
     "  float4(*j)(int, int); float4 k = float4(g(1, 2));\n}", 0, ""),
    ("__global__ void k() {\n  Frag c[2];\n  mma_sync(c[0], a, b, c[0]);\n}", 2, "c is used uninitialized"),
)

# Static shared memory, of which a block has 48 KB: what compiles, and what does not.
FITS = (
    "__global__ void k() { __shared__ float a[6144]; alignas(16) __shared__ float b[64][96]; }",
    "__global__ void k() { __shared__ alignas(16) float a[4]; }",
    "template <int N> __global__ void k() { __shared__ float a[N], b[N]; } void f() { k<6144><<<1, 1>>>(); }",
    "__global__ void k() { __shared__ double a[4000]; } __global__ void l() { __shared__ double a[4000]; }",
    "constexpr int a = 3; __global__ void k() { __shared__ float b[a << 2][::a]; __shared__ float4 c; }",
)
TOO_LARGE = (
    "__global__ void k() { __shared__ float a[6145]; alignas(16) __shared__ float b[64][96]; }",
    "template <int N> __global__ void k() { __shared__ float a[N], b[N]; } void f() { k<6145><<<1, 1>>>(); }",
    "__global__ void k(int n) { __shared__ double a[4000]; if (n) { __shared__ double b[4000]; } }",
)


class Rewrite(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rewrite-test."))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *words: str) -> Tuple[int, str]:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        return done.returncode, done.stdout

    def rewrite(self, source: str) -> Tuple[int, str]:
        (self.folder / "in.cu").write_text(source + "\n", encoding="utf-8")
        return self.run_it(SIMTCC, "--simt-rewrite", "--simt-raw", str(self.folder / "in.cu"), "-o",
                           str(self.folder / "out.cpp"))

    def compile(self, source: str) -> Tuple[int, str]:
        status, said = self.rewrite("#include <cuda_runtime.h>\n" + source)
        self.assertEqual(status, 0, said)
        return self.run_it(os.environ.get("CXX", "g++"), "-std=c++17", "-fsyntax-only", "-I", str(INCLUDE),
                           "-I", str(INCLUDE / "cuda"), str(self.folder / "out.cpp"))

    def test_what_becomes_of_the_syntax(self) -> None:
        for source, expected in REWRITTEN + PRODUCTS:
            with self.subTest(source):
                status, said = self.rewrite(source)
                self.assertEqual(status, 0, said)
                text = (self.folder / "out.cpp").read_text(encoding="utf-8").split("\n", 2)[2]
                text = re.sub(r'"simt\d+"', '"simt1"', text)  # a hash of the file's name
                self.assertEqual(text, (source if expected is None else expected) + "\n")

    def test_only_own_headers_are_skipped(self) -> None:
        header = self.folder / "simt" / "include" / "user.h"
        header.parent.mkdir(parents=True)
        header.write_text("inline int f() { return threadIdx.x; }\n", encoding="utf-8")
        (self.folder / "in.cu").write_text('#include "simt/include/user.h"\n', encoding="utf-8")
        status, said = self.run_it(SIMTCC, "--simt-rewrite", str(self.folder / "in.cu"), "-o", str(self.folder / "out.cpp"))
        self.assertEqual(status, 1)
        self.assertRegex(said, "user.h:1: error: threadIdx: only kernels")

    def test_what_is_refused(self) -> None:
        for source, line, pattern in REFUSED:
            with self.subTest(source):
                status, said = self.rewrite(source)
                self.assertNotEqual(status, 0)
                self.assertTrue(re.search(rf"in\.cu:{line}: error: .*{pattern}", said), said)

    def test_what_is_warned_of(self) -> None:
        for source, line, words in WARNED:
            with self.subTest(source):
                status, said = self.rewrite(source)
                self.assertEqual(status, 0, said)
                self.assertRegex(said, rf"in\.cu:{line}: warning: {words}" if line else "^$")

    def test_static_shared_memory(self) -> None:
        for source in FITS:
            status, said = self.compile(source)
            self.assertEqual(status, 0, source + said)
        for source in TOO_LARGE:
            status, said = self.compile(source)
            self.assertNotEqual(status, 0, source)
            self.assertTrue(re.search(r"in\.cu:2.*more than 48 KB of static shared memory", said), said)


if __name__ == "__main__":
    unittest.main()
