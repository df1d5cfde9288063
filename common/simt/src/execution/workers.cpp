#include "execution/workers.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "execution/faults.h"
#include "execution/os_thread.h"
#include "simt/report.h"

namespace simt {
namespace {

// Guard pages split mappings, and Linux allows 65530 per process. 24 workers of 1024 stacks fit.
constexpr int kMostWorkers = 24;
constexpr int kMostAdded = 160;  // if blocks have fewer threads

int chosen_threads = 0;
bool cut_sums = false;

// The OS threads of the process. Each serves one worker in every launch.
class Pool {
 public:
  static Pool& get() {
    static Pool pool;
    return pool;
  }

  ~Pool() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    start_.notify_all();
    for (OsThread& thread : threads_) {
      thread.join();
    }
  }

  void run(int count, Worker::Observe observe, const std::function<void(Worker&)>& job) {
    std::unique_lock<std::mutex> lock(mutex_);
    observe_ = observe;
    while (int(threads_.size()) < count) {
      try {
        start_thread();
      } catch (const std::system_error& error) {
        if (threads_.empty())
          throw std::runtime_error(std::string("cannot start a thread: ") + error.what());
        count = int(threads_.size());  // fewer will do
      }
    }
    job_ = &job;
    active_ = running_ = count;
    ++round_;
    start_.notify_all();
    wait(lock);
    job_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  bool add(int most) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (active_ >= most) {
      return false;
    }
    try {
      if (int(threads_.size()) == active_) {
        start_thread();
      }
    } catch (const std::system_error&) {
      return false;
    }
    ++active_;
    ++running_;
    start_.notify_all();
    return true;
  }

 private:
  void start_thread() {
    const int number = int(threads_.size());
    threads_.emplace_back([this, number] { serve(number, observe_); });
  }

  // A thread of the pool, its last heartbeat, and the thread's CPU time then, in seconds.
  struct Served {
    const Worker* worker;
    pthread_t thread;
    uint64_t beat = 0;
    double since = 0;
  };

  static double seconds_of(pthread_t thread) {
    clockid_t clock{};
    timespec time{};
    if (pthread_getcpuclockid(thread, &clock) == 0) clock_gettime(clock, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
  }

  // Waits until all workers have finished. Interrupts endless loops: one without memory accesses calls no function that
  // could stop it.
  void wait(std::unique_lock<std::mutex>& lock) {
    while (
        !done_.wait_for(lock, std::chrono::milliseconds(500), [this] { return running_ == 0; })) {
      for (Served& each : served_) {
        const uint64_t beat = each.worker->heartbeat();
        const double now = seconds_of(each.thread);
        if (beat == 0 || beat != each.beat) {
          each.beat = beat;
          each.since = now;
        } else if (now - each.since > 3) {
          pthread_kill(each.thread, kStuck);
        }
      }
    }
  }

  void serve(int number, Worker::Observe observe) {
    const SignalStack signals;
    std::unique_ptr<Worker> worker;
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      start_.wait(lock,
                  [&] { return stop_ || (round_ != seen && job_ != nullptr && number < active_); });
      if (stop_) {
        return;
      }
      seen = round_;
      const std::function<void(Worker&)>& job = *job_;
      lock.unlock();
      std::exception_ptr failure;
      try {
        if (worker == nullptr) {
          worker = std::make_unique<Worker>(observe);
          const std::lock_guard<std::mutex> again(mutex_);
          served_.push_back({worker.get(), pthread_self()});
        }
        job(*worker);
      } catch (...) {  // out of memory
        failure = std::current_exception();
      }
      lock.lock();
      if (failure) failure_ = failure;
      if (--running_ == 0) {
        done_.notify_all();
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable start_, done_;
  std::vector<OsThread> threads_;
  std::vector<Served> served_;
  const std::function<void(Worker&)>* job_ = nullptr;
  Worker::Observe observe_ = nullptr;
  std::exception_ptr failure_;  // of a worker in this round
  uint64_t round_ = 0;
  int active_ = 0, running_ = 0;
  bool stop_ = false;
};

void read_tensor_sums() {
  const char* text = std::getenv("SIMT_TENSOR_SUMS");  // NOLINT(concurrency-mt-unsafe)
  const std::string asked = text == nullptr || *text == '\0' ? "fp32" : text;
  if (asked != "fp32" && asked != "hopper") {
    std::fprintf(stderr, "SIMT_TENSOR_SUMS must be fp32 or hopper, not '%s'\n", text);
    std::_Exit(2);
  }
  cut_sums = asked == "hopper";
}

}  // namespace

int number_asked_for(const char* variable, int least, int most) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): set between launches
  if (text == nullptr || *text == '\0') {
    return 0;
  }
  const bool digits = text[std::strspn(text, "0123456789")] == '\0';
  const long number = digits ? std::strtol(text, nullptr, 10) : 0;
  if (number < least || number > most) {
    std::fprintf(stderr, "%s must be a whole number from %d to %d, not '%s'\n", variable, least,
                 most, text);
    std::_Exit(2);
  }
  return int(number);
}

bool sums_are_cut() {
  return cut_sums;
}

size_t shared_limit() {
  const int asked =
      number_asked_for("SIMT_SHARED_KB", kStaticSharedLimit / 1024, kSharedLimit / 1024);
  return asked == 0 ? kSharedLimit : size_t(asked) * 1024;
}

void set_threads(int threads) {
  chosen_threads = threads;
}

int worker_limit(unsigned blocks) {
  int threads = chosen_threads;
  if (threads <= 0) {
    threads = number_asked_for("SIMT_THREADS");
  }
  if (threads <= 0) {
    threads = int(std::thread::hardware_concurrency());
  }
  return std::clamp(threads, 1, kMostWorkers / int(blocks));
}

bool add_worker() {
  return Pool::get().add(
      std::clamp(kMostWorkers * 1024 / int(Worker::most_threads()), 1, kMostAdded));
}

void run_on_workers(int count, Worker::Observe observe, const std::function<void(Worker&)>& job) {
  read_tensor_sums();
  const FaultHandlers handlers;
  Pool::get().run(count, observe, job);
}

}  // namespace simt
