// Scan of a whole array in one launch: each block waits for the sum of all before it, which its predecessor publishes.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64;

struct Tail {
  int published;  // how much is there: 0 or 1
  int sum;  // of all blocks up to this one
};

__global__ void scan_kernel(const int* values, int* sums, volatile Tail* tails, int* next_block) {
  __shared__ int scan[kThreads];
  __shared__ int block, before;
  const int tid = threadIdx.x;
  if (tid == 0) block = atomicAdd(next_block, 1);  // in the order in which blocks begin
  __syncthreads();
  const int i = block * kThreads + tid;
  scan[tid] = values[i];
  __syncthreads();
  for (int offset = 1; offset < kThreads; offset *= 2) {
    const int other = tid >= offset ? scan[tid - offset] : 0;
    __syncthreads();  // all have read
    scan[tid] += other;
    __syncthreads();  // all have written
  }
  if (tid == 0) {
    before = 0;
    if (block > 0) {
      while (tails[block - 1].published == 0) {
      }
      __threadfence();  // acquires
      before = tails[block - 1].sum;
    }
    tails[block].sum = before + scan[kThreads - 1];
    __threadfence();  // the sum is there before it is published
    tails[block].published = 1;
  }
  __syncthreads();  // all know what comes before
  sums[i] = before + scan[tid];
}

int main() {
  const int blocks = 9, count = blocks * kThreads, bytes = count * sizeof(int);
  std::vector<int> values(count), sums(count);
  for (int i = 0; i < count; ++i) values[i] = i * 3 % 29 - 7;
  int *d_values, *d_sums, *d_next;
  Tail* d_tails;
  cudaMalloc(&d_values, bytes);
  cudaMalloc(&d_sums, bytes);
  cudaMalloc(&d_next, sizeof(int));
  cudaMalloc(&d_tails, blocks * sizeof(Tail));
  cudaMemcpy(d_values, values.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(d_next, 0, sizeof(int));
  cudaMemset(d_tails, 0, blocks * sizeof(Tail));
  scan_kernel<<<blocks, kThreads>>>(d_values, d_sums, d_tails, d_next);
  cudaMemcpy(sums.data(), d_sums, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0, sum = 0; i < count; ++i) wrong += sums[i] != (sum += values[i]);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_values);
  cudaFree(d_sums);
  cudaFree(d_next);
  cudaFree(d_tails);
  return wrong != 0;
}

// BUG no_fence_before_publishing
// - __threadfence();  // the sum is there before it is published
// +
// ! which another block has published with no __threadfence()
// @ before = tails[block - 1].sum;

// BUG never_published
// - tails[block].published = 1;
// +
// ! waits for a value that no thread writes: an endless loop?
// @ while (tails[block - 1].published == 0) {

// BUG read_barrier_left_out
// - __syncthreads();  // all have read
// +
// ! scan
// ! with no __syncthreads() or __syncwarp() since another thread
// @ scan[tid] += other;

// MISSED does_not_wait
// - while (tails[block - 1].published == 0) {
// - }
// +
// ! another block
// @ before = tails[block - 1].sum;

// BUG tails_not_cleared
// - cudaMemset(d_tails, 0, blocks * sizeof(Tail));
// +
// ! which no copy and no earlier launch has initialised
// @ while (tails[block - 1].published == 0) {
