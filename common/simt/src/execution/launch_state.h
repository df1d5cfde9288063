// The state of a running kernel launch. The workers that run its blocks share it.
#pragma once
#include <atomic>
#include <cstdint>

#include "simt/api/launch_config.h"

namespace simt {

constexpr size_t kStaticSharedLimit = size_t(48) * 1024;
constexpr size_t kSharedLimit = size_t(227) * 1024;  // with cudaFuncSetAttribute

constexpr size_t kMostPrinted = size_t(1)
                                << 20;  // bytes of printf() output per launch, as on a GPU

// kSharedLimit, or less if SIMT_SHARED_KB is set. In bytes.
size_t shared_limit();

struct Launch {
  LaunchConfig config;
  void (*thread)(void*);
  void* arguments;
  uint64_t blocks, clusters;  // without clusters, each block counts as one
  uint32_t serial;  // number of the launch in this process
  size_t static_shared = 0;  // bytes of the kernel's own __shared__ arrays
  uint32_t grid_phase = 0;  // barriers of a cooperative grid that all threads have passed
  bool alone = false;  // one OS thread runs all blocks, even if threads wait for other blocks
  std::atomic<uint64_t> next{0};  // the next cluster to start
  std::atomic<uint64_t> steps{0};  // runs of warps that did more than poll
  // The lowest block that would never end. Later blocks are not reported, as their results depend on scheduling.
  std::atomic<uint64_t> endless{~uint64_t(0)};

  // Starts no more blocks, and discards the results of blocks after this one.
  void stop_after(uint64_t block) {
    for (uint64_t old = endless; block < old && !endless.compare_exchange_weak(old, block);) {
    }
    next = blocks;
  }
};

inline uint64_t volume(dim3 extent) {
  return uint64_t(extent.x) * extent.y * extent.z;
}

// Returns the coordinates of index i in an extent, x fastest.
inline uint3 unflatten(uint64_t i, dim3 extent) {
  return {unsigned(i % extent.x), unsigned(i / extent.x % extent.y),
          unsigned(i / extent.x / extent.y)};
}

// The inverse of unflatten().
inline uint64_t flatten(uint3 at, dim3 extent) {
  return (uint64_t(at.z) * extent.y + at.y) * extent.x + at.x;
}

}  // namespace simt
