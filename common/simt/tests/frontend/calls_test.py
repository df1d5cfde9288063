"""Whole files through the rewriter and the compiler: what nvcc takes must compile, and what it refuses must be refused
at the same line. Each was given to nvcc 13.0 (-std=c++17 -arch=sm_90)."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from typing import Dict, Tuple

SIMTCC = os.environ.get("SIMTCC", "simtcc")

# Headers that lie beside each file.
HEADERS: Dict[str, str] = {
    "kernels.cuh": """\
#pragma once
#define WIDTH 32
#define RUN(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
template <typename T> __global__ void from_header(T* x) {
  extern __shared__ T rows[][WIDTH];
  rows[threadIdx.x][1] = *x;
}
inline void run_header(float* x) { from_header<<<1, 32, 32 * WIDTH * 4>>>(x); }
""",
    # A CUDA toolkit on the include path: the backend's headers come first, those of its own are read.
    "toolkit/crt/host_runtime.h": "",
    "toolkit/cuda_runtime.h": "#error the header of a toolkit",
    "toolkit/cuda_fp16.h": "#error the header of a toolkit",
    "toolkit/driver_types.h": "#ifndef __DRIVER_TYPES_H__\n#error the header of a toolkit\n#endif\n",
    "toolkit/library.h": '#include "driver_types.h"\ntypedef cudaStream_t libraryStream_t;\ntypedef int cudaSurfaceObject_t;\n',
}

ACCEPTED: Tuple[str, ...] = (
    # A name has a kernel and functions, or several kernels.
    """__global__ void f(float* x) { *x = 1; }
__global__ void f(double* x) { *x = 2; }
void f(float* x, int n) { f<<<1, n>>>(x); }
void g(double* x) { f<<<1, 1>>>(x); }""",
    """template <int N, typename T> __global__ void f(T* x) { *x = N; }
template <typename T, int N = 3> __global__ void g(T* x) { *x = N; }
template <typename T> __global__ void h(T) {}
__global__ void h(int, int) {}
void run(float* x) { f<4><<<1, 1>>>(x); f<4, float><<<1, 1>>>(x); g<float><<<1, 1>>>(x); g<<<1, 1>>>(x);
  h<<<1, 1>>>(x); h<<<1, 1>>>(1, 2); h<float*><<<1, 1>>>(nullptr); }""",
    """namespace a { __global__ void k(int* x) { *x = 1; } }
namespace b { __global__ void k(int* x) { *x = 2; } void run(int* x) { a::k<<<1, 1>>>(x); k<<<1, 1>>>(x); } }
void run(int* x) { void (*kernel)(int*) = a::k; kernel<<<1, 1>>>(x); (x ? a::k : b::k)<<<1, 1>>>(x); }""",
    # In headers, in macros, behind #if 0.
    """#include "kernels.cuh"
#if 0
__constant__ float dead[4]; texture<float> t; k<<<1;
#endif
__global__ void k(float* x) { *x = WIDTH; }
void run(float* x) {
  RUN(k, 1,
      1, x);
  RUN((from_header<float>), 1, 1, x);
  run_header(x);
}""",
    """#define LOAD(n, to, from) asm volatile("ldmatrix.sync.aligned.m8n8.x" #n ".shared.b16 {%0}, [%1];" : "=r"(to) : "r"(from))
#define ADDRESS "=r"
__global__ void k(unsigned* x) {
  __shared__ __align__(16) unsigned s[32 * 4];
  LOAD(1, x[0], unsigned(__cvta_generic_to_shared(&s[threadIdx.x % 8 * 4])));
}""",
    """#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <library.h>
__global__ void k(half* x) { *x = __float2half(1.0f); }
void run(half* x, libraryStream_t stream) { k<<<1, 1, 0, stream>>>(x); }""",
    # Dynamic shared memory outside of functions.
    """extern __shared__ float cells[];
__device__ float next() { return cells[threadIdx.x + 1]; }
__global__ void k(float* x) { cells[threadIdx.x] = *x; __syncthreads(); *x = next(); }
__device__ float own(float* cells) { return cells[0]; }""",
    # What device code may call.
    """#include <limits>
