// Kernel launches: checks CUDA's limits, runs all blocks, and collects the results.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"
#include "execution/execution.h"
#include "host/host.h"
#include "memory/memory.h"
#include "program/program.h"
#include "races/races.h"
#include "reports/reports.h"
#include "simt/api/launch_config.h"
#include "simt/api/streams.h"
#include "simt/api/threads.h"

namespace simt {
namespace {

LaunchShape shape;
std::string doubts;  // warnings about the last launch
std::vector<const void*> doubtful;  // their place: host_frames()

// Refuses a launch. CUDA returns only a code, so the reason goes to stderr.
cudaError_t refuse(const LaunchConfig& config, cudaError_t status, const std::string& why) {
  const std::string name = config.name != nullptr ? config.name : function_at(config.kernel).name;
  tell_host_error("the launch of " + name + " is refused: " + why);
  note_refusal();
  launch_is_over();
  return status;
}

// Checks the shared memory. static_bytes: the arrays of the kernel and of functions known to be called by it.
cudaError_t check_shared(const LaunchConfig& config, size_t static_bytes) {
  const size_t* const limit = dynamic_limit_of(config.kernel);
  const bool has_limit = limit != nullptr;
  const size_t dynamic = config.dynamic_shared, all = static_bytes + dynamic;
  if (static_bytes > kStaticSharedLimit) {
    return refuse(config, cudaErrorInvalidValue,
                  std::to_string(static_bytes) +
                      " bytes of static shared memory, but a block has at most 49152");
  }
  if (all > shared_limit() || (all > kStaticSharedLimit && !(has_limit && dynamic <= *limit))) {
    return refuse(config, cudaErrorInvalidValue,
                  std::to_string(static_bytes) + " bytes of static and " + std::to_string(dynamic) +
                      " of dynamic shared memory, but a block has at most " +
                      (has_limit && all <= shared_limit()
                           ? std::to_string(*limit) + " dynamic bytes by cudaFuncSetAttribute()"
                           : std::to_string(has_limit ? shared_limit() : kStaticSharedLimit) +
                                 (has_limit ? ""
                                            : " unless cudaFuncSetAttribute() raises this kernel's "
                                              "cudaFuncAttributeMaxDynamicSharedMemorySize")));
  }
  return cudaSuccess;
}

// Checks the launch against limits in the kernel's source. They are unknown if the compiler deduced the kernel's
// template arguments.
cudaError_t check_kernel(const LaunchConfig& config, size_t threads) {
  const KernelLimits limits = limits_of(config.kernel);
  if (limits.most_threads != 0 && threads > limits.most_threads) {
    return refuse(config, cudaErrorInvalidValue,
                  "blocks of " + std::to_string(threads) +
                      " threads, but its __launch_bounds__ say at most " +
                      std::to_string(limits.most_threads));
  }
  return check_shared(config, limits.static_shared);
}

// Checks the cluster's size, or sets it to the kernel's __cluster_dims__.
cudaError_t check_cluster(LaunchConfig& config) {
  const dim3 stated = limits_of(config.kernel).cluster;
  dim3& cluster = config.cluster;
  const auto text_of = [](dim3 d) {
    return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
  };
  if (stated.x != 0 && volume(cluster) == 1) {
    cluster = stated;
  }
  if (stated.x != 0 && (stated.x != cluster.x || stated.y != cluster.y || stated.z != cluster.z)) {
    return refuse(config, cudaErrorInvalidValue,
                  "clusters of " + text_of(cluster) + " blocks, but its __cluster_dims__ say " +
                      text_of(stated));
  }
  const unsigned most = most_in_cluster(config.kernel);
  if (volume(cluster) == 0 || volume(cluster) > most) {
    return refuse(config, cudaErrorInvalidClusterSize,
                  "clusters of " + text_of(cluster) + " blocks; there may be 1 to " +
                      std::to_string(most) + " together");
  }
  const dim3 g = config.grid;
  if (g.x % cluster.x != 0 || g.y % cluster.y != 0 || g.z % cluster.z != 0) {
    return refuse(config, cudaErrorInvalidConfiguration,
                  "a grid of " + text_of(g) +
                      " blocks, which is not a multiple of its clusters of " + text_of(cluster));
  }
  return cudaSuccess;
}

cudaError_t check(const LaunchConfig& config) {
  const dim3 g = config.grid, b = config.block;
  if (check_stream(config.stream) != cudaSuccess) {
    return refuse(config, cudaErrorInvalidResourceHandle,
                  "its stream does not exist or has been destroyed");
  }
  if (g.x == 0 || g.y == 0 || g.z == 0 || b.x == 0 || b.y == 0 || b.z == 0) {
    return refuse(
        config, cudaErrorInvalidConfiguration,
        std::string("a ") + (b.x * b.y * b.z == 0 ? "block of 0 threads" : "grid of 0 blocks"));
  }
  if (g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535) {
    return refuse(config, cudaErrorInvalidConfiguration,
                  "a grid of " + std::to_string(g.x) + " x " + std::to_string(g.y) + " x " +
                      std::to_string(g.z) + " blocks; the limits are 2147483647, 65535 and 65535");
  }
  const uint64_t threads = uint64_t(b.x) * b.y * b.z;
  if (b.x > 1024 || b.y > 1024 || b.z > 64 || threads > 1024) {
    return refuse(config, cudaErrorInvalidConfiguration,
                  "a block of " + std::to_string(threads) + " threads; it has at most 1024" +
                      (b.z > 64 ? " and 64 along z" : ""));
  }
  if (config.wrong_argument != nullptr) {
    const uintptr_t place = in_device_memory(reinterpret_cast<uintptr_t>(config.wrong_argument));
    return refuse(config, cudaErrorIllegalAddress,
                  "an argument is the host's address of " + Names::get().of(place, 0) +
                      ", which a GPU cannot use; cudaGetSymbolAddress() returns the device's "
                      "address, and kernels may name the variable");
  }
  const std::string why = why_not_cooperative(config, limits_of(config.kernel).static_shared);
  return why.empty() ? check_kernel(config, size_t(threads))
                     : refuse(config, cudaErrorCooperativeLaunchTooLarge, why);
}

// Kernels are compiled with fused multiply-adds. Without this check the process would die by SIGILL.
void check_processor() {
#ifdef __x86_64__
  static const bool fits = __builtin_cpu_supports("fma");
  if (!fits) {
    std::fprintf(stderr, "the CPU backend needs a processor with FMA3 (2013 or newer)\n");
    std::_Exit(3);
  }
#endif
}

std::atomic<uint64_t> begun{0}, ended{0};

// Counts a launch as begun and, when destroyed, as ended.
struct Counted {
  Counted() { ++begun; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { ++ended; }
};

std::unique_ptr<Observer> observe(Worker& worker) {
  return std::make_unique<Recorder>(worker);
}

// Refuses a launch after a kernel failed, as on a GPU, with that kernel's error. Prints that once.
cudaError_t refuse_after_failure(const LaunchConfig& config) {
  static bool printed = false;
  return std::exchange(printed, true)
             ? lasting_error()
             : refuse(config, lasting_error(),
                      "an earlier kernel has failed; a GPU runs no kernel after that");
}

// CUDA's code for an error of a kernel.
cudaError_t code_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::GlobalOutOfBounds:
    case ErrorKind::InvalidAddress:
      return cudaErrorIllegalAddress;
    case ErrorKind::Misaligned:
      return cudaErrorMisalignedAddress;
    case ErrorKind::FailedAssert:
      return cudaErrorAssert;
    default:
      return cudaErrorLaunchFailure;
  }
}

// Returns the launch's serial number.
uint32_t begin_in_stream(const LaunchConfig& config) {
  const uint32_t serial = next_serial();
  StreamOrder& order = StreamOrder::get();
  order.begin({config.stream, 0, config.kernel, config.name != nullptr ? config.name : "", {}});
  order.set_serial(serial);
  return serial;
}

}  // namespace

