// Keeps the elements that are odd, in their order: counts a warp's by votes, a block's by shared memory, then writes.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 128, kWarps = kThreads / 32;

__device__ int place_in_block(bool keep, int* warp_counts, int& total) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned votes = __ballot_sync(0xffffffffu, keep);
  if (lane == 0) warp_counts[warp] = __popc(votes);
  __syncthreads();  // the counts are there
  int place = __popc(votes & ((1u << lane) - 1));
  total = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) place += warp_counts[w];
    total += warp_counts[w];
  }
  return place;
}

__global__ void count_kernel(const int* values, int* counts) {
  __shared__ int warp_counts[kWarps];
  int total;
  place_in_block(values[blockIdx.x * kThreads + threadIdx.x] % 2 != 0, warp_counts, total);
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

__global__ void write_kernel(const int* values, const int* starts, int* kept) {
  __shared__ int warp_counts[kWarps];
  const int value = values[blockIdx.x * kThreads + threadIdx.x];
  const bool keep = value % 2 != 0;
  int total;
  const int place = place_in_block(keep, warp_counts, total);
  if (keep) kept[starts[blockIdx.x] + place] = value;
}

int main() {
  const int blocks = 6, count = blocks * kThreads;
  std::vector<int> values(count), counts(blocks), expected;
  for (int i = 0; i < count; ++i) {
    values[i] = (i * 37 + i / 5) % 1001;
    if (values[i] % 2 != 0) expected.push_back(values[i]);
  }
  int *d_values, *d_counts, *d_kept;
  cudaMalloc(&d_values, count * sizeof(int));
  cudaMalloc(&d_counts, blocks * sizeof(int));
  cudaMalloc(&d_kept, expected.size() * sizeof(int));
  cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  count_kernel<<<blocks, kThreads>>>(d_values, d_counts);
  cudaMemcpy(counts.data(), d_counts, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  for (int block = 0, sum = 0; block < blocks; ++block) {
    const int start = sum;
    sum += counts[block];
    counts[block] = start;
  }
  cudaMemcpy(d_counts, counts.data(), blocks * sizeof(int), cudaMemcpyHostToDevice);
  write_kernel<<<blocks, kThreads>>>(d_values, d_counts, d_kept);
  std::vector<int> kept(expected.size());
  cudaMemcpy(kept.data(), d_kept, kept.size() * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%zu kept\n", kept.size());
  cudaFree(d_values);
  cudaFree(d_counts);
  cudaFree(d_kept);
  return kept != expected;
}

// BUG vote_in_a_branch
// - const unsigned votes = __ballot_sync(0xffffffffu, keep);
// + unsigned votes = 0;
// + if (keep) votes = __ballot_sync(0xffffffffu, keep);
// ! do not arrive
// @ if (keep) votes = __ballot_sync(0xffffffffu, keep);

// BUG counts_without_barrier
// - __syncthreads();  // the counts are there
// +
// ! warp_counts
// @ total += warp_counts[w];

// BUG counts_instead_of_starts
// - counts[block] = start;
// + counts[block] = sum;
// ! out of bounds
// @ if (keep) kept[starts[blockIdx.x] + place] = value;

// BUG starts_forgotten
// - kept[starts[blockIdx.x] + place] = value;
// + kept[place] = value;
// ! which another thread stores as well
// @ if (keep) kept[place] = value;
