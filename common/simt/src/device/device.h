// The functions that common/simt/include/simt/api/ declares: CUDA's runtime for hosts and kernels.
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

#include "device/status.h"
#include "simt/api/dim3.h"
#include "simt/api/launch_config.h"
#include "simt/testing.h"

namespace simt {

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