cudaError_t launch(LaunchConfig config, void (*thread)(void*), void* arguments) {
  if (Worker::current() != nullptr) {
    std::fprintf(stderr, "the CPU backend does not support a kernel that launches a kernel\n");
    std::_Exit(3);
  }
  const Turn turn;
  check_processor();
  if (has_failed()) {
    return refuse_after_failure(config);
  }
  cudaError_t status = check(config);
  status = status == cudaSuccess ? check_cluster(config) : status;
  if (status != cudaSuccess) {
    return remember(status);
  }
  shape = {true, config.grid, config.block, config.dynamic_shared};
  if (fails("a launch")) return remember(cudaErrorUnknown);
  const Counted counted;
  release_heap();
  const OpenMemory open;
  Arena::get().find_host_stores();
  Launch state;
  state.config = config;
  state.thread = thread;
  state.arguments = arguments;
  state.blocks = volume(config.grid);
  state.clusters = state.blocks / volume(config.cluster);
  state.serial = begin_in_stream(config);
  state.static_shared = limits_of(config.kernel).static_shared;
  state.alone = Watch::current() != nullptr;
  const int limit = worker_limit(unsigned(volume(config.cluster)));
  const int count = state.clusters < uint64_t(limit) ? int(state.clusters) : limit;
  Collector collector(state);
  const auto run = [&](Worker& worker) {
    Cluster cluster(worker, state);
    for (uint64_t number; (number = state.next++) < state.clusters;) {
      cluster.run(number);
    }
    for (unsigned rank = 0; rank < cluster.size(); ++rank) {
      collector.add(cluster.block(rank));
    }
  };
  if (!config.cooperative) {
    run_on_workers(count, observe, run);
  } else if (!run_cooperative(state, collector, observe)) {
    return remember(refuse(config, cudaErrorCooperativeLaunchTooLarge, kTooManyThreads));
  }
  Arena::get().settle();
  doubts = doubt(config, collector.kernel());
  doubtful = doubts.empty() ? std::vector<const void*>() : host_frames();
  const bool failed = collector.finish([] { tell_doubt(); });
  shape.shared_bytes += collector.static_shared();
  const cudaError_t late = remember(check_shared(config, collector.static_shared()));
  if (failed) {
    remember_failure(code_of(last_errors().front()));
  }
  begin_pending_launch(state.serial);
  return late;
}

