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

std::function<void(const std::string& text)> report_fault;

namespace {

// The limit of host time without a launch. It is CPU time of the caller, so other programs do not affect it.
constexpr double kMostSeconds = 3;
// The limit of launches per call, more than any plan needs. Above it, a call must also take long to count as endless.
constexpr uint64_t kMostLaunches = 20000;
constexpr std::chrono::milliseconds kInterval(200);
constexpr int kAsk = SIGURG;  // unused otherwise, and ignored by default if it arrives too late

std::atomic<int> depth{0};
std::atomic<uint64_t> calls{0};
std::atomic<uint64_t> first_launch{0};
pthread_t caller;

// The caller's stack, which the caller records when it receives kAsk.
constexpr int kFrames = 64;
void* frames[kFrames];
std::atomic<int> frame_count{0};
std::atomic<bool> go_on{false};

// Ends the program at once; not even the handlers of exit() run.
[[noreturn]] void leave(int status) {
  while (true) syscall(SYS_exit_group, status);
}

[[noreturn]] void end(void* const* at, int count, const std::string& what) {
  std::fflush(stdout);
  if (report_fault) {
    const std::string line = backend::host_line(at, count);
    report_fault((line.empty() ? "" : line + ": ") + "gemm() " + what);
  } else {
    backend::tell_fault(at, count, "gemm() " + what);
  }
  leave(kDevice);
}

[[noreturn]] void end_caller(const std::string& what) {
  void* here[kFrames];
  end(here, backtrace(here, kFrames), what);
}

// exit() runs this handler first, on its caller's stack.
void ended_by_exit(int status, void*) {
  if (depth > 0 || report_fault) {
    end_caller("calls exit(" + std::to_string(status) + ")");
  }
}

// A status other than 0 may come from code that has just reported an error. It is a fault only if gemm() calls.
[[noreturn]] void ended_at_once(const char* function, int status, void* from) {
  if (depth > 0 || report_fault) {
    const std::string what = std::string("calls ") + function + "(" + std::to_string(status) + ")";
    if (status == 0) end_caller(what);
    if (!backend::host_line(&from, 1).empty()) end(&from, 1, what);
  }
  leave(status);
}

// The signal handler: the caller records its stack and waits.
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

// Ends the program with this reason if the caller is still in gemm(). A caller that waits for the GPU may continue.
void stop(const std::string& why) {
  frame_count = 0;
  pthread_kill(caller, kAsk);
  for (int i = 0; i < 200 && frame_count == 0; ++i) std::this_thread::sleep_for(kInterval / 20);
  if (frame_count == 0 && depth == 0) return;
  // After the frames of the handler and the system comes the caller's own position, which is not a return address.
  if (frame_count > 2) frames[2] = static_cast<char*>(frames[2]) + 1;
  if (!backend::waits_for_device(frames, frame_count)) {
    end(frames, frame_count, why);
  }
  go_on = true;
}

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// Checks on the caller at intervals for as long as the program runs.
void watch(clockid_t clock) {
  uint64_t call = 0, launches = 0;
  double since = 0, begin = 0;
  while (true) {
    std::this_thread::sleep_for(kInterval);
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

// Runs once, before the first call.
bool begin_watching() {
  void* unused[1];
  backtrace(unused, 1);  // its first call allocates, which the signal handler must not do
  on_exit(ended_by_exit, nullptr);
  at_quick_exit([] {
    if (depth > 0 || report_fault) end_caller("calls quick_exit()");
  });
  caller = pthread_self();
  struct sigaction action {};
  action.sa_handler = answer;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(kAsk, &action, nullptr);
  clockid_t clock;
  if (pthread_getcpuclockid(caller, &clock) == 0) std::thread(watch, clock).detach();
  return true;
}

}  // namespace

GemmCall::GemmCall() {
  static const bool watching = begin_watching();
  if (watching && depth == 0) {
    first_launch = backend::launches().begun;
    ++calls;
    backend::begin_call();
  }
  ++depth;
}

GemmCall::~GemmCall() {
  if (--depth == 0) backend::end_call();
}

// These replace the functions of the C library.
extern "C" {
void _exit(int status) {
  ended_at_once("_exit", status, __builtin_return_address(0));
}
void _Exit(int status) noexcept {
  ended_at_once("_Exit", status, __builtin_return_address(0));
}
}
