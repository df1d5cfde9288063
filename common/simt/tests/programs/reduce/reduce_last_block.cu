// A sum in one launch: the block that is the last to finish adds up the results of all blocks.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kBlocks = 12;

__device__ unsigned block_sum(unsigned value, unsigned* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int s = kThreads / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) shared[threadIdx.x] += shared[threadIdx.x + s];
    __syncthreads();
  }
  return shared[0];
}

__global__ void sum_kernel(const unsigned* values, int count, volatile unsigned* sums,
                           unsigned* finished) {
  __shared__ unsigned shared[kThreads];
  __shared__ bool last;
  unsigned mine = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += kThreads * kBlocks) {
    mine += values[i];
  }
  const unsigned sum = block_sum(mine, shared);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();  // the sum is there before the counter tells of it
    last = atomicAdd(finished, 1u) == kBlocks - 1;
  }
  __syncthreads();  // all know whether this block is the last
  if (last) {
    const unsigned part = threadIdx.x < kBlocks ? sums[threadIdx.x] : 0;
    const unsigned total = block_sum(part, shared);
    if (threadIdx.x == 0) sums[0] = total;  // in place of the first block's
  }
}

int main() {
  const int count = 3333;
  std::vector<unsigned> values(count);
  unsigned expected = 0, result = 0;
  for (int i = 0; i < count; ++i) {
    values[i] = i % 101;
    expected += values[i];
  }
  unsigned *d_values, *d_sums, *d_finished;
  cudaMalloc(&d_values, count * sizeof(unsigned));
  cudaMalloc(&d_sums, kBlocks * sizeof(unsigned));
  cudaMalloc(&d_finished, sizeof(unsigned));
  cudaMemcpy(d_values, values.data(), count * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(d_finished, 0, sizeof(unsigned));
  sum_kernel<<<kBlocks, kThreads>>>(d_values, count, d_sums, d_finished);
  cudaMemcpy(&result, d_sums, sizeof(unsigned), cudaMemcpyDeviceToHost);
  std::printf("sum %u, expected %u\n", result, expected);
  cudaFree(d_values);
  cudaFree(d_sums);
  cudaFree(d_finished);
  return result != expected;
}

// BUG no_fence
// - __threadfence();  // the sum is there before the counter tells of it
// +
// ! __threadfence
// @ const unsigned part = threadIdx.x < kBlocks ? sums[threadIdx.x] : 0;

// BUG counter_not_cleared
// - cudaMemset(d_finished, 0, sizeof(unsigned));
// +
// ! which no copy and no earlier launch has initialised
// @ last = atomicAdd(finished, 1u) == kBlocks - 1;

// BUG each_block_is_the_last
// - last = atomicAdd(finished, 1u) == kBlocks - 1;
// + last = atomicAdd(finished, 1u) < kBlocks;
// ! which no copy and no earlier launch has initialised
// @ const unsigned part = threadIdx.x < kBlocks ? sums[threadIdx.x] : 0;

// BUG no_barrier_before_last
// - __syncthreads();  // all know whether this block is the last
// +
// ! last
// @ if (last) {

// BUG the_first_too
// - if (threadIdx.x == 0) sums[0] = total;  // in place of the first block's
// + if (threadIdx.x == 0) sums[0] = total;
// + }
// + if (blockIdx.x < 2 && threadIdx.x == 0) {
// + sums[1] = 0;
// ! which another thread stores as well
