#!/bin/sh
# rewrite_test.sh SIMT_REWRITE: what the rewriter makes of launches, and what it refuses.
rewrite=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# expect SOURCE RESULT: the rewritten source, without its #line.
expect() {
  printf '%s\n' "$1" >"$folder/in.cu"
  printf '%s\n' "$2" >"$folder/expected"
  "$rewrite" "$folder/in.cu" "$folder/out.cpp" && sed 1d "$folder/out.cpp" >"$folder/got"
  if ! cmp -s "$folder/got" "$folder/expected"; then
    echo "FAILED: $1"
    diff "$folder/expected" "$folder/got"
    failed=1
  fi
}

# refuse SOURCE LINE WORD: the error names the file, this line and the word.
refuse() {
  printf '%s\n' "$1" >"$folder/in.cu"
  if message=$("$rewrite" "$folder/in.cu" "$folder/out.cpp" 2>&1); then
    echo "FAILED: not refused: $1"
    failed=1
  elif ! echo "$message" | grep -q "in.cu:$2: error: .*$3"; then
    echo "FAILED: message for '$1' is: $message"
    failed=1
  fi
}

expect 'k<<<1, 2>>>(a);' '::simt::configure(k, 1, 2)(a);'
expect 'k<A<1, (2 > 1)>, 3><<<dim3(a, f(b)), 2, s, 0>>>();' \
  '::simt::configure(k<A<1, (2 > 1)>, 3>, dim3(a, f(b)), 2, s, 0)();'
expect 'x = 1; ns::k<T> <<<g, b>>> (p);' 'x = 1; ::simt::configure(ns::k<T> , g, b) (p);'
expect '(c ? f : g)<<<g, b>>>(p);' '::simt::configure((c ? f : g), g, b)(p);'
expect 'k<<<g,
  b>>>(
  p);' '::simt::configure(k, g,
  b)(
  p);'
expect '// k<<<1, 2>>>(a); asm' '// k<<<1, 2>>>(a); asm'
expect 'const char* s = "k<<<1, 2>>>(a) asm";' 'const char* s = "k<<<1, 2>>>(a) asm";'
expect 'void f() { extern __shared__ float4 s[]; }' \
  'void f() { float4 * const s = ::simt::dynamic_shared_as<float4 >(); }'
expect 'void f() { extern __align__(16) __shared__ unsigned char s[]; }' \
  'void f() { struct simt_dynamic_s { __align__ ( 16 ) unsigned char s[1]; }; unsigned char * const s = ::simt::dynamic_shared_as<unsigned char >(alignof(simt_dynamic_s)); }'
expect 'void f() { extern __shared__ alignas(8 * (2 + 2)) half s[]; }' \
  'void f() { struct simt_dynamic_s { alignas ( 8 * ( 2 + 2 ) ) half s[1]; }; half * const s = ::simt::dynamic_shared_as<half >(alignof(simt_dynamic_s)); }'
expect 'int a = b << 3 >> 1; extern int c;' 'int a = b << 3 >> 1; extern int c;'

expect '__device__ int f(int x) { return x; } #define D __device__' \
  '__device__ int f(int x) { return x; } #define D __device__'
expect '__device__ constexpr int n = 3;' '__device__ constexpr int n = 3;'
expect 'template <int N> __device__ __forceinline__ Vec<float, N>* g(T (&x)[N]);' \
  'template <int N> __device__ __forceinline__ Vec<float, N>* g(T (&x)[N]);'
expect 'auto f = [=] __device__ { return x; };' 'auto f = [=] __device__ { return x; };'

expect 'printf("x"); std::printf("%d", f(1)); p.printf("x"); fprintf(f, "x");' \
  '::simt::print("x"); ::simt::print("%d", f(1)); p.printf("x"); fprintf(f, "x");'
expect '__global__ void __launch_bounds__(f(A, 2), B) k(int n) { }' \
  '__global__ void __launch_bounds__(f(A, 2), B) k(int n) { __attribute__((used)) static char simt_bounds[f(A, 2)]; }'
expect '__global__ void __launch_bounds__(A) k(int n);' '__global__ void __launch_bounds__(A) k(int n);'

expect 'asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(f(b, 1)));' \
  '::simt::ptx::ldmatrix<false>((a), (f(b, 1)));'
