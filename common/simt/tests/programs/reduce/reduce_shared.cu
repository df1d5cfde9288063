// The sum of an array: each block adds up its elements in shared memory, the host adds the sums of the blocks.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 128;

__global__ void sum_kernel(const int* values, int count, int* sums) {
  __shared__ int sum[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;
  sum[tid] = i < count ? values[i] : 0;
  __syncthreads();  // all elements are there
  for (int s = kThreads / 2; s > 0; s /= 2) {
    if (tid < s) {
      sum[tid] += sum[tid + s];
    }
    __syncthreads();  // this half is complete
  }
  if (tid == 0) sums[blockIdx.x] = sum[0];
}

int main() {
  const int count = 5000, blocks = (count + kThreads - 1) / kThreads;
  std::vector<int> values(count), sums(blocks);
  int expected = 0;
  for (int i = 0; i < count; ++i) {
    values[i] = i * 7 % 31;
    expected += values[i];
  }
  int *d_values, *d_sums;
  cudaMalloc(&d_values, count * sizeof(int));
  cudaMalloc(&d_sums, blocks * sizeof(int));
  cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  sum_kernel<<<blocks, kThreads>>>(d_values, count, d_sums);
  cudaMemcpy(sums.data(), d_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  int total = 0;
  for (int sum : sums) total += sum;
  std::printf("sum %d, expected %d\n", total, expected);
  cudaFree(d_values);
  cudaFree(d_sums);
  return total != expected;
}

// BUG no_barrier_in_loop
// - __syncthreads();  // this half is complete
// +
// ! with no __syncthreads() or __syncwarp() since another thread
// @ sum[tid] += sum[tid + s];

// BUG no_barrier_before_loop
// - __syncthreads();  // all elements are there
// +
// ! reads sum
// ! with no __syncthreads() since another thread wrote it
// @ sum[tid] += sum[tid + s];

// BUG divergent_barrier
// - sum[tid] += sum[tid + s];
// - }
// - __syncthreads();  // this half is complete
// + sum[tid] += sum[tid + s];
// + __syncthreads();  // only some come
// + }
// ! waits at __syncthreads() with 63 others, but 64 have exited
// @ only some come

// BUG no_guard
// - sum[tid] = i < count ? values[i] : 0;
// + sum[tid] = values[i];
// ! out of bounds
// @ sum[tid] = values[i];

// BUG too_few_blocks
// - (count + kThreads - 1) / kThreads
// + count / kThreads
// ! wrong result

// BUG more_shared_memory_than_there_is
// - __shared__ int sum[kThreads];
// + __shared__ int sum[kThreads * 100];
// ! 48 KB
// @ __shared__ int sum[kThreads * 100];
