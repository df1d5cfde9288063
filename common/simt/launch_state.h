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

// The last launch of this process that could start.
struct LaunchShape {
  bool known = false;
  dim3 grid, block;
  size_t shared_bytes = 0;  // static and dynamic
};
LaunchShape last_shape();

// The thread's coordinates in an extent of this size, x fastest.
inline uint3 unflatten(uint64_t i, dim3 extent) {
  return {unsigned(i % extent.x), unsigned(i / extent.x % extent.y),
          unsigned(i / extent.x / extent.y)};
}

}  // namespace simt
