// RMS normalisation of rows of halves, two at a time, with a block's sum by shuffles and shared memory.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kThreads = 64;

__global__ void rmsnorm_kernel(const half2* x, const float* weights, half2* y, int pairs) {
  __shared__ float warp_sums[kThreads / 32];
  x += blockIdx.x * pairs;
  y += blockIdx.x * pairs;
  float sum = 0;
  for (int i = threadIdx.x; i < pairs; i += kThreads) {
    const float2 v = __half22float2(x[i]);
    sum += v.x * v.x + v.y * v.y;
  }
  for (int mask = 16; mask > 0; mask >>= 1) sum += __shfl_xor_sync(~0u, sum, mask);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();
  const float factor = rsqrtf((warp_sums[0] + warp_sums[1]) / (2 * pairs) + 1e-6f);
  for (int i = threadIdx.x; i < pairs; i += kThreads) {
    const float2 v = __half22float2(x[i]);
    y[i] = __floats2half2_rn(v.x * factor * weights[2 * i], v.y * factor * weights[2 * i + 1]);
  }
}

int main() {
  const int rows = 5, cols = 202;
  std::vector<half> x(rows * cols), y(rows * cols);
  std::vector<float> weights(cols);
  for (int i = 0; i < rows * cols; ++i) x[i] = __float2half(float(i * 7 % 33) / 8 - 2);
  for (int i = 0; i < cols; ++i) weights[i] = 0.5f + float(i % 4) / 4;
  half2 *d_x, *d_y;
  float* d_weights;
  cudaMalloc(&d_x, rows * cols * sizeof(half));
  cudaMalloc(&d_y, rows * cols * sizeof(half));
  cudaMalloc(&d_weights, cols * sizeof(float));
  cudaMemcpy(d_x, x.data(), rows * cols * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_weights, weights.data(), cols * sizeof(float), cudaMemcpyHostToDevice);
  rmsnorm_kernel<<<rows, kThreads>>>(d_x, d_weights, d_y, cols / 2);
  cudaMemcpy(y.data(), d_y, rows * cols * sizeof(half), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < cols; ++i) sum += std::pow(double(__half2float(x[row * cols + i])), 2);
    const double factor = 1 / std::sqrt(sum / cols + 1e-6);
    for (int i = 0; i < cols; ++i) {
      const double expected = __half2float(x[row * cols + i]) * factor * weights[i];
      wrong += !(std::fabs(__half2float(y[row * cols + i]) - expected) < 4e-3);
    }
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_weights);
  return wrong != 0;
}

// BUG columns_for_pairs
// - (d_x, d_weights, d_y, cols / 2)
// + (d_x, d_weights, d_y, cols)
// ! out of bounds

// BUG no_barrier
// - __syncthreads();
// +
// ! reads warp_sums
// ! with no __syncthreads() or __syncwarp() since another thread
// @ const float factor = rsqrtf(

// BUG three_warps
// - rmsnorm_kernel<<<rows, kThreads>>>
// + rmsnorm_kernel<<<rows, kThreads + 32>>>
// ! index 2
// @ if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;

// BUG odd_row
// - x += blockIdx.x * pairs;
// + x = reinterpret_cast<const half2*>(reinterpret_cast<const half*>(x) + 1);
// ! past a multiple of 4
