// Occupancy: the number of resident blocks per multiprocessor, and what CUDA derives from it.
#include "simt/api/occupancy.h"

#include <algorithm>

#include "device/device.h"
#include "execution/execution.h"
#include "program/program.h"
#include "simt/api/device.h"

namespace simt {
namespace {

constexpr size_t kSharedUnit = 128;  // bytes: granularity of a block's shared memory

cudaDeviceProp properties_now() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, current_device());
  return properties;
}

int warps_in(int threads) {
  return (threads + 31) / 32;
}

}  // namespace

cudaError_t count_resident_blocks(int* blocks, const void* kernel, int threads, size_t dynamic) {
  if (blocks == nullptr || threads < 1) return remember(cudaErrorInvalidValue);
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  const cudaDeviceProp device = properties_now();
  const size_t requested = limits_of(kernel).static_shared + dynamic;
  const size_t shared = (requested + kSharedUnit - 1) / kSharedUnit * kSharedUnit;
  if (threads > most_threads_of(kernel, 0) || shared > device.sharedMemPerBlockOptin) {
    *blocks = 0;
    return cudaSuccess;
  }
  const int by_threads = device.maxThreadsPerMultiProcessor / 32 / warps_in(threads);
  const size_t by_shared =
      device.sharedMemPerMultiprocessor / (shared + device.reservedSharedMemPerBlock);
  *blocks = std::min({device.maxBlocksPerMultiProcessor, by_threads, int(by_shared)});
  return cudaSuccess;
}

cudaError_t count_resident_clusters(int* clusters, const void* kernel,
                                    const cudaLaunchConfig_t* config) {
  LaunchConfig read{};
  cudaError_t status = read_config(config, kernel, &read);
  if (clusters == nullptr || status != cudaSuccess) {
    return status != cudaSuccess ? status : remember(cudaErrorInvalidValue);
  }
  int blocks = 0;
  status = count_resident_blocks(&blocks, kernel, int(volume(read.block)), read.dynamic_shared);
  const dim3 stated = limits_of(kernel).cluster;
  const dim3 cluster = stated.x != 0 ? stated : read.cluster;
  *clusters = int(uint64_t(blocks) * uint64_t(multiprocessor_count()) / volume(cluster));
  return status;
}

cudaError_t find_largest_cluster(int* size, const void* kernel, const cudaLaunchConfig_t* config) {
  LaunchConfig read{};
  const cudaError_t status = read_config(config, kernel, &read);
  if (size == nullptr || status != cudaSuccess) {
    return status != cudaSuccess ? status : remember(cudaErrorInvalidValue);
  }
  *size = int(most_in_cluster(kernel));
  return cudaSuccess;
}

cudaError_t find_dynamic_shared(size_t* bytes, const void* kernel, int blocks, int threads) {
  if (bytes == nullptr || blocks < 1 || threads < 1) return remember(cudaErrorInvalidValue);
  int without = 0;
  const cudaError_t status = count_resident_blocks(&without, kernel, threads, 0);
  if (status != cudaSuccess || without < blocks) {
    return status != cudaSuccess ? status : remember(cudaErrorInvalidValue);
  }
  const cudaDeviceProp device = properties_now();
  const size_t each =
      device.sharedMemPerMultiprocessor / size_t(blocks) / kSharedUnit * kSharedUnit -
      device.reservedSharedMemPerBlock;
  const size_t own = limits_of(kernel).static_shared;
  *bytes = std::min(each, device.sharedMemPerBlockOptin);
  *bytes -= std::min(*bytes, own);
  return cudaSuccess;
}

int most_threads_of(const void* kernel, int limit) {
  const unsigned stated = limits_of(kernel).most_threads;
  const int most = stated != 0 ? std::min(int(stated), 1024) : 1024;
  return limit > 0 ? std::min(limit, most) : most;
}

}  // namespace simt
