#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>

#include "common/harness/device/backend.h"
#include "common/harness/device/buffer.h"
#include "common/harness/program/timer.h"
#include "common/lesson.h"

namespace {

using Work = std::function<void()>;

// Calls work count times. With nvcc's --default-stream per-thread, the constructor records the calls in a CUDA graph, and
// () launches that: the time has no part of the host. A graph cannot record the legacy default stream. An exception while
// it records ends the program.
class Batch {
 public:
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  Batch(const Work& work, int count) {
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < count; ++i) work();
    CUDA_CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&graph_, graph));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaGraphUpload(graph_, cudaStreamPerThread));
  }
  ~Batch() {
    cudaGraphExecDestroy(graph_);
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void operator()() const {
    CUDA_CHECK(cudaGraphLaunch(graph_, cudaStreamPerThread));
  }

 private:
  cudaGraphExec_t graph_ = nullptr;
#else
  Batch(const Work& work, int count) : work_(work), count_(count) {}

  void operator()() const {
    for (int i = 0; i < count_; ++i) work_();
  }

 private:
  const Work& work_;
  int count_;
#endif
};

class EventTimer {
 public:
  EventTimer() {
    CUDA_CHECK(cudaEventCreate(&start_));
    CUDA_CHECK(cudaEventCreate(&stop_));
  }
  ~EventTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  // Does the work count times and returns the total time in milliseconds.
  double measure(const Work& work, int count) const {
    const Batch batch(work, count);
    CUDA_CHECK(cudaEventRecord(start_));
    batch();
    CUDA_CHECK(cudaEventRecord(stop_));
    CUDA_CHECK(cudaEventSynchronize(stop_));
    float ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start_, stop_));
    return ms;
  }

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

// A buffer twice as large as the L2 cache. Overwriting it evicts everything else.
class L2Flusher {
 public:
  L2Flusher() : buffer_(2 * size_t(backend::query_device().l2_bytes)) {}
  void operator()() const { CUDA_CHECK(cudaMemsetAsync(buffer_.data(), 0, buffer_.bytes())); }

 private:
  DeviceBuffer buffer_;
};

}  // namespace

Stats summarize(std::vector<double> samples) {
  if (samples.empty()) {
    throw std::invalid_argument("no samples to summarize");
  }
  std::sort(samples.begin(), samples.end());
  const size_t middle = samples.size() / 2;
  const double median =
      samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  return {samples.front(), median, samples.back()};
}

std::vector<Stats> time_interleaved(const std::vector<Work>& work, const TimingPlan& plan) {
  constexpr int kWarmUps = 2;
  constexpr int kMaxBatch = 1000;  // runs; limits the batches of very short work
  const EventTimer timer;
  std::optional<L2Flusher> flush;
  if (plan.flush_l2) {
    flush.emplace();
  }

  std::vector<int> counts;  // runs per batch for each piece of work
  for (const Work& piece : work) {
    timer.measure(piece, kWarmUps);
    const double ms = timer.measure(piece, kWarmUps) / kWarmUps;
    counts.push_back(
        int(std::min<double>(kMaxBatch, std::ceil(plan.batch_ms / std::max(ms, 1e-3)))));
  }

  std::vector<std::vector<double>> samples(work.size());
  std::vector<size_t> order(work.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random;  // default seed: each process uses the same orders
  for (int rep = 0; rep < plan.reps; ++rep) {
    std::shuffle(order.begin(), order.end(), random);
    for (const size_t i : order) {
      timer.measure(work[i],
                    counts[i]);  // untimed: lets the clock and the L2 cache adapt to this work
      double ms = 0;
      for (int run = 0; flush && run < counts[i]; ++run) {
        (*flush)();
        ms += timer.measure(work[i], 1);
      }
      if (!flush) {
        ms = timer.measure(work[i], counts[i]);
      }
      samples[i].push_back(ms / counts[i]);
    }
  }
  std::vector<Stats> stats;
  stats.reserve(samples.size());
  for (const std::vector<double>& s : samples) {
    stats.push_back(summarize(s));
  }
  return stats;
}
