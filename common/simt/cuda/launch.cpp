// Launches: the limits of CUDA, then all blocks, then what was found.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "common/simt/cuda/cuda.h"
#include "common/simt/execution/execution.h"
#include "common/simt/memory/memory.h"
#include "common/simt/reports/reports.h"

namespace simt {
namespace {

std::map<const void*, size_t> shared_limits;  // set by cudaFuncSetAttribute
uint32_t serial = 0;
LaunchShape shape;

size_t shared_limit(const LaunchConfig& config) {
  const auto found = shared_limits.find(config.kernel);
  return found == shared_limits.end() ? kStaticSharedLimit : found->second;
}

cudaError_t check(const LaunchConfig& config) {
  const dim3 g = config.grid, b = config.block;
  if (config.stream != nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  if (g.x == 0 || g.y == 0 || g.z == 0 || b.x == 0 || b.y == 0 || b.z == 0) {
    return cudaErrorInvalidConfiguration;
  }
  if (g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535) {
    return cudaErrorInvalidConfiguration;
  }
  if (b.x > 1024 || b.y > 1024 || b.z > 64 || uint64_t(b.x) * b.y * b.z > 1024) {
    return cudaErrorInvalidConfiguration;
  }
  return config.dynamic_shared > shared_limit(config) ? cudaErrorInvalidValue : cudaSuccess;
}

// The kernels are compiled with fused multiply-adds: without them the process would just die.
void check_processor() {
  static const bool fits = __builtin_cpu_supports("fma");
  if (!fits) {
    std::fprintf(stderr, "the CPU backend needs a processor with FMA3 (2013 or newer)\n");
    std::exit(3);
  }
}

std::unique_ptr<Observer> observe(Worker& worker) {
  return std::make_unique<Recorder>(worker);
}

}  // namespace

void launch(const LaunchConfig& config, void (*thread)(void*), void* arguments) {
  if (Worker::current() != nullptr) {
    std::fprintf(stderr, "the CPU backend does not support a kernel that launches a kernel\n");
    std::_Exit(3);
  }
  check_processor();
  const cudaError_t status = check(config);
  if (status != cudaSuccess) {
    remember(status);
    return;
  }
  Launch state;
  state.config = config;
  state.thread = thread;
  state.arguments = arguments;
  state.blocks = uint64_t(config.grid.x) * config.grid.y * config.grid.z;
  state.serial = ++serial;
  const int limit = worker_limit();
  const int count = state.blocks < uint64_t(limit) ? int(state.blocks) : limit;
  Collector collector(state);
  run_on_workers(count, observe, [&](Worker& worker) {
    worker.begin(state);
    for (uint64_t block; (block = state.next++) < state.blocks;) {
      worker.run_block(block);
    }
    collector.add(worker);
    worker.end();
  });
  Arena::get().settle();
  const bool failed = collector.finish();
  shape.known = true;
  shape.grid = config.grid;
  shape.block = config.block;
  shape.shared_bytes = collector.static_shared() + config.dynamic_shared;
  if (failed) {
    remember(cudaErrorLaunchFailure);
  }
}

LaunchShape last_shape() {
  return shape;
}

void* dynamic_shared() {
  return Worker::current()->dynamic_shared();
}

cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    return cudaSuccess;  // a hint
  }
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      size_t(value) > kSharedLimit) {
    return remember(cudaErrorInvalidValue);
  }
  shared_limits[kernel] = size_t(value) > kStaticSharedLimit ? size_t(value) : kStaticSharedLimit;
  return cudaSuccess;
}

}  // namespace simt
