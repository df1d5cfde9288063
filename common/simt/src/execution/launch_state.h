// A kernel launch while it runs: shared by the workers that run its blocks.
#pragma once
#include <atomic>
#include <cstdint>

#include "simt/api/launch_config.h"

namespace simt {

constexpr size_t kStaticSharedLimit = size_t(48) * 1024;
constexpr size_t kSharedLimit = size_t(227) * 1024;  // with cudaFuncSetAttribute

constexpr size_t kMostPrinted = size_t(1)
                                << 20;  // bytes that the printf() of a launch may fill, as on a GPU

// The same, or less where SIMT_SHARED_KB says so.
size_t shared_limit();

struct Launch {
  LaunchConfig config;
  void (*thread)(void*);
  void* arguments;
  uint64_t blocks, clusters;  // without clusters, each block is one
  uint32_t serial;  // of this process
  uint32_t grid_phase = 0;  // how often all threads of a cooperative launch have met
  bool alone = false;  // a single OS thread runs it, even if threads wait for other blocks
  std::atomic<uint64_t> next{0};  // cluster
  std::atomic<uint64_t> steps{0};  // of warps that do more than poll
  // The lowest block that would never end. Results of later blocks depend on scheduling and are not reported.
  std::atomic<uint64_t> endless{~uint64_t(0)};

  // Starts no further block.
  void stop_after(uint64_t block) {
    for (uint64_t old = endless; block < old && !endless.compare_exchange_weak(old, block);) {
    }
    next = blocks;
  }
};

inline uint64_t volume(dim3 extent) {
  return uint64_t(extent.x) * extent.y * extent.z;
}

// The thread's coordinates in an extent of this size, x fastest.
inline uint3 unflatten(uint64_t i, dim3 extent) {
  return {unsigned(i % extent.x), unsigned(i / extent.x % extent.y),
          unsigned(i / extent.x / extent.y)};
}

// The other way round.
inline uint64_t flatten(uint3 at, dim3 extent) {
  return (uint64_t(at.z) * extent.y + at.y) * extent.x + at.x;
}

}  // namespace simt
