// The host's side of a program: device memory is closed to it, and where it crashes or ends the program is told.
#pragma once
#include <string>
#include <vector>

#include "host/pending.h"
#include "simt/testing.h"

namespace simt {

// From now on the host must not touch device memory.
void close_memory();

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

// Whether the program has variables in device memory: __device__, __constant__ or __managed__.
bool has_device_variables();

// While somebody watches, a host that touches device memory goes on; touched_by_host() (report.h) says where.
void watch_touches(bool on);

// A call of CUDA that makes no sense: told, between begin_call() and end_call() with its line.
void tell_misuse(const std::string& what);

// The innermost line of the program on the way here that is not the backend's, as FILE:LINE.
std::string host_place();
// The frames on the way here, for place_of() (testing.h).
std::vector<const void*> host_frames();

}  // namespace simt
