// A histogram with a private copy in the shared memory of each block.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBins = 100, kThreads = 64;

__global__ void histogram_kernel(const int* values, int count, int* bins) {
  __shared__ int mine[kBins];
  for (int bin = threadIdx.x; bin < kBins; bin += kThreads) mine[bin] = 0;
  __syncthreads();  // all bins are empty
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) {
    atomicAdd(&mine[values[i]], 1);
  }
  __syncthreads();  // all elements are counted
  for (int bin = threadIdx.x; bin < kBins; bin += kThreads) {
    atomicAdd(&bins[bin], mine[bin]);
  }
}

int main() {
  const int count = 4000;
  std::vector<int> values(count), expected(kBins), bins(kBins);
  for (int i = 0; i < count; ++i) {
    values[i] = i * 31 % 97 + i % 4;
    ++expected[values[i]];
  }
  int *d_values, *d_bins;
  cudaMalloc(&d_values, count * sizeof(int));
  cudaMalloc(&d_bins, kBins * sizeof(int));
  cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, kBins * sizeof(int));
  histogram_kernel<<<6, kThreads>>>(d_values, count, d_bins);
  cudaMemcpy(bins.data(), d_bins, kBins * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int bin = 0; bin < kBins; ++bin) wrong += bins[bin] != expected[bin];
  std::printf("%d wrong bins\n", wrong);
  cudaFree(d_values);
  cudaFree(d_bins);
  return wrong != 0;
}

// BUG only_the_first_bins_cleared
// - for (int bin = threadIdx.x; bin < kBins; bin += kThreads) mine[bin] = 0;
// + mine[threadIdx.x] = 0;
// ! mine
// ! which no thread of this block has written
// @ atomicAdd(&mine[values[i]], 1);

// BUG no_barrier_behind_clearing
// - __syncthreads();  // all bins are empty
// +
// ! mine
// ! with no __syncthreads()
// @ atomicAdd(&mine[values[i]], 1);

// BUG no_barrier_behind_counting
// - __syncthreads();  // all elements are counted
// +
// ! mine
// ! with no __syncthreads()
// @ atomicAdd(&bins[bin], mine[bin]);

// BUG value_beyond_the_bins
// - values[i] = i * 31 % 97 + i % 4;
// - ++expected[values[i]];
// + values[i] = i * 31 % 97 + i % 5;
// + ++expected[values[i] % kBins];
// ! outside of all shared arrays, at mine + 400 bytes
// @ atomicAdd(&mine[values[i]], 1);

// BUG merged_without_atomics
// - atomicAdd(&bins[bin], mine[bin]);
// + bins[bin] += mine[bin];
// ! which another thread stores as well
// @ bins[bin] += mine[bin];
