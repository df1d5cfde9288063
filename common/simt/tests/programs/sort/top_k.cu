// The eight largest elements: each thread keeps its own in order, then the block merges them in rounds.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

constexpr int kThreads = 32, kTop = 8;

__device__ void insert(int* top, int value) {
  int i = kTop - 1;
  if (value <= top[i]) return;
  while (i > 0 && top[i - 1] < value) {
    top[i] = top[i - 1];
    --i;
  }
  top[i] = value;
}

__global__ void top_kernel(const int* values, int count, int* result) {
  __shared__ int shared[kThreads][kTop];
  int top[kTop];
  for (int i = 0; i < kTop; ++i) top[i] = -1;
  for (int i = threadIdx.x; i < count; i += kThreads) insert(top, values[i]);
  for (int i = 0; i < kTop; ++i) shared[threadIdx.x][i] = top[i];
  for (int s = kThreads / 2; s > 0; s /= 2) {
    __syncthreads();  // the round before is complete
    if (threadIdx.x < s) {
      for (int i = 0; i < kTop; ++i) insert(shared[threadIdx.x], shared[threadIdx.x + s][i]);
    }
  }
  __syncthreads();  // the first row is complete
  if (threadIdx.x < kTop) result[threadIdx.x] = shared[0][threadIdx.x];
}

int main() {
  const int count = 900;
  std::vector<int> values(count), result(kTop);
  for (int i = 0; i < count; ++i) values[i] = i * 677 % 7919;
  int *d_values, *d_result;
  cudaMalloc(&d_values, count * sizeof(int));
  cudaMalloc(&d_result, kTop * sizeof(int));
  cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  top_kernel<<<1, kThreads>>>(d_values, count, d_result);
  cudaMemcpy(result.data(), d_result, kTop * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(values.begin(), values.end(), std::greater<int>());
  const bool right = std::equal(result.begin(), result.end(), values.begin());
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(d_values);
  cudaFree(d_result);
  return !right;
}

// BUG no_barrier_in_rounds
// - __syncthreads();  // the round before is complete
// +
// ! shared
// ! with no __syncthreads() or __syncwarp() since another thread
// @ insert(shared[threadIdx.x], shared[threadIdx.x + s][i]);

// BUG no_barrier_at_the_end
// - __syncthreads();  // the first row is complete
// +
// ! shared
// ! with no __syncthreads() or __syncwarp() since another thread
// @ if (threadIdx.x < kTop) result[threadIdx.x] = shared[0][threadIdx.x];

// MISSED reads_before_the_array
// - while (i > 0 && top[i - 1] < value) {
// + while (i >= 0 && top[i - 1] < value) {
// ! of an array
// @ while (i >= 0 && top[i - 1] < value) {

// MISSED top_without_first_values
// - for (int i = 0; i < kTop; ++i) top[i] = -1;
// +
// ! never given a value

// BUG result_of_all_threads
// - if (threadIdx.x < kTop) result
// + result
// ! index 8
// @ result[threadIdx.x] = shared[0][threadIdx.x];
