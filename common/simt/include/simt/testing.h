// For tests of code that launches kernels: which memory a launch may touch, calls of CUDA that fail on purpose, memory
// that costs nothing until it is touched.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/api/dim3.h"

namespace simt {

// A matrix in device memory as kernels may use it: rows of row_bytes each, whose starts lie pitch bytes
// apart.
struct Window {
  const void* data;
  size_t rows, row_bytes, pitch;
  bool reads, writes;  // whether its elements may be read, or written
};

// From now on it is an error if a kernel writes to the allocation of one of these matrices, but not to
// elements that may be written, or reads elements that may not be read. Calls of CUDA that wait for
// the device are noted.
void begin_watch(const std::vector<Window>& windows);
// The end of that: the names of the functions that waited, in the order of calls.
std::vector<std::string> end_watch();
// An address of device memory that host code has touched since begin_watch(), or null: on a GPU it would crash.
const void* touched_by_host();

// Of the calls of CUDA's functions that may fail where the caller does nothing wrong (allocations, copies, launches,
// questions about the device ...), the n-th from now on does nothing and fails. 0: none of them.
void fail_call(int n);
// The name of the function that has failed so since then; empty if there were fewer calls.
std::string failed_call();

// Whether a kernel with errors makes all that follows it fail, as on a GPU (the default), or is told once.
void set_sticky(bool all);

// Device memory that costs only the pages that are touched, for cudaFree(): more bytes than the machine has
// memory, as far as addresses last. Until a copy or cudaMemset() writes them, its bytes are out of bounds
// for kernels. Null where ulimit -v or vm.overcommit_memory do not allow as many addresses.
void* malloc_sparse(size_t bytes);

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

// Host code under test runs between these two: where it crashes, the message names its line.
void begin_call();
void end_call();

// The innermost of these frames, as backtrace() has them, that is a line of the program, as FILE:LINE; "" if none is.
std::string place_of(const std::vector<const void*>& frames);
// Reports a mistake of host code at that line.
void tell_host_error(const std::vector<const void*>& frames, const std::string& what);
// From now on files whose path contains this part are not the program's own: no message about host code names them.
void hide_sources(const std::string& part);

}  // namespace simt