expect 'asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 "
  "{ %1, %0 }, [%2] ;\n\t"
  : "=r"(a), "=r"(b) : "r"(c) : "memory"); d();' '::simt::ptx::ldmatrix<true>((b), (a), (c))

; d();'
expect '__asm__ __volatile__("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(b), "r"(c), "r"(e), "r"(f), "r"(g));' \
  '::simt::ptx::mma_m16n8k16((d[0]), (d[1]), (d[2]), (d[3]), (a), (b), (c), (e), (f), (g), (d[0]), (d[1]), (d[2]), (d[3]));'

expect 'asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }" : "=r"(ended) : "r"(unsigned(f(&b))), "r"(parity) : "memory");' \
  '::simt::ptx::mbarrier_test_wait_parity((ended), (unsigned(f(&b))), (parity));'
expect 'asm("{\n\t.reg.pred q;"
"mbarrier.test_wait.parity.shared::cta.b64 q,[%2],%1;\n\tselp.b32 %0,1,0,q;}" : "=r"(e) : "r"(p), "r"(a));' \
  '::simt::ptx::mbarrier_test_wait_parity((e), (a), (p))
;'

refuse '__device__ int counter;' 1 __device__
refuse '
static __device__ const float table[4] = {1, 2, 3, 4};' 2 'variables in device memory'
refuse '__device__ std::array<float, 4> a{};' 1 __device__
refuse '__constant__ float c[4];' 1 __constant__
refuse '
__managed__ int x;' 2 __managed__
refuse 'namespace cg = cooperative_groups;' 1 cooperative_groups
x4='"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"'
out='"=r"(a), "=r"(b), "=r"(c), "=r"(d)'
refuse 'void f() { asm("bar.sync 0;"); }' 1 'asm.*not: bar.sync 0;'
refuse '
asm volatile("ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(b));' 2 'asm.*not: ldmatrix'
refuse 'asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(b));' 1 'asm.*not: ldmatrix'
refuse 'asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1 + 16];" : "=r"(a) : "r"(b));' 1 'asm.*not: ldmatrix'
refuse 'asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1]; bar.sync 0;" : "=r"(a) : "r"(b));' 1 'asm.*not: ldmatrix'
refuse 'asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0}, {%1}, {%2}, {%0};" : "+r"(a) : "r"(b), "r"(c));' 1 'asm.*not: mma'
refuse "asm($x4 : $out : \"l\"(p));" 1 'asm: %4 must be an operand with the constraint r or +r'
refuse "asm($x4 : $out);" 1 'asm: %4 must be'
refuse "asm($x4 : \"r\"(a), \"=r\"(b), \"=r\"(c), \"=r\"(d) : \"r\"(p));" 1 'asm: %0 must be'
refuse "asm($x4 : [a] $out : \"r\"(p));" 1 'asm.*operands'
refuse "asm($x4 : $out : \"r\"(p)" 1 'asm.*not understood'
wait='{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, q; }'
refuse "asm(\"$wait\" : \"=r\"(e) : \"r\"(a), \"r\"(p));" 1 'asm.*not: { .reg'
wait='{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }'
refuse "asm(\"$wait\" : \"=r\"(e) : \"l\"(a), \"r\"(p));" 1 'asm: %1 must be'
refuse "asm(\"$wait\" : \"=r\"(e) : \"r\"(a));" 1 'asm: %2 must be'
refuse 'asm goto("bra %l0;" :::: done);' 1 asm
refuse 'asm(R"(bar.sync 0;)");' 1 'asm.*plain string'
refuse 'int x asm("y");' 1 'asm.*not: y'
refuse 'asm(' 1 asm
refuse 'asm("x" :' 1 asm
refuse 'asm' 1 asm
refuse 'int x = __ballot_sync(~0u, p);' 1 __ballot_sync
for name in arrive_and_drop token_pending_count test_wait_parity try_wait try_wait_parity; do
  refuse "__mbarrier_$name(&barrier);" 1 "__mbarrier_$name"
done
refuse 'cudaStreamCreate(&s);' 1 cudaStreamCreate
refuse 'extern __shared__ float s[];' 1 'inside the function'
refuse 'k<<<1, 2>>>;' 1 'arguments'
refuse 'k<<<1, 2;' 1 '<<< without >>>'
exit $failed
