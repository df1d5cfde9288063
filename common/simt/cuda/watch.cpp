// What a caller of kernels wants to be watched, and to fail: begin_watch(), end_watch(), fail_call(). Device memory is
// closed to the host, watched or not.
#include <execinfo.h>
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
struct sigaction before;

void protect(int access) {
  const Arena& arena = Arena::get();
  mprotect(reinterpret_cast<void*>(arena.base()), arena.dense_size(), access);
  closed = access == PROT_NONE;
}

// The innermost line of the program that is known on the way to this fault.
std::string where() {
  void* frames[64];
  const int count = backtrace(frames, 64);
  std::vector<const void*> pcs;
  int others = 0;  // frames outside of the program: the first is the system's, behind this handler
  for (int i = 0; i < count; ++i) {
    const char* const pc = static_cast<const char*>(frames[i]);
    if (size_t(pc - text_begin()) >= text_size()) {
      ++others;
    } else if (others != 0) {
      pcs.push_back(pc + (others == 1 && pcs.empty()));  // like a return address
    }
  }
  for (const Place& place : lines_of(pcs)) {
    if (place.line != 0 && place.file.rfind("/usr/", 0) != 0) {
      return place.file + ":" + std::to_string(place.line);
    }
  }
  return "an unknown line";
}

// Ends the program, as a GPU's host would crash. Where it is watched, the first access is noted and let through; device
// memory stays open then.
void tell_touch(int, siginfo_t* info, void*) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (closed == 0 || !Arena::get().contains(address)) {
    sigaction(SIGSEGV, &before, nullptr);  // the instruction faults again
    return;
  }
  protect(PROT_READ | PROT_WRITE);
  if (watching) {
    touched = info->si_addr;
    return;
  }
  const Allocation allocation = Arena::get().nearest(address);
  std::fflush(stdout);
  std::fprintf(stderr,
               "%s: host code touches device memory, at offset %zu of an allocation of %zu bytes: "
               "that crashes "
               "where there is a GPU; cudaMemcpy() copies it\n",
               where().c_str(), address - allocation.begin, allocation.bytes);
  std::_Exit(3);
}

int calls_left = 0;  // until one fails
bool have_failed = false;  // some may have
std::string failed_function;

}  // namespace

void name_matrix(const NamedMatrix& matrix) {
  Names::get().add(matrix);
}

void begin_watch(const std::vector<Window>& windows) {
  Windows::get().set(windows);
  waits.clear();
  watching = true;
  touched = nullptr;
  close_memory();
}

void close_memory() {
  struct sigaction action {};
  sigaction(SIGSEGV, nullptr, &action);
  if (action.sa_sigaction != tell_touch) {
    before = action;
    action = {};
    action.sa_sigaction = tell_touch;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, nullptr);
  }
  if (closed == 0 && Worker::current() == nullptr) {
    protect(PROT_NONE);
  }
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
