// The functions that common/simt/include/simt/api/ declares: CUDA's runtime for hosts and kernels.
//
//   last_shape()  the last launch, for the harness
//   status.h      the last error
//
// Host: launch.cpp (<<<>>> and its limits), memory_api.cpp, copy_api.cpp, device_api.cpp (device, events), status.cpp;
// watch.cpp notes what waits for the device.
// Kernel: warp.cpp (barriers, shuffles, printf()), atomics.cpp, pipeline.cpp (cp.async),
// split_barrier.cpp (mbarrier, clusters, named barriers), groups/ (what CUDA's C++ libraries ask for: lanes that meet,
// copies that a split barrier waits for, cooperative launches).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/status.h"
#include "execution/execution.h"
#include "simt/api/dim3.h"
#include "simt/api/launch_config.h"
#include "simt/testing.h"

namespace simt {

class Collector;

// Why such a launch is refused then.
constexpr char kTooManyThreads[] =
    "it is cooperative, and the CPU backend has no room for so many threads at the same time; with "
    "SIMT_MULTIPROCESSORS=2, programs that ask for the number of multiprocessors launch fewer";

// Whether there is a device of this number. They are alike, and have one memory, but a pool belongs to one of them.
bool is_device(int number);
int current_device();

// A function of this name has waited for the device: for end_watch().
void note_wait(const char* function);

// True if this call of the function is to fail: because a kernel has failed, or for fail_call().
bool fails(const char* function);

// Runs a cooperative launch. False if there is no room for so many threads.
bool run_cooperative(Launch& launch, Collector& collector, Worker::Observe observe);
// Why not all of its blocks can be there at the same time; empty if they can. static_bytes: of shared memory.
std::string why_not_cooperative(const LaunchConfig& config, size_t static_bytes);
// The number of a launch, or of what counts as one.
uint32_t next_serial();

// Whether fail_call() was ever called: what such a caller leaves allocated is no leak.
bool calls_may_have_failed();

}  // namespace simt
