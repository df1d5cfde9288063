// A sum with cooperative groups: tiles of 16 threads reduce by shuffles, the block's tiles by shared memory.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
constexpr int kThreads = 128, kTile = 16;

__global__ void sum_kernel(const int* values, int count, int* result) {
  __shared__ int sums[kThreads / kTile];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<kTile> tile = cg::tiled_partition<kTile>(block);
  const int i = blockIdx.x * kThreads + block.thread_rank();
  int sum = i < count ? values[i] : 0;
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) {
    sum += tile.shfl_down(sum, offset);
  }
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    int total = 0;
    for (int part : sums) total += part;
    atomicAdd(result, total);
  }
}

int main() {
  const int count = 2500;
  std::vector<int> values(count);
  int expected = 0, result = 0;
  for (int i = 0; i < count; ++i) {
    values[i] = i % 19 - 5;
    expected += values[i];
  }
  int *d_values, *d_result;
  cudaMalloc(&d_values, count * sizeof(int));
  cudaMalloc(&d_result, sizeof(int));
  cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_result, 0, sizeof(int));
  sum_kernel<<<(count + kThreads - 1) / kThreads, kThreads>>>(d_values, count, d_result);
  cudaMemcpy(&result, d_result, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sum %d, expected %d\n", result, expected);
  cudaFree(d_values);
  cudaFree(d_result);
  return result != expected;
}

// BUG no_block_sync
// - block.sync();
// +
// ! sums
// @ for (int part : sums) total += part;

// BUG tile_of_a_warp
// - sums[tile.meta_group_rank()] = sum;
// + sums[block.thread_rank() / 32] = sum;
// ! which no thread of this block has written
// @ for (int part : sums) total += part;

// BUG part_of_a_tile
// - sum += tile.shfl_down(sum, offset);
// + if (tile.thread_rank() < offset) sum += tile.shfl_down(sum, offset);
// ! do not arrive
// @ if (tile.thread_rank() < offset) sum += tile.shfl_down(sum, offset);
