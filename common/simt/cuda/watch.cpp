// What a caller of kernels wants to be watched, and to fail: begin_watch(), end_watch(), fail_call(). Device memory is
// closed to the host, watched or not.
#include <sys/mman.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/simt/cuda/cuda.h"
#include "common/simt/execution/execution.h"
#include "common/simt/memory/memory.h"
#include "common/simt/program/program.h"
#include "common/simt/report.h"

namespace simt {
namespace {

bool watching = false;
std::vector<std::string> waits;

// Whether the host faults where it touches device memory, and where it has while it was watched.
volatile sig_atomic_t closed = 0;
const void* volatile touched = nullptr;
void protect(int access) {
  const Arena& arena = Arena::get();
  mprotect(reinterpret_cast<void*>(arena.base()), arena.dense_size(), access);
  closed = access == PROT_NONE;
}

int calls_left = 0;  // until one fails
bool have_failed = false;  // some may have
std::string failed_function;

}  // namespace

void begin_watch(const std::vector<Window>& windows) {
  Windows::get().set(windows);
  waits.clear();
  watching = true;
  touched = nullptr;
  close_memory();
}

void close_memory() {
  handle_host_faults();
  if (closed == 0 && Worker::current() == nullptr) {
    protect(PROT_NONE);
  }
}

bool open_where_closed(const void* address) {
  if (closed == 0 || !Arena::get().contains(reinterpret_cast<uintptr_t>(address))) {
    return false;
  }
  protect(PROT_READ | PROT_WRITE);
  touched = watching ? address : nullptr;
  return true;
}

bool is_watching() {
  return watching;
}

std::vector<std::string> end_watch() {
  Windows::get().clear();
  watching = false;
  close_memory();
  return waits;
}

const void* touched_by_host() {
  return touched;
}

OpenMemory::OpenMemory() : was_closed_(closed != 0) {
  if (was_closed_) {
    protect(PROT_READ | PROT_WRITE);
  }
}

OpenMemory::~OpenMemory() {
  if (was_closed_) {
    protect(PROT_NONE);
  }
}

void note_wait(const char* function) {
  if (watching) {
    waits.push_back(function);
  }
}

void fail_call(int n) {
  calls_left = n;
  have_failed = true;
  failed_function.clear();
}

bool calls_may_have_failed() {
  return have_failed;
}

std::string failed_call() {
  return failed_function;
}

bool fails(const char* function) {
  if (has_failed()) {
    return true;
  }
  if (calls_left == 0 || --calls_left > 0) {
    return false;
  }
  failed_function = function;
  return true;
}

}  // namespace simt
