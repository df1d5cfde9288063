// A sum in one cooperative launch of all blocks that the device has room for: they meet at a barrier of the grid, then the
// first adds up their sums.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
constexpr int kThreads = 64;

__global__ void sum_kernel(const int* values, int count, int* sums, int* result) {
  __shared__ int sum;
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int i = grid.thread_rank(); i < count; i += grid.size()) atomicAdd(&sum, values[i]);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) total += sums[block];
    *result = total;
  }
}

int main() {
  int count = 9000, expected = 0, result = 0, blocks = 0;
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_kernel, kThreads, 0);
  blocks *= device.cooperativeLaunch ? device.multiProcessorCount : 0;
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) {
    values[i] = i * i % 37;
    expected += values[i];
  }
  int *d_values, *d_sums, *d_result;
  cudaMalloc(&d_values, count * sizeof(int));
  cudaMalloc(&d_sums, blocks * sizeof(int));
  cudaMalloc(&d_result, sizeof(int));
  cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  void* arguments[] = {&d_values, &count, &d_sums, &d_result};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(sum_kernel), dim3(blocks), dim3(kThreads),
                              arguments, 0, nullptr);
  cudaMemcpy(&result, d_result, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sum %d, expected %d\n", result, expected);
  cudaFree(d_values);
  cudaFree(d_sums);
  cudaFree(d_result);
  return result != expected;
}

// BUG no_grid_sync
// - grid.sync();
// +
// ! another block
// @ if (threadIdx.x == 0) sums[blockIdx.x] = sum;

// BUG block_barrier_instead
// - grid.sync();
// + __syncthreads();
// ! another block
// @ if (threadIdx.x == 0) sums[blockIdx.x] = sum;

// BUG not_all_blocks_come
// - grid.sync();
// + if (blockIdx.x != 1) grid.sync();
// ! grid
// @ if (blockIdx.x != 1) grid.sync();