#include <utility>
__device__ float later(float x);
__device__ float f(float x) { return later(x); }
__device__ float later(float x) { return x; }
__host__ __device__ constexpr int both(int x) { return x + 1; }
constexpr int of_host(int x) { return x * 2; }
struct Pair {
  int a, b;
  Pair() = default;
  __host__ __device__ Pair(int a, int b) : a(a), b{b} {}
  __device__ int sum() const { return a + b; }
  __host__ __device__ int operator()(int x) const { return x + a; }
  int host_sum() const { return a + b; }
};
template <typename F> __device__ int apply(F f, int x) { return f(x); }
int host(int x) { return x; }
__device__ int host(float x) { return int(x); }
template <int N> struct Size { int x[of_host(N)]; };
__global__ void k(float* x, int n) {
  float array[sizeof(of_host(1))] = {};
  Size<2> size{};
  static_assert(std::is_same<int, decltype(of_host(1))>::value && std::numeric_limits<float>::is_iec559, "");
  Pair pair(1, 2), other;
  other = std::move(pair);
  auto lambda = [&](int i) { return i + pair.sum(); };
  const auto host = [](int i) { return i; };
  x[n] = f(array[0]) + both(n) + apply(lambda, 3) + apply(pair, 2) + host(3) + size.x[0] + min(n, 3) + sqrtf(*x) +
         std::sqrt(*x) + other.a + Pair(1, 2).sum();
}
int main() { return Pair(1, 2).host_sum() + host(3); }""",
    """struct Host { int a; Host(int a) : a(a) {} };
__global__ void k(Host h, int* x) { Host copy(h), same = h; *x = copy.a + same.a; }
void run(int* x) { k<<<1, 1>>>(Host(3), x); }""",
    """struct Shape { int rows; int size() const { return rows; } };
struct View { int rows; __device__ int size() const { return rows; } };
__global__ void k(View v, int* x) { *x = v.size(); int exit = 3; *x += exit; }
int f(Shape s) { return s.size(); }""",
    """#include <vector>
#include <iostream>
#include <algorithm>
using namespace std;
__global__ void k(int* x) { int set = 1, list[2] = {set, 2}; *x = list[0]; }
void run(vector<int> v) { sort(v.begin(), v.end()); cout << v.size() << endl; k<<<1, 1>>>(v.data()); }""",
    # A function for the host has its processor's instructions, a lambda in it may have PTX (with --extended-lambda).
    """inline void compiler_barrier() { __asm__ __volatile__("" : : : "memory"); }
static long ticks() {
  int low = 0;
#if defined(__x86_64__)
  unsigned high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
#endif
  compiler_barrier();
  return low;
}
template <typename F> __global__ void apply(F f, unsigned* x) { *x = f(); }
void run(unsigned* x) {
  apply<<<1, 32>>>([=] __device__() { unsigned lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); return lane; }, x);
  ticks();
}""",
    """#include <cublas_v2.h>
