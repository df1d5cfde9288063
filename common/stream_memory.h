// Device memory for the time of one call, in the order of the default stream: nobody waits for it.
#pragma once
#include <map>
#include <memory>
#include <mutex>

#include "common/lesson.h"

struct FreeAsync {
  void operator()(void* memory) const { cudaFreeAsync(memory, 0); }
};

// Freed with its owner, also where an exception ends the call. Kernels launched before that may still use it.
template <typename T>
using StreamMemory = std::unique_ptr<T[], FreeAsync>;

// The current device's pool for such memory. It keeps what is freed for the next call, and is not the default pool, of
// which the rest of the process would notice that. Throws DeviceError.
inline cudaMemPool_t stream_pool() {
  static std::mutex mutex;
  static std::map<int, cudaMemPool_t> pools;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  CUDA_CHECK(cudaGetDevice(&properties.location.id));
  const std::lock_guard<std::mutex> lock(mutex);
  cudaMemPool_t& pool = pools[properties.location.id];
  if (pool == nullptr) {
    uint64_t keep = UINT64_MAX;
    CUDA_CHECK(cudaMemPoolCreate(&pool, &properties));
    CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  }
  return pool;
}

// count > 0 elements, not initialised, aligned to 256 bytes. Throws DeviceError.
template <typename T>
StreamMemory<T> allocate_async(int64_t count) {
  T* memory;
  CUDA_CHECK(cudaMallocFromPoolAsync(&memory, count * sizeof(T), stream_pool(), 0));
  return StreamMemory<T>(memory);
}
