// Reports host code that crashes, with its line. Device memory is closed to the host, so that it faults
// there, too.
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "execution/execution.h"
#include "host/host.h"
#include "memory/memory.h"
#include "program/program.h"
#include "reports/reports.h"
#include "simt/report.h"
#include "simt/testing.h"

namespace simt {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
struct sigaction before[5];
volatile sig_atomic_t calling = 0;  // between begin_call() and end_call()
volatile sig_atomic_t closed = 0;  // device memory
bool watching = false;
const void* volatile touched = nullptr;  // while it was watched

// What hide_sources() was given.
std::vector<std::string>& hidden() {
  static std::vector<std::string> parts;
  return parts;
}

void protect(int access) {
  const Arena& arena = Arena::get();
  mprotect(reinterpret_cast<void*>(arena.base()), arena.dense_size(), access);
  protect_variables(access);
  closed = access == PROT_NONE;
}

bool in_program(const void* pc) {
  return size_t(static_cast<const char*>(pc) - text_begin()) < text_size();
}

// The function of a library that the program has called last, on the way here: as in abort(), free(). The backend has
// assert()'s function itself.
std::string library_function() {
  void* frames[64];
  const int count = backtrace(frames, 64);
  bool outside = false;
  for (int i = 0; i < count; ++i) {
    if (in_program(frames[i]) && outside) {
      const char* const call = static_cast<const char*>(frames[i]) - 1;  // in abort()'s caller
      if (function_at(call).name == "__assert_fail") return "__assert_fail";
      Dl_info info{};
      dladdr(frames[i - 1], &info);
      return info.dli_sname != nullptr ? info.dli_sname : "";
    }
    outside = outside || !in_program(frames[i]);
  }
  return "";
}

std::string abort_text() {
  const std::string function = library_function();
  if (function == "__assert_fail") return "an assert() of host code fails";
  if (function.find("throw") != std::string::npos)
    return "host code throws an exception that nothing catches";
  if (function.find("terminate") != std::string::npos) return "host code calls std::terminate()";
  if (function.find("free") != std::string::npos || function.find("alloc") != std::string::npos) {
    return std::string("the C library") +
           " finds the host's memory damaged: it was freed twice, or something was written "
           "beside it";
  }
  return "host code calls abort()";
}

uintptr_t stack_pointer(void* context) {
  const mcontext_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
#ifdef __aarch64__
  return uintptr_t(registers.sp);
#else
  return uintptr_t(registers.gregs[REG_RSP]);
#endif
}

// True if the access that failed is a store; false if the processor does not say so.
bool is_store(void* context) {
#ifdef __x86_64__
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  (void)context;
  return false;
#endif
}

std::string address_text(const void* address, void* context) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address), stack = stack_pointer(context);
  char text[120];
  if (at < 4096) return "host code uses a null pointer";
  if (at - stack + 65536 < 131072) {
    return "host code has no stack left: endless recursion, or a local array that is too large";
  }
  std::snprintf(text, sizeof text, "host code uses the address 0x%zx, where it has no memory",
                size_t(at));
  return text;
}

[[noreturn]] void end_program(const std::string& what) {
  calling = 0;
  set_printing(true);
  tell_host_error(what);
  std::_Exit(3);
}

std::string touched_text(uintptr_t address) {
  if (variable_section_at(address) != nullptr) {
    return "host code uses " + Names::get().of(in_device_memory(address), 0) +
           ": with a GPU the host has another variable of that name; cudaMemcpyFromSymbol() and "
           "cudaMemcpyToSymbol() copy the device's";
  }
  const Allocation freed = Arena::get().freed(address);
  if (freed.bytes != 0) {
    return "host code touches device memory that has been freed, at offset " +
           std::to_string(address - freed.begin) + " of " + std::to_string(freed.bytes) + " bytes";
  }
  if (const uintptr_t next = Arena::get().nearest(address + 16).begin; next - address - 1 < 16) {
    return "host code touches device memory " + std::to_string(next - address) +
           " bytes before an allocation: cudaFree() frees it, not free() or delete";
  }
  const Allocation allocation = Arena::get().nearest(address);
  return "host code touches device memory, at offset " +
         std::to_string(address - allocation.begin) + " of an allocation of " +
         std::to_string(allocation.bytes) +
         " bytes: that crashes where there is a GPU; cudaMemcpy() copies it";
}

