// Odd-even transposition sort by one block, in shared memory of dynamic size.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void sort_kernel(float* values, int count) {
  extern __shared__ float shared[];
  for (int i = threadIdx.x; i < count; i += blockDim.x) shared[i] = values[i];
  __syncthreads();  // the elements are there
  for (int round = 0; round < count; ++round) {
    const int i = 2 * threadIdx.x + round % 2;
    if (i + 1 < count && shared[i] > shared[i + 1]) {
      const float other = shared[i];
      shared[i] = shared[i + 1];
      shared[i + 1] = other;
    }
    __syncthreads();  // the round is complete
  }
  for (int i = threadIdx.x; i < count; i += blockDim.x) values[i] = shared[i];
}

int main() {
  const int count = 101, bytes = count * sizeof(float);
  std::vector<float> values(count), sorted(count);
  for (int i = 0; i < count; ++i) values[i] = float(i * 37 % 89) - 40;
  float* d_values;
  cudaMalloc(&d_values, bytes);
  cudaMemcpy(d_values, values.data(), bytes, cudaMemcpyHostToDevice);
  sort_kernel<<<1, (count + 1) / 2, bytes>>>(d_values, count);
  cudaMemcpy(sorted.data(), d_values, bytes, cudaMemcpyDeviceToHost);
  std::sort(values.begin(), values.end());
  std::printf("%s\n", sorted == values ? "right" : "wrong");
  cudaFree(d_values);
  return sorted != values;
}

// BUG no_barrier_in_a_round
// - __syncthreads();  // the round is complete
// +
// ! with no __syncthreads() or __syncwarp() since another thread

// BUG barrier_in_the_exchange
// - shared[i + 1] = other;
// - }
// - __syncthreads();  // the round is complete
// + shared[i + 1] = other;
// + __syncthreads();  // only some come
// + }
// ! __syncthreads()
// @ only some come

// BUG dynamic_memory_forgotten
// - (count + 1) / 2, bytes>>>
// + (count + 1) / 2>>>
// ! outside of all shared arrays
// @ shared[i] = values[i];

// BUG last_pair_too_far
// - if (i + 1 < count && shared[i] > shared[i + 1]) {
// + if (i < count && shared[i] > shared[i + 1]) {
// ! outside of all shared arrays
// @ if (i < count && shared[i] > shared[i + 1]) {

// BUG barriers_of_even_threads
// - __syncthreads();  // the elements are there
// + if (threadIdx.x % 2 == 0) __syncthreads();  // the elements are there
// ! __syncthreads()
// @ // the elements are there
