// The functions that common/simt/api/ declares: CUDA's runtime for hosts and kernels.
//
//   last_shape()  the last launch, for the harness
//   status.h      the last error
//
// Host: launch.cpp (<<<>>> and its limits), doubt.cpp (what looks wrong with one), host_faults.cpp, memory_api.cpp, device_api.cpp (device, events), status.cpp;
// watch.cpp notes what waits for the device.
// Kernel: warp.cpp (barriers, shuffles), atomics.cpp, pipeline.cpp (cp.async),
// split_barrier.cpp (mbarrier, clusters, named barriers).
#pragma once
#include <cstddef>
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

// A lesson's gemm() runs in between: host code that crashes or ends the program there is told with its line.
void begin_call();
void end_call();

// A function of this name has waited for the device: for end_watch().
void note_wait(const char* function);

// True if this call of the function is to fail: because a kernel has failed, or for fail_call().
bool fails(const char* function);

// Whether fail_call() was ever called: what such a caller leaves allocated is no leak.
bool calls_may_have_failed();

// From now on the host must not touch device memory.
void close_memory();
// Whether the address is in device memory that is closed. It is open from then on, and noted where someone watches.
bool open_where_closed(const void* address);
bool is_watching();

// Host code that faults or ends the program is told with its line (host_faults.cpp). To be called again and again: the
// program may have handlers of its own.
void handle_host_faults();

// The innermost line of the program on the way here that is not the backend's, as FILE:LINE.
std::string host_place();
// The same, later: what to keep now, and the line for it.
std::vector<const void*> host_frames();
std::string place_of(const std::vector<const void*>& frames);

// A call of CUDA that makes no sense: told with its line where a lesson's gemm() runs. Others may try what CUDA answers.
void tell_misuse(const std::string& what);

// What looks like a mistake in a launch, to be told only where something is wrong with what the kernel does; else empty.
std::string doubt(const LaunchConfig& config, const std::string& name);

// While it lives, device memory is open to this process.
class OpenMemory {
 public:
  OpenMemory();
  OpenMemory(const OpenMemory&) = delete;
  OpenMemory& operator=(const OpenMemory&) = delete;
  ~OpenMemory();

 private:
  bool was_closed_;
};

}  // namespace simt
