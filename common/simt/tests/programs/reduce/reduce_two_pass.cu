// The largest element in two passes: a kernel with many blocks, then one block for their results.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kThreads = 64;

__global__ void max_kernel(const float* values, int count, float* results) {
  extern __shared__ float largest[];
  float mine = -1e30f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    mine = fmaxf(mine, values[i]);
  }
  largest[threadIdx.x] = mine;
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (threadIdx.x < s) {
      largest[threadIdx.x] = fmaxf(largest[threadIdx.x], largest[threadIdx.x + s]);
    }
  }
  if (threadIdx.x == 0) results[blockIdx.x] = largest[0];
}

int main() {
  const int count = 6000, blocks = 24;
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[i] = float(i * 613 % 9973) - 5000;
  float *d_values, *d_parts, *d_result, result = 0;
  cudaMalloc(&d_values, count * sizeof(float));
  cudaMalloc(&d_parts, blocks * sizeof(float));
  cudaMalloc(&d_result, sizeof(float));
  cudaMemcpy(d_values, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  max_kernel<<<blocks, kThreads, kThreads * sizeof(float)>>>(d_values, count, d_parts);
  max_kernel<<<1, kThreads, kThreads * sizeof(float)>>>(d_parts, blocks, d_result);
  cudaMemcpy(&result, d_result, sizeof(float), cudaMemcpyDeviceToHost);
  const float expected = *std::max_element(values.begin(), values.end());
  std::printf("largest %g, expected %g\n", result, expected);
  cudaFree(d_values);
  cudaFree(d_parts);
  cudaFree(d_result);
  return result != expected;
}

// BUG dynamic_memory_too_small
// - max_kernel<<<blocks, kThreads, kThreads * sizeof(float)>>>
// + max_kernel<<<blocks, kThreads, kThreads>>>
// ! outside of all shared arrays, at dynamic shared memory + 64 bytes
// @ largest[threadIdx.x] = mine;

// BUG second_pass_reads_too_much
// - (d_parts, blocks, d_result)
// + (d_parts, blocks + 1, d_result)
// ! out of bounds: 0 bytes past the end of an allocation
// @ mine = fmaxf(mine, values[i]);

// BUG first_pass_left_out
// - max_kernel<<<blocks, kThreads, kThreads * sizeof(float)>>>(d_values, count, d_parts);
// +
// ! which no copy and no earlier launch has initialised
// @ mine = fmaxf(mine, values[i]);

// BUG barrier_left_out
// - __syncthreads();
// +
// ! dynamic shared memory
// ! with no __syncthreads() or __syncwarp() since another thread
// @ largest[threadIdx.x] = fmaxf(largest[threadIdx.x], largest[threadIdx.x + s]);

// BUG used_after_free
// - max_kernel<<<1, kThreads, kThreads * sizeof(float)>>>(d_parts, blocks, d_result);
// + cudaFree(d_parts);
// + max_kernel<<<1, kThreads, kThreads * sizeof(float)>>>(d_parts, blocks, d_result);
// ! reads 4 bytes of global memory that has been freed
// @ mine = fmaxf(mine, values[i]);