cudaError_t read_config(const cudaLaunchConfig_t* config, const void* kernel, LaunchConfig* out) {
  if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) {
    return remember(cudaErrorInvalidValue);
  }
  if (kernel == nullptr) {
    return remember(cudaErrorInvalidDeviceFunction);
  }
  *out = {config->gridDim,
          config->blockDim,
          config->dynamicSmemBytes,
          config->stream,
          kernel,
          nullptr,
          false,
          {},
          nullptr,
          false};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization) {
      out->early = attribute.val.programmaticStreamSerializationAllowed != 0;
    } else if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& extent = attribute.val.clusterDim;
      out->cluster = {extent.x, extent.y, extent.z};
    } else if (attribute.id == cudaLaunchAttributeCooperative) {
      out->cooperative = attribute.val.cooperative != 0;
    } else if (attribute.id != cudaLaunchAttributeIgnore) {
      return remember(refuse(*out, cudaErrorNotSupported,
                             "the CPU backend does not know the launch attribute " +
                                 std::to_string(int(attribute.id))));
    }
  }
  return cudaSuccess;
}

void wait_for_launch() {
  Recorder::running->wait_for_launch();
}

LaunchCount launch_count() {
  return {begun, ended};
}

LaunchShape last_shape() {
  return shape;
}

void forget_launch() {
  shape = {};
  doubts.clear();
}

void tell_doubt() {
  if (!doubts.empty()) tell_about_host(line_of(doubtful), doubts, true);
  doubts.clear();
}

void* dynamic_shared(size_t alignment) {
  Recorder::running->align_dynamic(alignment);
  return Worker::current()->dynamic_shared();
}

}  // namespace simt
