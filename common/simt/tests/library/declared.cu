#include <cuda_runtime.h>

#include "tests/library/declared.h"

namespace declared {
namespace {

struct alignas(16) Four {
  int x[4];
};
__global__ void all_kernel(int* out) {
  alignas(16) __shared__ int a[4];
  __shared__ alignas(128) int b[4];
  __align__(8) __shared__ int c[4];
  __shared__ __align__(16) int d[4];
  __shared__ int __align__(16) e[4];
  __shared__ alignas(Four) alignas(64) int f[2][2], g[4];
  __shared__ struct alignas(32) Inside { int x[4]; } h;
  const int t = threadIdx.x;
  a[t] = b[t] = c[t] = d[t] = e[t] = f[t / 2][t % 2] = g[t] = h.x[t] = t;
  __syncthreads();
  const Four four = *reinterpret_cast<const Four*>(b);
  out[t] = a[3 - t] + b[3 - t] + c[3 - t] + d[3 - t] + e[3 - t] + f[1][1] + g[3 - t] + h.x[3 - t] +
           four.x[t];
}

}  // namespace

void all(int* out) {
  all_kernel<<<1, 4>>>(out);
}

}  // namespace declared
