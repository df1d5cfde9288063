// What a caller of kernels wants to be watched, and to fail: begin_watch(), end_watch(), fail_call().
#include <sys/mman.h>

#include <csignal>
#include <string>
#include <vector>

#include "common/simt/cuda/cuda.h"
#include "common/simt/memory/memory.h"
#include "common/simt/report.h"

namespace simt {
namespace {

bool watching = false;
std::vector<std::string> waits;

// Whether the host would fault where it touches device memory, and where it has.
volatile sig_atomic_t closed = 0;
const void* volatile touched = nullptr;
struct sigaction before;

void protect(int access) {
  const Arena& arena = Arena::get();
  mprotect(reinterpret_cast<void*>(arena.base()), arena.size(), access);
  closed = access == PROT_NONE;
}

// The first access is noted and let through; device memory stays open then.
void note_touch(int, siginfo_t* info, void*) {
  if (closed != 0 && Arena::get().contains(reinterpret_cast<uintptr_t>(info->si_addr))) {
    touched = info->si_addr;
    protect(PROT_READ | PROT_WRITE);
  } else {
    sigaction(SIGSEGV, &before, nullptr);  // the instruction faults again
  }
}

int calls_left = 0;  // until one fails
std::string failed_function;

}  // namespace

void begin_watch(const std::vector<Window>& windows) {
  Windows::get().set(windows);
  waits.clear();
  watching = true;
  touched = nullptr;
  struct sigaction action {};
  action.sa_sigaction = note_touch;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &before);
  protect(PROT_NONE);
}

std::vector<std::string> end_watch() {
  if (closed != 0) {
    protect(PROT_READ | PROT_WRITE);
  }
  sigaction(SIGSEGV, &before, nullptr);
  Windows::get().clear();
  watching = false;
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
  failed_function.clear();
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
