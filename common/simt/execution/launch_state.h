// A kernel launch while it runs: shared by the workers that run its blocks.
#pragma once
#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace simt {

constexpr size_t kStaticSharedLimit = 48 * 1024;
constexpr size_t kSharedLimit = 227 * 1024;  // with cudaFuncSetAttribute

struct Launch {
  LaunchConfig config;
  void (*thread)(void*);
  void* arguments;
  uint64_t blocks;
  uint32_t serial;  // of this process
  std::atomic<uint64_t> next{0};
};

// The thread's coordinates in an extent of this size, x fastest.
inline uint3 unflatten(uint64_t i, dim3 extent) {
  return {unsigned(i % extent.x), unsigned(i / extent.x % extent.y),
          unsigned(i / extent.x / extent.y)};
}

}  // namespace simt