__global__ void k(cuDoubleComplex* to, const cuFloatComplex* from) { *to = cuComplexFloatToDouble(*from); }""",
    """template <typename T> struct Sum { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T, template <typename> class Op> __device__ T reduce(T x) {
  for (int d = 16; d > 0; d /= 2) x = Op<T>()(x, __shfl_down_sync(~0u, x, d));
  return x;
}
__global__ void k(float* x) { *x = reduce<float, Sum>(*x); }
template <> __device__ int reduce<int, Sum>(int x) { return x; }
template __device__ double reduce<double, Sum>(double);""",
    # Names of CUDA's libraries, which a program gives to its own.
    """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
int reduce(const int* x, int n) { return n == 0 ? 0 : x[0] + reduce(x + 1, n - 1); }
void init(int* x, int n) { for (int i = 0; i < n; ++i) x[i] = 0; }
int shfl(int x) { return x; }
struct coalesced_threads { int this_grid; };
__device__ int sum(coalesced_threads thread_block_tile, int tiled_partition) { return thread_block_tile.this_grid + tiled_partition; }
__global__ void k(int* x) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar[2];
  if (threadIdx.x < 2) init(bar + threadIdx.x, blockDim.x);
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  x[threadIdx.x] = cg::reduce(tile, tile.shfl(*x, 0), cg::plus<int>()) + sum({1}, 2);
}
int main() { int x[2]; init(x, 2); k<<<1, 32>>>(x); return reduce(x, 2) + shfl(1); }""",
    """struct Matrix {
  float* p;
  int ld;
  __device__ Matrix(float* p, int ld);
  __device__ float& at(int i, int j);
  friend __device__ float first(Matrix m) { return m.p[0]; }
};
__device__ Matrix::Matrix(float* p, int ld) : p(p), ld(ld) {}
__device__ float& Matrix::at(int i, int j) { return p[i * ld + j]; }
__global__ void k(float* x) { Matrix m(x, 4); m.at(0, 1) = first(m); }""",
)

# With the line that is refused and what stands in the message.
REFUSED: Tuple[Tuple[str, int, str], ...] = (
    ("int host(int x) { return x; }\n__global__ void k(int* x) {\n  *x = host(3);\n}", 3, "host() is a function for the host"),
    ("int host(int);\n__device__ int f(int x) {\n  return host(x);\n}", 3, "host() is a function for the host"),
    ("template <typename T> T twice(T x) { return 2 * x; }\n__global__ void k(int* x) {\n  *x = twice(*x);\n}", 3, "twice()"),
    ("template <typename T> T twice(T x) { return 2 * x; }\n__global__ void k(int* x) {\n  *x = twice<int>(*x);\n}", 3, "twice()"),
    ("struct S { int a; int get() const { return a; } };\n__global__ void k(S s, int* x) {\n  *x = s.get();\n}", 3, "get()"),
    ("void init(int* x, int n) { *x = n; }\n__global__ void k(int* x) {\n  init(x, 3);\n}", 3, "init()"),
    ("namespace cg { inline int reduce(int x) { return x; } }\n__global__ void k(int* x) {\n  *x = cg::reduce(3);\n}", 3, "reduce()"),
    ("namespace a { inline int f() { return 1; } }\n__global__ void k(int* x) {\n  *x = a::f();\n}", 3, "f()"),
    ("constexpr int f(int x) { return x; }\n__global__ void k(int* x) {\n  *x = f(*x);\n}", 3, "f()"),
    ("constexpr int f(int x) { return x; }\n__global__ void k(int* x) {\n  constexpr int two = f(2);\n}", 3, "f()"),
    ("struct S { int a; S(int a) : a(a) {} };\n__global__ void k(int* x) {\n  *x = S(3).a;\n}", 3, "constructor of S"),
    ("struct S { int a; S(int a) : a(a) {} };\n__global__ void k(int* x) {\n  S s(3);\n  *x = s.a;\n}", 3, "constructor of S"),
    ("struct S { int a; S() : a(1) {} };\n__global__ void k(int* x) {\n  S s;\n  *x = s.a;\n}", 3, "constructor of S"),
    ("#include <algorithm>\nusing namespace std;\n__global__ void k(int* x) {\n  sort(x, x + 3);\n}", 4, "std::sort()"),
    ("#include <utility>\nusing std::swap;\n__global__ void k(int* x) {\n  swap(x[0], x[1]);\n}", 4, "std::swap()"),
    ("#include <cstring>\n__global__ void k(char* x) {\n  x[0] = strlen(x);\n}", 3, "strlen()"),
    ("__global__ int k(int* x) {\n  return 1;\n}", 1, "must return void"),
    ("struct S {\n  __global__ void k() {}\n};", 2, "cannot be a member"),
    ("int main() {\n  __syncthreads();\n}", 2, "__syncthreads() is for kernels"),
    ("__global__ void k(int* x) {\n  cudaMemset(x, 0, 4);\n}", 2, "cudaMemset() is a function for the host"),
    ("#include <cstdlib>\n__global__ void k(int* x) {\n  *x = rand();\n}", 3, "rand() is a function for the host"),
    ("#include <iostream>\n__global__ void k() {\n  std::cout << 1;\n}", 3, "std::cout"),
    ("#include <iostream>\nusing namespace std;\n__global__ void k() {\n  cout << 1;\n}", 4, "std::cout"),
    ("#include <vector>\n__global__ void k() {\n  std::vector<int> v(3);\n}", 3, "std::vector"),
    ("#include <string>\n__device__ void k() {\n  std::string s;\n}", 3, "std::string"),
    ("#include <algorithm>\n__global__ void k(int* x) {\n  *x = std::max(*x, 1);\n}", 3, "std::max"),
    ("#include <utility>\n__global__ void k(int* x) {\n  std::swap(x[0], x[1]);\n}", 3, "std::swap"),
    ("#include <limits>\n__global__ void k(float* x) {\n  *x = std::numeric_limits<float>::max();\n}", 3, "std::numeric_limits<float>::max()"),
    ("__global__ void k(int* x) {\n  if (*x) throw 1;\n}", 2, "throw"),
    ("#include <cassert>\n__global__ void k(int* x) {\n  assert(x != NULL &&\n         *x < 3);\n  throw 1;\n}", 5, "throw"),
    ("__global__ void k(int* x) { *x = 1; }\nvoid run(int* x) {\n  k(x);\n}", 3, "<<<blocks, threads>>>"),
    ("template <int N> __global__ void k(int* x) { *x = N; }\nvoid run(int* x) {\n  k<3>(x);\n}", 3, "<<<blocks, threads>>>"),
    ("__global__ void k(int* x) { *x = 1; }\n__global__ void l(int* x) {\n  k(x);\n}", 3, "k() is a kernel"),
    ("__device__ int f() { return 1; }\nint main() {\n  return f();\n}", 3, "f() is a __device__ function"),
)

# Accepted with --expt-relaxed-constexpr alone.
RELAXED = """\
#include <algorithm>
#include <array>
#include <limits>
#include <utility>
using std::make_pair;
constexpr int twice(int x) { return x * 2; }
struct Size {
  int n;
  constexpr Size(int n) : n(n) {}
  constexpr int get() const { return n; }
};
__global__ void k(int* x) {
  const std::array<int, 3> a{1, 2, 3};
  x[0] = std::max(twice(x[0]), std::min({a[1], 3})) + std::clamp(x[1], 0, 9) + make_pair(1, 2).second;
  x[1] = std::numeric_limits<int>::max() + Size(3).get();
}
"""

# Without -rdc, nvcc keeps all of these to their file.
LOCAL = """\
struct Tile { float x; __device__ float get() { return x; } friend __device__ float peek(Tile t) { return t.x; } };
template <typename T> __device__ T scale(T x) { return x * 2; }
__device__ inline float shift(float x);
__device__ float shift(float x) { return x + 1; }
template <typename T> __global__ void kernel(T* x) { Tile t{1}; *x = scale(t.get()) + shift(0) + peek(t); }
void NAME(float* x) { kernel<<<1, 1>>>(x); }"""

# With -rdc, files share these.
SHARED = {
    "values.h": "struct S { int v; __device__ int next() const; };\n__device__ int twice(int x);\n",
    "a.cu": """\
