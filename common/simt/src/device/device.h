// Implements the functions that common/simt/include/simt/api/ declares: CUDA's API for hosts and kernels.
//
//   last_shape()  the last launch, for the harness
//   status.h      the last error
//
// Host: launch.cpp (<<<>>> and its limits). runtime/: memory_api.cpp, copy_api.cpp, volumes.cpp (3-D copies),
// unified.cpp (pinned and managed memory), copy_operation.cpp (races of copies), symbols.cpp (variables in device
// memory), streams.cpp, graphs.cpp, device_api.cpp (devices, events), properties.cpp, settings.cpp (limits, caches,
// peers), kernels.cpp (attributes, launches by pointers), occupancy.cpp, driver_api.cpp (tensor maps), random.cpp
// (cuRAND), status.cpp, pending.cpp (work that the host has not waited for), watch.cpp (calls that wait, injected
// failures).
// Kernel: warp.cpp (barriers, shuffles, printf()), warp/votes.cpp, atomics.cpp, pipeline.cpp (cp.async, TMA),
// mbarrier.cpp (mbarriers, clusters, named barriers), heap.cpp (memory that kernels allocate), ptx/, numbers/, groups/
// (cooperative groups and other C++ libraries).
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

// The message if a cooperative launch has too many threads for the backend.
constexpr char kTooManyThreads[] =
    "it is cooperative, and the CPU backend has no room for so many threads at the same time; with "
    "SIMT_MULTIPROCESSORS=2, programs that size their grid by the number of multiprocessors launch "
    "fewer";

// True if the device exists. All devices are alike and share one memory, but each has its own memory pool.
bool is_device(int number);
int current_device();

// Returns the dynamic shared memory limit that cudaFuncSetAttribute() has set for a kernel, in bytes; null if none.
const size_t* dynamic_limit_of(const void* kernel);
// Returns the largest cluster allowed for the kernel, in blocks.
unsigned most_in_cluster(const void* kernel);

// Allocates memory. Sets *pointer to null for 0 bytes.
cudaError_t allocate(void** pointer, size_t bytes, Pages pages = Pages::kDense);

// The host has not waited for this launch, or for this copy to or from pinned memory. From now on, host accesses to the
// copy's destination and to managed memory that the launch wrote are errors, and its stores to the source, until
// end_pending().
void begin_pending_launch(uint32_t serial);
void begin_pending_copy(const void* pinned, size_t bytes, bool reads);
void end_pending();
// The host has waited for a stream, an event or a flag: work that it does not order is still pending.
void end_pending_in_order();

// Before a launch: other blocks of the heap may lie where earlier launches have freed one. Two threads of one launch
// then never use the same address for different blocks, which would look like a race.
void release_heap();

// Record that a function has waited for the device, a stream or an event, for end_watch(), and end pending work.
void note_wait(const char* function);
void note_stream_wait(const char* function, cudaStream_t stream);
void note_event_wait(const char* function, cudaEvent_t event);

// cudaErrorInvalidResourceHandle for an event that does not exist. If it is not null, a message names the function.
cudaError_t check_event(const char* function, cudaEvent_t event);

// True if this call of the function must fail, after a kernel failed or because of fail_call().
bool fails(const char* function);

// Runs a cooperative launch. False if there is no memory for its threads.
bool run_cooperative(Launch& launch, Collector& collector, Worker::Observe observe);
// Returns the reason why the blocks cannot all be resident; empty if they can. static_bytes: static shared memory per
// block.
std::string why_not_cooperative(const LaunchConfig& config, size_t static_bytes);
// Returns the next number for a launch, a phase of a cooperative launch, or a copy, and clears the cells of global
// memory before numbers repeat in them.
uint32_t next_serial();

// True if fail_call() was ever called. Memory that is never freed is then no leak.
bool calls_may_have_failed();

}  // namespace simt
