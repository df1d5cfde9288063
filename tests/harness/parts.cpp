// The rest of the harness: memory, times, peaks, reports, baseline.
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/program/report.h"
#include "common/harness/program/timer.h"
#include "tests/harness/host_gemm.h"

TEST_CASE("an error about too little memory has the sizes needed and free") {
  for (const std::function<void()>& ask :
       {std::function<void()>([] { require_device_memory(1e18); }),
        std::function<void()>([] { DeviceBuffer(size_t(1) << 60); })}) {
    try {
      ask();
      CHECK(false);
    } catch (const DeviceError& error) {
      const std::string text = error.what();
      INFO(text);
      CHECK(text.find("needs ") == 0);
      CHECK(text.find("GiB are free") != std::string::npos);
    }
  }
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("statistics") {
  const auto check = [](std::vector<double> times, double min, double median, double max) {
    const Stats found = summarize(std::move(times));
    CHECK(found.min == min);
    CHECK(found.median == median);
    CHECK(found.max == max);
  };
  check({3, 1, 2}, 1, 2, 3);
  check({4, 1, 2, 10}, 1, 3, 10);
  check({7}, 7, 7, 7);
  CHECK_THROWS_AS(summarize({}), std::invalid_argument);
}

TEST_CASE("batches run in random order, each after an untimed batch of the same function") {
  std::string order;
  TimingPlan plan;
  plan.reps = 20;
  plan.batch_ms = 1e-9;  // one run a batch
  const std::vector<Stats> stats =
      time_interleaved({[&] { order += 'a'; }, [&] { order += 'b'; }}, plan);
  REQUIRE(stats.size() == 2);
  CHECK(order.substr(0, 8) == "aaaabbbb");  // warm-up and choice of the batch size
  REQUIRE(order.size() == 8 + 4 * size_t(plan.reps));
  int first_a = 0;
  for (size_t round = 8; round < order.size(); round += 4) {
    const std::string one = order.substr(round, 4);
    CHECK((one == "aabb" || one == "bbaa"));
    first_a += one == "aabb" ? 1 : 0;
  }
  CHECK(first_a > 0);
  CHECK(first_a < plan.reps);
  for (const Stats& s : stats) {
    CHECK(s.min >= 0);
    CHECK(s.min <= s.median);
    CHECK(s.median <= s.max);
  }
}

TEST_CASE("times are per run, for any batch size") {
  const DeviceBuffer buffer(1 << 24);
  const auto clear = [&] { CUDA_CHECK(cudaMemsetAsync(buffer.data(), 0, buffer.bytes())); };
  TimingPlan plan;
  plan.reps = 5;
  // The time of a batch would be twenty times as long in every attempt. On a busy machine a right one may be, sometimes.
  bool alike = false;
  for (int attempt = 0; attempt < 20 && !alike; ++attempt) {
    plan.batch_ms = 1e-9;
    const double single = time_interleaved({clear}, plan)[0].median;
    plan.batch_ms = 20 * single;
    const double batched = time_interleaved({clear}, plan)[0].median;
    alike = batched < 5 * single && batched > single / 5;
  }
  CHECK(alike);
}

TEST_CASE("theoretical peaks") {
  Device h200;
  h200.major = 9;
  h200.sms = 132;
  h200.cores_per_sm = 128;
  h200.sm_clock_mhz = 1980;
  h200.memory_clock_mhz = 3201;
  h200.memory_bus_bits = 6144;
  CHECK(std::fabs(h200.fp32_peak() / 1e12 - 66.908) < 0.001);
  CHECK(std::fabs(h200.half_tensor_peak() / 1e12 - 1070.5) < 0.1);
  CHECK(std::fabs(h200.memory_bandwidth() / 1e12 - 4.917) < 0.001);
  CHECK(cuda_version(13000) == "13.0");
  CHECK(cuda_version(12080) == "12.8");
}

TEST_CASE("a report without times has no speed and no NaN in its JSON") {
  Run run;
  run.lesson = "a\"b\\c\n";
  run.problem = problem(2, 3, 4);
  run.verdict = Verdict{false, NAN, 0, "wrong", ""};
  const std::string json = report_json(run);
  INFO(json);
  CHECK(json.find("\"lesson\": \"a\\\"b\\\\c\\u000a\"") != std::string::npos);
  CHECK(json.find("\"backend\": \"cpu\"") != std::string::npos);
  CHECK(json.find("\"ms\": null, \"tflops\": null") != std::string::npos);
  CHECK(json.find("\"max_error\": null") != std::string::npos);
  CHECK(json.find("nan") == std::string::npos);
  CHECK(report_line(run).find("TFLOP/s") == std::string::npos);
  CHECK(report_line(run).find("ms") == std::string::npos);

  run.gpu = true;
  run.time = Stats{1, 2, 4};
  run.baseline = "cublasSgemm";
  run.baseline_time = Stats{1, 1, 1};
  run.best_time = Stats{0.5, 0.5, 0.5};
  run.peak = 4e12;
  run.problem = problem(1000, 1000, 1000);
  const std::string timed = report_json(run);
  INFO(timed);
  CHECK(timed.find("\"ms\": {\"min\": 1, \"median\": 2, \"max\": 4}, \"tflops\": 1,") !=
        std::string::npos);
  CHECK(timed.find("\"baseline\": \"cublasSgemm\", \"baseline_tflops\": 2, \"best_tflops\": 4,") !=
        std::string::npos);
  CHECK(timed.find("\"peak_tflops\": 4,") != std::string::npos);
  CHECK(
      report_line(run).find(" 50.0 % of cuBLAS    25.0 % of the best of cuBLAS   25.0 % of peak") !=
      std::string::npos);
}

TEST_CASE("the baseline computes the same problem") {
  if (!backend::is_gpu()) {
    const Operands<float, float> operands(problem(3, 3, 3));
    CHECK(!backend::make_baseline(operands.problem()).run);
    return;
  }
  const auto gemm = [](const auto& p) { backend::make_baseline(p); };  // runs once
  for (const Case& c : {problem(65, 130, 33), rounding(problem(65, 130, 33))}) {
    CHECK(run_case<float, float>(gemm, c).right);
    CHECK(run_case<double, double>(gemm, c).right);
    CHECK(run_case<half, float>(gemm, c).right);
    CHECK(coarse_gelu_fault(gemm, rounding(c)) == "");
  }
  const auto others = [](const auto& p) {  // runs each over the result of the previous one
    const backend::Baseline baseline = backend::make_baseline(p);
    CHECK(!baseline.others.empty());
    for (const auto& other : baseline.others) {
      CHECK(cudaMemset2D(p.C, p.ldc * sizeof(*p.C), 0xff, p.N * sizeof(*p.C), p.M) == cudaSuccess);
      other();
    }
  };
  CHECK(run_case<float, float>(others, problem(128, 256, 64)).right);
  CHECK(run_case<double, double>(others, problem(128, 256, 64)).right);
  CHECK(run_case<half, float>(others, problem(128, 256, 64)).right);
  CHECK(coarse_gelu_fault(others, rounding(problem(128, 256, 64))) == "");
}

// ---- common/stream_memory.h with CUDA calls that take so long that a thread without a lock enters beside another.
namespace {

std::atomic<int> asked{0}, inside{0}, together{0}, created{0};

cudaError_t device_of_pair(int* device) {
  *device = asked++ / 2;
  return cudaSuccess;
}

cudaError_t create_slowly(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  together += inside++ > 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  *pool = reinterpret_cast<cudaMemPool_t>(intptr_t(++created));
  --inside;
  return cudaSuccess;
}

cudaError_t set_nothing(cudaMemPool_t, cudaMemPoolAttr, void*) {
  return cudaSuccess;
}

}  // namespace

#define cudaGetDevice device_of_pair
#define cudaMemPoolCreate create_slowly
#define cudaMemPoolSetAttribute set_nothing
#include "common/stream_memory.h"

TEST_CASE("four host threads at once create one pool for each of two devices") {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([] { stream_pool(); });
  for (std::thread& each : threads) each.join();
  CHECK(together == 0);
  CHECK(created == 2);
}
