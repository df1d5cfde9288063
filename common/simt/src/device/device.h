// The functions that common/simt/include/simt/api/ declares: CUDA's runtime for hosts and kernels.
//
//   last_shape()  the last launch, for the harness
//   status.h      the last error
//
// Host: launch.cpp (<<<>>> and its limits), memory_api.cpp, copy_api.cpp, device_api.cpp (device, events), status.cpp;
// watch.cpp notes what waits for the device.
// runtime/: what programs call around their kernels. streams.cpp, unified.cpp (pinned and managed memory), pending.cpp
// (what the host has not waited for), symbols.cpp (variables in device memory), volumes.cpp (3-D copies),
// occupancy.cpp, kernels.cpp (attributes), properties.cpp (of the device), settings.cpp (limits, caches, peers).
// Kernel: warp.cpp (barriers, shuffles, printf()), atomics.cpp, pipeline.cpp (cp.async),
// mbarrier.cpp (mbarrier, clusters, named barriers), groups/ (what CUDA's C++ libraries ask for: lanes that meet,
// copies that an mbarrier waits for, cooperative launches).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/runtime/status.h"
#include "execution/execution.h"
#include "memory/memory.h"
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

// What cudaFuncSetAttribute() has set as a kernel's most dynamic shared memory; null if nothing.
const size_t* dynamic_limit_of(const void* kernel);
// How many blocks a cluster of the kernel may have.
unsigned most_in_cluster(const void* kernel);

// Allocates memory of a kind; null for 0 bytes.
cudaError_t allocate(void** pointer, size_t bytes, Pages pages = Pages::kDense);

// From here on the host has not waited for this launch, or for this copy to pinned memory: what it touches of managed
// memory that the launch has written, and of the copy, is told. Until it waits.
void begin_pending_launch(uint32_t serial);
void begin_pending_copy(const void* to, size_t bytes);
void end_pending();

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
