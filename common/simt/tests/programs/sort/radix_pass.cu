// Radix sort with 2 bits a pass: counts of each block, a scan of them on the host, and a stable scatter.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int kThreads = 64, kBlocks = 4, kCount = kThreads * kBlocks, kDigits = 4;

__device__ int digit_of(unsigned value, int shift) {
  return value >> shift & (kDigits - 1);
}

__global__ void count_kernel(const unsigned* values, int shift, int* counts) {
  __shared__ int mine[kDigits];
  if (threadIdx.x < kDigits) mine[threadIdx.x] = 0;
  __syncthreads();  // the counts are empty
  atomicAdd(&mine[digit_of(values[blockIdx.x * kThreads + threadIdx.x], shift)], 1);
  __syncthreads();  // all are counted
  if (threadIdx.x < kDigits) counts[threadIdx.x * kBlocks + blockIdx.x] = mine[threadIdx.x];
}

__global__ void scatter_kernel(const unsigned* from, unsigned* to, int shift, const int* starts) {
  __shared__ int digits[kThreads];
  const unsigned value = from[blockIdx.x * kThreads + threadIdx.x];
  const int digit = digit_of(value, shift);
  digits[threadIdx.x] = digit;
  __syncthreads();  // all digits are there
  int before = 0;
  for (int i = 0; i < threadIdx.x; ++i) {
    before += digits[i] == digit;
  }
  to[starts[digit * kBlocks + blockIdx.x] + before] = value;
}

int main() {
  const int bytes = kCount * sizeof(unsigned);
  std::vector<unsigned> values(kCount), sorted(kCount);
  std::vector<int> counts(kDigits * kBlocks);
  for (int i = 0; i < kCount; ++i) values[i] = unsigned(i) * 193 % 256;
  unsigned *d_from, *d_to;
  int* d_counts;
  cudaMalloc(&d_from, bytes);
  cudaMalloc(&d_to, bytes);
  cudaMalloc(&d_counts, counts.size() * sizeof(int));
  cudaMemcpy(d_from, values.data(), bytes, cudaMemcpyHostToDevice);
  for (int shift = 0; shift < 8; shift += 2) {
    count_kernel<<<kBlocks, kThreads>>>(d_from, shift, d_counts);
    cudaMemcpy(counts.data(), d_counts, counts.size() * sizeof(int), cudaMemcpyDeviceToHost);
    int start = 0;
    for (int& count : counts) {
      const int next = start + count;
      count = start;
      start = next;
    }
    cudaMemcpy(d_counts, counts.data(), counts.size() * sizeof(int), cudaMemcpyHostToDevice);
    scatter_kernel<<<kBlocks, kThreads>>>(d_from, d_to, shift, d_counts);
    std::swap(d_from, d_to);
  }
  cudaMemcpy(sorted.data(), d_from, bytes, cudaMemcpyDeviceToHost);
  std::sort(values.begin(), values.end());
  std::printf("%s\n", sorted == values ? "right" : "wrong");
  cudaFree(d_from);
  cudaFree(d_to);
  cudaFree(d_counts);
  return sorted != values;
}

// BUG counted_without_atomics
// - atomicAdd(&mine[digit_of(values[blockIdx.x * kThreads + threadIdx.x], shift)], 1);
// + ++mine[digit_of(values[blockIdx.x * kThreads + threadIdx.x], shift)];
// ! mine
// ! or use an atomic operation
// @ ++mine[digit_of(values[blockIdx.x * kThreads + threadIdx.x], shift)];

// BUG digits_without_barrier
// - __syncthreads();  // all digits are there
// +
// ! digits
// ! with no __syncthreads() or __syncwarp() since another thread
// @ before += digits[i] == digit;

// BUG counts_by_block
// - starts[digit * kBlocks + blockIdx.x]
// + starts[blockIdx.x * kDigits + digit]
// ! wrong result

// BUG counts_instead_of_starts
// - cudaMemcpy(d_counts, counts.data(), counts.size() * sizeof(int), cudaMemcpyHostToDevice);
// +
// ! which another thread stores as well
// @ to[starts[digit * kBlocks + blockIdx.x] + before] = value;
