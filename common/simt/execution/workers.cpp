#include "common/simt/execution/workers.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "common/simt/execution/faults.h"
#include "common/simt/report.h"

namespace simt {
namespace {

// Guard pages split mappings, and Linux allows a process 65530 of them: 1024 stacks each for 24.
constexpr int kMostWorkers = 24;
constexpr int kMostAdded = 160;  // where blocks are smaller

int chosen_threads = 0;

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
    for (std::thread& thread : threads_) {
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

  // A loop that the compiler has emptied calls nobody, so nobody can stop it from inside.
  void wait(std::unique_lock<std::mutex>& lock) {
    std::vector<uint64_t> beats;
    while (!done_.wait_for(lock, std::chrono::seconds(20), [this] { return running_ == 0; })) {
      std::vector<uint64_t> now;
      for (const Worker* worker : workers_) {
        now.push_back(worker->heartbeat());
      }
      if (now == beats && std::count(now.begin(), now.end(), 0) < std::ptrdiff_t(now.size())) {
        std::fprintf(stderr, "the CPU backend: the kernel is in an endless loop\n");
        std::_Exit(3);
      }
      beats = now;
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
          workers_.push_back(worker.get());
        }
        job(*worker);
      } catch (...) {  // memory ran out
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
  std::vector<std::thread> threads_;
  std::vector<const Worker*> workers_;
  const std::function<void(Worker&)>* job_ = nullptr;
  Worker::Observe observe_ = nullptr;
  std::exception_ptr failure_;  // of a worker in this round
  uint64_t round_ = 0;
  int active_ = 0, running_ = 0;
  bool stop_ = false;
};

}  // namespace

int number_asked_for(const char* variable) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): set between launches
  if (text == nullptr || *text == '\0') {
    return 0;
  }
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (*end != '\0' || number < 1 || number > 100000) {
    std::fprintf(stderr, "%s must be a whole number from 1 to 100000, not '%s'\n", variable, text);
    std::_Exit(2);
  }
  return int(number);
}

size_t shared_limit() {
  const size_t asked = size_t(number_asked_for("SIMT_SHARED_KB")) * 1024;
  return asked == 0 ? kSharedLimit : std::min(std::max(asked, kStaticSharedLimit), kSharedLimit);
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
  const FaultHandlers handlers;
  Pool::get().run(count, observe, job);
}

}  // namespace simt
