// For tests of host code: limits on the memory that a launch may touch, CUDA calls that fail on purpose, and memory
// that costs nothing until it is touched.
#pragma once
#include "simt/names/begin.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/api/dim3.h"

namespace simt {

// A matrix in device memory that kernels may use: rows of row_bytes bytes, at a distance of pitch bytes.
struct Window {
  const void* data;
  size_t rows, row_bytes, pitch;
  bool reads, writes;  // whether its elements may be read, or written
};

// From now on two things are errors: a write to the allocation of one of these matrices outside its writable elements,
// and a read of elements that kernels may not read. The watch notes CUDA calls that wait for the device.
void begin_watch(const std::vector<Window>& windows);
// Ends the watch. Returns the names of the functions that waited, in the order of calls.
std::vector<std::string> end_watch();
// An address of device memory that host code has touched since begin_watch(), or null. On a GPU it would crash.
const void* touched_by_host();

// Makes the n-th CUDA call from now on fail without effect. Only calls count that can fail in a correct program:
// allocations, copies, launches, queries of the device and the like. 0: none fails.
void fail_call(int n);
// The name of the function that failed; empty if there were fewer calls.
std::string failed_call();

// Whether a kernel with errors makes all later CUDA calls fail, as on a GPU (the default), or only the next one.
void set_sticky(bool all);

// Device memory that costs only the touched pages; release it by cudaFree(). It can be larger than the machine's
// memory. Bytes are out of bounds for kernels until a copy or cudaMemset() writes them. Null if ulimit -v or
// vm.overcommit_memory do not allow so many addresses.
void* malloc_sparse(size_t bytes);

// The last launch of this process that could start.
struct LaunchShape {
  bool known = false;
  dim3 grid, block;
  size_t shared_bytes = 0;  // static and dynamic
};
LaunchShape last_shape();
void forget_launch();
// Prints a likely mistake in the last launch's configuration, if there is one.
void tell_doubt();

// The number of kernels that have begun, and of those that have ended.
struct LaunchCount {
  uint64_t begun, ended;
};
LaunchCount launch_count();

// Host code under test runs between these two calls. If it crashes, the message names its line.
void begin_call();
void end_call();

// The innermost of these frames of backtrace() that is a line of the program, as FILE:LINE; "" if there is none.
std::string place_of(const std::vector<const void*>& frames);
// Reports a mistake of host code at that line.
void tell_host_error(const std::vector<const void*>& frames, const std::string& what);
// From now on messages about host code do not name files whose path contains this part.
void hide_sources(const std::string& part);

}  // namespace simt

#include "simt/names/end.h"
