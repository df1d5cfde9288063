// The functions that common/simt/api/ declares: CUDA's runtime for hosts and kernels.
//
//   last_shape()  the last launch, for the harness
//   status.h      the last error
//
// Host: launch.cpp (<<<>>> and its limits), memory_api.cpp, copy_api.cpp, device_api.cpp (device, events), status.cpp;
// watch.cpp notes what waits for the device.
// Kernel: warp.cpp (barriers, shuffles, printf()), atomics.cpp, pipeline.cpp (cp.async),
// split_barrier.cpp (mbarrier, clusters, named barriers).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/simt/api/dim3.h"
#include "common/simt/api/launch_config.h"
#include "common/simt/cuda/status.h"

namespace simt {

// The last launch of this process that could start.
struct LaunchShape {
  bool known = false;
  dim3 grid, block;
  size_t shared_bytes = 0;  // static and dynamic
};
LaunchShape last_shape();
void forget_launch();
// Says what looks like a mistake in the last launch, if anything does.
void tell_doubt();

// Kernels that have begun, and that have ended.
struct LaunchCount {
  uint64_t begun, ended;
};
LaunchCount launch_count();

// Whether there is a device of this number. They are alike, and have one memory, but a pool belongs to one of them.
bool is_device(int number);
int current_device();

// A function of this name has waited for the device: for end_watch().
void note_wait(const char* function);

// True if this call of the function is to fail: because a kernel has failed, or for fail_call().
bool fails(const char* function);

// Whether fail_call() was ever called: what such a caller leaves allocated is no leak.
bool calls_may_have_failed();

}  // namespace simt
