// y = a x + y on halves, two at a time. Each half2 is one access of 4 bytes.
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

__global__ void axpy_kernel(float a, const __half* x, __half* y, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 factor = __float2half2_rn(a);
  const __half2* x2 = reinterpret_cast<const __half2*>(x);
  __half2* y2 = reinterpret_cast<__half2*>(y);
  if (i < pairs) {
    const __half2 sum = __hfma2(factor, x2[i], y2[i]);
    y2[i] = sum;
  }
}

int main() {
  constexpr int kPairs = 1000;
  std::vector<__half> x(2 * kPairs + 2), y(2 * kPairs + 2);
  for (int i = 0; i < 2 * kPairs; ++i) {
    x[i] = __float2half(float(i % 50));
    y[i] = __float2half(float(i % 7));
  }
  __half *d_x, *d_y;
  cudaMalloc(&d_x, x.size() * 2);
  cudaMalloc(&d_y, y.size() * 2);
  cudaMemcpy(d_x, x.data(), x.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y.data(), y.size() * 2, cudaMemcpyHostToDevice);
  axpy_kernel<<<(kPairs + 255) / 256, 256>>>(2.0f, d_x, d_y, kPairs);
  if (cudaMemcpy(y.data(), d_y, y.size() * 2, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  cudaFree(d_x);
  cudaFree(d_y);
  for (int i = 0; i < 2 * kPairs; ++i) {
    if (__half2float(y[i]) != float(2 * (i % 50) + i % 7)) return 1;
  }
}

// BUG loads_across
// - reinterpret_cast<const __half2*>(x);
// + reinterpret_cast<const __half2*>(x + 1);
// ! reads 4 bytes at an address that is 2 bytes past a multiple of 4
// @ __hfma2(factor, x2[i], y2[i]);

// BUG stores_across
// - y2[i] = sum;
// + reinterpret_cast<__half2*>(y + 1)[i] = sum;
// ! writes 4 bytes at an address that is 2 bytes past a multiple of 4
// @ [i] = sum;

// BUG one_pair_too_many
// - if (i < pairs) {
// + if (i <= pairs + 1) {
// ! reads 4 bytes of global memory out of bounds
// @ __hfma2(factor, x2[i], y2[i]);
