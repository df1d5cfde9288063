// The host's side of a program: device memory is closed to it, and the line where it crashes or exits is reported.
#pragma once
#include <string>
#include <vector>

#include "host/pending.h"
#include "simt/report.h"
#include "simt/testing.h"

namespace simt {

// From now on the host must not touch device memory.
void close_memory();
// Closes addresses that Arena::free() has opened, if memory is closed.
void close_freed();

// The host's threads take turns in what changes the device: allocations, copies, launches. A thread may begin a turn within
// its own.
class Turn {
 public:
  Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn();
};

// While it lives, device memory is open to this process, in one turn.
class OpenMemory {
 public:
  OpenMemory();
  OpenMemory(const OpenMemory&) = delete;
  OpenMemory& operator=(const OpenMemory&) = delete;
  ~OpenMemory();

 private:
  const Turn turn_;
  bool was_closed_;
};

// Whether the program has variables in device memory: __device__, __constant__ or __managed__.
bool has_device_variables();

// While somebody watches, a host that touches device memory goes on; touched_by_host() (report.h) says where.
void watch_touches(bool on);

// Reports a mistake of host code with the innermost line of the program on the way here that is not the backend's.
void tell_host_error(const std::string& what);

// The frames on the way here, and the line of the program in them; line == 0 if there is none.
std::vector<const void*> host_frames();
Place line_of(const std::vector<const void*>& frames);

}  // namespace simt
