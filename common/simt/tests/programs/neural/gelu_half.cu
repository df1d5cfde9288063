// GELU of halves with functions of cuda_fp16.h: arithmetic in pairs, the power in float.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void gelu_kernel(const half2* x, half2* y, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const half2 value = x[i], three = __float2half2_rn(0.044715f),
              root = __float2half2_rn(0.79788456f);
  const half2 cube = __hmul2(__hmul2(value, value), value);
  const half2 inner = __hmul2(root, __hfma2(three, cube, value));
  const half2 power = __floats2half2_rn(tanhf(__low2float(inner)), tanhf(__high2float(inner)));
  const half2 one = __float2half2_rn(1.0f), half_of = __float2half2_rn(0.5f);
  y[i] = __hmul2(__hmul2(half_of, value), __hadd2(one, power));
}

int main() {
  const int count = 500;
  std::vector<half> x(count), y(count);
  for (int i = 0; i < count; ++i) x[i] = __float2half(float(i % 64) / 16 - 2);
  half2 *d_x, *d_y;
  cudaMalloc(&d_x, count * sizeof(half));
  cudaMalloc(&d_y, count * sizeof(half));
  cudaMemcpy(d_x, x.data(), count * sizeof(half), cudaMemcpyHostToDevice);
  gelu_kernel<<<(count / 2 + 63) / 64, 64>>>(d_x, d_y, count / 2);
  cudaMemcpy(y.data(), d_y, count * sizeof(half), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const double v = __half2float(x[i]);
    const double expected = 0.5 * v * (1 + std::tanh(0.79788456 * (v + 0.044715 * v * v * v)));
    wrong += !(std::fabs(__half2float(y[i]) - expected) < 0.01);
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  cudaFree(d_y);
  return wrong != 0;
}

// BUG count_in_halves
// - (d_x, d_y, count / 2)
// + (d_x, d_y, count)
// - gelu_kernel<<<(count / 2 + 63) / 64, 64>>>
// + gelu_kernel<<<(count + 63) / 64, 64>>>
// ! out of bounds
// @ const half2 value = x[i],

// BUG high_half_twice
// - tanhf(__low2float(inner))
// + tanhf(__high2float(inner))
// ! wrong result
