#include <execinfo.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/device/gemm_call.h"

std::function<void(const std::string& text)> tell_fault;

namespace {

// Of the caller's CPU time, which other programs on the machine do not lengthen, without a launch.
constexpr double kMostSeconds = 3;
// Of one call: more than any plan needs. They are an endless loop only if they take long, too.
constexpr uint64_t kMostLaunches = 20000;
constexpr std::chrono::milliseconds kLook(200);
constexpr int kAsk =
    SIGURG;  // which nobody else uses, and which is ignored where it comes too late

std::atomic<int> depth{0};
std::atomic<uint64_t> calls{0};
std::atomic<uint64_t> first_launch{0};
pthread_t caller;

// Where the caller is, as it says when it is asked.
constexpr int kFrames = 64;
void* frames[kFrames];
std::atomic<int> frame_count{0};
std::atomic<bool> go_on{false};

// The end of it: nothing more is run, not even what exit() would.
[[noreturn]] void leave(int status) {
  while (true) syscall(SYS_exit_group, status);
}

[[noreturn]] void end(const std::string& line, const std::string& what) {
  const std::string text = (line.empty() ? "" : line + ": ") + "gemm() " + what;
  std::fflush(stdout);
  if (tell_fault) {
    tell_fault(text);
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
  leave(kDevice);
}

std::string line_of_caller(int from) {
  void* here[kFrames];
  const int count = backtrace(here, kFrames);
  return backend::host_line(here + from, count - from);
}

// exit() runs this first, on the stack of who calls it.
void ended_by_exit(int status, void*) {
  if (depth > 0 || tell_fault) {
    end(line_of_caller(0), "calls exit(" + std::to_string(status) + ")");
  }
}

// A status other than 0 may be that of whoever has just told an error; then the call must stand in gemm().
[[noreturn]] void ended_at_once(const char* function, int status, void* from) {
  if (depth > 0 || tell_fault) {
    const std::string line = status == 0 ? line_of_caller(0) : backend::host_line(&from, 1);
    if (status == 0 || !line.empty()) {
      end(line, std::string("calls ") + function + "(" + std::to_string(status) + ")");
    }
  }
  leave(status);
}

// The caller says where it is and waits.
void answer(int) {
  if (depth == 0 || pthread_equal(pthread_self(), caller) == 0) return;
  const int saved = errno;
  frame_count = backtrace(frames, kFrames);
  while (!go_on) {
    const timespec moment = {0, 1000000};
    nanosleep(&moment, nullptr);
  }
  go_on = false;
  errno = saved;
}

// Stops the caller, if it is still in gemm(), and says why; goes on where it waits for the GPU.
void stop(const std::string& why) {
  frame_count = 0;
  pthread_kill(caller, kAsk);
  for (int i = 0; i < 200 && frame_count == 0; ++i) std::this_thread::sleep_for(kLook / 20);
  if (frame_count == 0 && depth == 0) return;
  // Behind this handler and the system's frame the first is no return address, but where the caller is.
  if (frame_count > 2) frames[2] = static_cast<char*>(frames[2]) + 1;
  if (!backend::waits_for_device(frames, frame_count)) {
    end(backend::host_line(frames, frame_count), why);
  }
  go_on = true;
}

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// Looks at the caller again and again, for as long as the program lives.
void look(clockid_t clock) {
  uint64_t call = 0, launches = 0;
  double since = 0, begin = 0;
  while (true) {
    std::this_thread::sleep_for(kLook);
    if (depth == 0) continue;
    const double now = seconds_of(clock);
    const backend::Launches seen = backend::launches();
    if (call != calls) {
      begin = since = now;
    } else if (seen.running || seen.begun != launches) {
      since = now;
    }
    call = calls;
    launches = seen.begun;
    if (now - since > kMostSeconds) {
      stop("computes on the host for " + std::to_string(int(kMostSeconds)) +
           " s without launching a kernel: an endless loop?");
      since = now;
    } else if (launches - first_launch > kMostLaunches && now - begin > kMostSeconds) {
      stop("has launched more than " + std::to_string(kMostLaunches) +
           " kernels: an endless loop?");
      begin = now;
    }
  }
}

// Once, before the first call.
bool begin_looking() {
  void* unused[1];
  backtrace(unused, 1);  // which allocates the first time
  on_exit(ended_by_exit, nullptr);
  at_quick_exit([] {
    if (depth > 0 || tell_fault) end(line_of_caller(0), "calls quick_exit()");
  });
  caller = pthread_self();
  struct sigaction action {};
  action.sa_handler = answer;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(kAsk, &action, nullptr);
  clockid_t clock;
  if (pthread_getcpuclockid(caller, &clock) == 0) std::thread(look, clock).detach();
  return true;
}

}  // namespace

GemmCall::GemmCall() {
  static const bool looking = begin_looking();
  if (looking && depth == 0) {
    first_launch = backend::launches().begun;
    ++calls;
    backend::begin_call();
  }
  ++depth;
}

GemmCall::~GemmCall() {
  if (--depth == 0) backend::end_call();
}

// These take the place of the C library's.
extern "C" {
void _exit(int status) {
  ended_at_once("_exit", status, __builtin_return_address(0));
}
void _Exit(int status) noexcept {
  ended_at_once("_Exit", status, __builtin_return_address(0));
}
}