// As on a GPU's host, that ends the program. Where it is watched, the first access is told and let through; device
// memory stays open then.
void touch(const void* address) {
  protect(PROT_READ | PROT_WRITE);
  const std::string what = touched_text(reinterpret_cast<uintptr_t>(address));
  if (!watching) end_program(what);
  touched = address;
  static bool told = false;
  if (!std::exchange(told, true)) tell_host_error(what);
}

void handle(int signal, siginfo_t* info, void* context) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (signal == SIGSEGV && Worker::current() == nullptr &&
      open_touched(address, is_store(context))) {
    return;
  }
  if (signal == SIGSEGV && closed != 0 &&
      (Arena::get().contains(address) || variable_section_at(address) != nullptr)) {
    return touch(info->si_addr);
  }
  if (calling == 0 || Worker::current() != nullptr) {
    for (size_t i = 0; i < 5; ++i) {
      if (kSignals[i] == signal)
        sigaction(signal, &before[i], nullptr);  // the instruction faults again
    }
    if (signal == SIGABRT) std::raise(signal);
    return;
  }
  end_program(
      signal == SIGABRT  ? abort_text()
      : signal == SIGFPE ? "host code divides an integer by zero, or the lowest by -1"
      : signal == SIGILL
          ? "host code runs into a trap, such as a division by zero that the compiler has seen"
          : address_text(info->si_addr, context));
}

// Again and again: the program may have handlers of its own.
void handle_faults() {
  static char memory[64 * 1024];
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  static const int set = sigaltstack(&stack, nullptr);
  static_cast<void>(set);
  for (size_t i = 0; i < 5; ++i) {
    struct sigaction action {};
    sigaction(kSignals[i], nullptr, &action);
    if (action.sa_sigaction == handle) continue;
    before[i] = action;
    action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(kSignals[i], &action, nullptr);
  }
}

}  // namespace

std::vector<const void*> host_frames() {
  void* frames[64];
  const int count = backtrace(frames, 64);
  std::vector<const void*> pcs;
  int others = 0;  // frames outside of the program: a signal's handler is called from one
  for (int i = 0; i < count; ++i) {
    if (!in_program(frames[i])) {
      ++others;
    } else {
      const bool fault =
          others == 1 && in_program(frames[0]) && i > 0 && !in_program(frames[i - 1]);
      pcs.push_back(static_cast<const char*>(frames[i]) + fault);  // like a return address
    }
  }
  return pcs;
}

void hide_sources(const std::string& part) {
  hidden().push_back(part);
}

Place line_of(const std::vector<const void*>& frames) {
  static std::map<std::vector<const void*>, Place> known;
  const auto [at, is_new] = known.insert({frames, {}});
  if (!is_new) return at->second;
  std::vector<const void*> pcs;
  std::copy_if(frames.begin(), frames.end(), std::back_inserter(pcs), in_program);
  for (const Place& place : lines_of(pcs)) {
    const bool own = place.file.rfind("/usr/", 0) == 0 || is_own_file(place.file) ||
                     std::any_of(hidden().begin(), hidden().end(), [&](const std::string& part) {
                       return place.file.find(part) != std::string::npos;
                     });
    if (place.line != 0 && !own) return at->second = place;
  }
  return {};
}

std::string place_of(const std::vector<const void*>& frames) {
  const Place place = line_of(frames);
  return place.line == 0 ? "" : place_text(place);
}

void tell_host_error(const std::vector<const void*>& frames, const std::string& what) {
  tell_about_host(line_of(frames), what);
}

void tell_host_error(const std::string& what) {
  tell_host_error(host_frames(), what);
}

void close_memory() {
  const Turn turn;
  handle_faults();
  if (closed == 0 && Worker::current() == nullptr) {
    protect(PROT_NONE);
  }
}

void close_freed() {
  if (closed != 0) protect(PROT_NONE);
}

namespace {

std::recursive_mutex& turns() {
  static std::recursive_mutex all;
  return all;
}

}  // namespace

Turn::Turn() {
  turns().lock();
}

Turn::~Turn() {
  turns().unlock();
}

OpenMemory::OpenMemory() : was_closed_(closed != 0) {
  protect_shared(false);
  if (was_closed_) {
    protect(PROT_READ | PROT_WRITE);
  }
}

OpenMemory::~OpenMemory() {
  protect_shared(true);
  if (was_closed_) {
    protect(PROT_NONE);
  }
}

void watch_touches(bool on) {
  watching = on;
  touched = on ? nullptr : touched;
}

const void* touched_by_host() {
  return touched;
}

void begin_call() {
  handle_faults();
  calling = 1;
}

void end_call() {
  calling = 0;
}

}  // namespace simt
