// The occupancy functions that take the kernel itself.
#pragma once
#include "simt/api/occupancy.h"

template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel kernel, int threads,
                                                          size_t dynamic) {
  return simt::count_resident_blocks(blocks, (const void*)kernel, threads, dynamic);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel kernel,
                                                                   int threads, size_t dynamic,
                                                                   unsigned) {
  return simt::count_resident_blocks(blocks, (const void*)kernel, threads, dynamic);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, Kernel kernel,
                                           const cudaLaunchConfig_t* config) {
  return simt::count_resident_clusters(clusters, (const void*)kernel, config);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, Kernel kernel,
                                                 const cudaLaunchConfig_t* config) {
  return simt::find_largest_cluster(size, (const void*)kernel, config);
}
template <typename Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, Kernel kernel, int blocks,
                                                      int threads) {
  return simt::find_dynamic_shared(bytes, (const void*)kernel, blocks, threads);
}

// The block size with the most resident threads on a multiprocessor (the largest of equal ones), and the number of
// blocks that fill the device. dynamic_of(threads): a block's dynamic shared memory.
template <typename Function, typename Kernel>
static cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block,
                                                                  Kernel kernel,
                                                                  Function dynamic_of,
                                                                  int limit = 0) {
  const void* const address = (const void*)kernel;
  int best = 0;
  for (int n = (simt::most_threads_of(address, limit) + 31) / 32 * 32; n > 0; n -= 32) {
    const int most = simt::most_threads_of(address, limit);
    const int threads = n < most ? n : most;
    int blocks = 0;
    const cudaError_t status =
        simt::count_resident_blocks(&blocks, address, threads, dynamic_of(threads));
    if (status != cudaSuccess) return status;
    if (blocks * threads > best) {
      best = blocks * threads;
      *grid = blocks * simt::multiprocessor_count();
      *block = threads;
    }
  }
  return best != 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}
template <typename Function, typename Kernel>
static cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* grid, int* block, Kernel kernel, Function dynamic_of, int limit = 0, unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, dynamic_of, limit);
}
template <typename Kernel>
static cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel kernel,
                                                      size_t dynamic = 0, int limit = 0) {
  struct Same {
    size_t bytes;
    size_t operator()(int) const { return bytes; }
  };
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, Same{dynamic}, limit);
}
template <typename Kernel>
static cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, Kernel kernel,
                                                               size_t dynamic = 0, int limit = 0,
                                                               unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, dynamic, limit);
}
