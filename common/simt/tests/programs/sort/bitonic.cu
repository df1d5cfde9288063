// Bitonic sort of a block's elements in shared memory, then of all blocks' by launches of single steps.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kCount = 512;

__device__ void order(int& a, int& b, bool up) {
  if ((a > b) == up) {
    const int other = a;
    a = b;
    b = other;
  }
}

__global__ void block_kernel(int* values) {
  __shared__ int shared[2 * kThreads];
  const int tid = threadIdx.x, first = blockIdx.x * 2 * kThreads;
  shared[tid] = values[first + tid];
  shared[tid + kThreads] = values[first + tid + kThreads];
  for (int size = 2; size <= 2 * kThreads; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();  // the step before is complete
      const int i = 2 * tid - (tid & (step - 1));
      order(shared[i], shared[i + step], ((first + i) & size) == 0);
    }
  }
  __syncthreads();  // all steps are complete
  values[first + tid] = shared[tid];
  values[first + tid + kThreads] = shared[tid + kThreads];
}

__global__ void step_kernel(int* values, int size, int step) {
  const int t = blockIdx.x * kThreads + threadIdx.x;
  const int i = 2 * t - (t & (step - 1));
  order(values[i], values[i + step], (i & size) == 0);
}

int main() {
  const int blocks = kCount / (2 * kThreads), bytes = kCount * sizeof(int);
  std::vector<int> values(kCount), sorted(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = i * 7919 % 1009;
  int* d_values;
  cudaMalloc(&d_values, bytes);
  cudaMemcpy(d_values, values.data(), bytes, cudaMemcpyHostToDevice);
  block_kernel<<<blocks, kThreads>>>(d_values);
  for (int size = 4 * kThreads; size <= kCount; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      step_kernel<<<blocks, kThreads>>>(d_values, size, step);
    }
  }
  cudaMemcpy(sorted.data(), d_values, bytes, cudaMemcpyDeviceToHost);
  std::sort(values.begin(), values.end());
  std::printf("%s\n", sorted == values ? "right" : "wrong");
  cudaFree(d_values);
  return sorted != values;
}

// BUG no_barrier_between_steps
// - __syncthreads();  // the step before is complete
// +
// ! shared
// ! with no __syncthreads() or __syncwarp() since another thread
// @ if ((a > b) == up) {

// BUG no_barrier_at_the_end
// - __syncthreads();  // all steps are complete
// +
// ! shared
// ! with no __syncthreads() or __syncwarp() since another thread
// @ values[first + tid] = shared[tid];

// BUG partner_by_exclusive_or
// - const int i = 2 * tid - (tid & (step - 1));
// + const int i = tid;
// ! shared
// ! with no __syncthreads() or __syncwarp() since another thread
// @ a = b;

// BUG steps_of_the_wrong_size
// - for (int size = 4 * kThreads; size <= kCount; size *= 2) {
// + for (int size = 4 * kThreads; size <= 2 * kCount; size *= 2) {
// ! out of bounds
// @ if ((a > b) == up) {