#include "values.h"
__device__ int table[4] = {1, 2, 3, 4};
__constant__ float scale = 3;
__device__ int twice(int x) { return x * 2; }
__device__ int S::next() const { return v + 1; }
""",
    "b.cu": """\
#include <cstdio>
#include "values.h"
extern __device__ int table[4];
extern __constant__ float scale;
__global__ void sum(int* to) { to[threadIdx.x] = twice(threadIdx.x) + table[threadIdx.x] + int(scale) + S{5}.next(); }
int main() {
  int *device, host[4];
  cudaMalloc(&device, sizeof host);
  sum<<<1, 4>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d", host[0], host[1], host[2], host[3]);
  cudaFree(device);
}
""",
}


class Calls(unittest.TestCase):
    def build(self, source: str, out: str = "", options: Tuple[str, ...] = ()) -> Tuple[int, str]:
        """The exit status, of the rewriter or the compiler, and what they said. out: the object to make."""
        with tempfile.TemporaryDirectory(prefix="calls-test.") as name:
            folder = pathlib.Path(name)
            for header, text in HEADERS.items():
                (folder / header).parent.mkdir(parents=True, exist_ok=True)
                (folder / header).write_text(text, encoding="utf-8")
            file = folder / (pathlib.Path(out).stem + "in.cu")
            file.write_text(source + "\n", encoding="utf-8")
            done = subprocess.run([SIMTCC, "-w", "-O0", f"-I{folder}/toolkit", *([] if out else ["-fsyntax-only"]), *options, "-c", str(file),
                                   "-o", out or str(folder / "out.o")],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
            said = done.stdout
            return done.returncode, said

    def test_what_compiles(self) -> None:
        for source in ACCEPTED:
            with self.subTest(source):
                status, said = self.build(source)
                self.assertEqual(status, 0, said)

    def test_what_is_refused(self) -> None:
        for source, line, text in REFUSED:
            with self.subTest(source):
                status, said = self.build(source)
                self.assertNotEqual(status, 0)
                self.assertIn(f"in.cu:{line}: error: ", said)
                self.assertIn(text, said)

    def test_relaxed_constexpr(self) -> None:
        option = ("--expt-relaxed-constexpr",)
        status, said = self.build(RELAXED, options=option)
        self.assertEqual(status, 0, said)
        self.assertIn("std::max() is a function for the host", self.build(RELAXED)[1])
        for source in (RELAXED.replace("constexpr int twice", "int twice"),
                       RELAXED.replace("using", "using std::sort; using").replace("x[0] =", "sort(x, x + 2); x[0] =")):
            self.assertIn("is a function for the host", self.build(source, options=option)[1])

    def test_device_functions_are_local_to_their_file(self) -> None:
        with tempfile.TemporaryDirectory(prefix="calls-test.") as folder:
            outside = []
            for name in ("a", "b"):
                out = f"{folder}/{name}.o"
                status, said = self.build(LOCAL.replace("NAME", name), out)
                self.assertEqual(status, 0, said)
                lines = subprocess.run(["nm", "--defined-only", out], stdout=subprocess.PIPE, universal_newlines=True,
                                       check=True).stdout.splitlines()
                for function in ("get", "peek", "scale", "shift", "kernel"):
                    self.assertTrue(any(function in line for line in lines), function)
                outside.append({line.split()[-1] for line in lines if line.split()[-2] not in "btdr"})
            self.assertEqual([symbol for symbol in outside[0] & outside[1]
                              if re.search("get|peek|scale|shift|kernel", symbol)], [])

    def test_relocatable_device_code(self) -> None:
        with tempfile.TemporaryDirectory(prefix="calls-test.") as folder:
            for name, text in SHARED.items():
                (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")

            def simtcc(*arguments: str) -> "subprocess.CompletedProcess[str]":
                return subprocess.run([SIMTCC, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      universal_newlines=True)
            alone = simtcc("a.cu", "b.cu", "-o", "alone")
            self.assertEqual(alone.returncode, 1)
            self.assertIn("With -rdc=true files share them", alone.stdout)
            for steps in ([["-rdc=true", "a.cu", "b.cu", "-o", "sum"]],
                          [["-dc", "a.cu", "-o", "a.o"], ["--device-c", "b.cu", "-o", "b.o"],
                           ["-dlink", "a.o", "b.o", "-o", "linked.o"],
                           ["a.o", "b.o", "linked.o", "-lcudadevrt", "-o", "sum"]]):
                for step in steps:
                    done = simtcc(*step)
                    self.assertEqual(done.returncode, 0, done.stdout)
                done = subprocess.run([f"{folder}/sum"], stdout=subprocess.PIPE, universal_newlines=True, check=True)
                self.assertEqual(done.stdout, "10 13 16 19")


if __name__ == "__main__":
    unittest.main()
