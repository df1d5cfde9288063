// The program around a lesson: options, verification, timing, report, exit code.
//
// The program consists of all common/harness/*/*.cu for a GPU. For the CPU backend, cpu/ replaces gpu/.
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <numeric>
#include <string>
#include <type_traits>

#include "common/harness/answer/verify.h"
#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/program/options.h"
#include "common/harness/program/report.h"
#include "common/harness/program/timer.h"
#include "common/lesson.h"

namespace {

// Times cuBLAS's other kernels briefly and returns the three fastest.
std::vector<std::function<void()>> fastest(std::vector<std::function<void()>> others,
                                           bool flush_l2) {
  constexpr size_t KEPT = 3;
  const std::vector<Stats> times = time_interleaved(others, {3, flush_l2, 2});
  std::vector<size_t> order(others.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return times[a].median < times[b].median; });
  order.resize(std::min(order.size(), KEPT));
  std::vector<std::function<void()>> found;
  for (const size_t i : order) {
    found.push_back(others[i]);
  }
  return found;
}

// Times gemm and cuBLAS in turn. cuBLAS has a C of its own, because with beta != 0 each run changes C.
template <typename T, typename Acc, typename Out>
void time_run(void (*gemm)(const Gemm<T, Acc, Out>&), const Gemm<T, Acc, Out>& problem,
              const Options& o, Run& run) {
  const size_t bytes = sizeof(Out) * (size_t(problem.M - 1) * problem.ldc + problem.N);
  const DeviceBuffer baseline_C(bytes);
  CUDA_CHECK(cudaMemcpy(baseline_C.data(), problem.C, bytes, cudaMemcpyDeviceToDevice));
  Gemm<T, Acc, Out> baseline_problem = problem;
  baseline_problem.C = static_cast<Out*>(baseline_C.data());
  const backend::Baseline baseline = backend::make_baseline(baseline_problem);

  std::vector<std::function<void()>> work{[&] { gemm(problem); }};
  if (baseline.run) {
    work.push_back(baseline.run);
    for (auto& other : fastest(baseline.others, o.flush_l2)) {
      work.push_back(other);
    }
  }
  TimingPlan plan;
  plan.reps = o.reps;
  plan.flush_l2 = o.flush_l2;
  const std::vector<Stats> times = time_interleaved(work, plan);
  run.time = times[0];
  if (baseline.run) {
    run.baseline = baseline.name;
    run.baseline_time = times[1];
    run.best_time =
        *std::min_element(times.begin() + 1, times.end(),
                          [](const Stats& a, const Stats& b) { return a.median < b.median; });
  }
}

template <typename T, typename Acc, typename Out>
Run run_once(void (*gemm)(const Gemm<T, Acc, Out>&), const Options& o, const std::string& name) {
  using Problem = Operands<T, Acc, Out>;
  Run run;
  run.lesson = name;
  run.gpu = backend::is_gpu();
  run.device = backend::query_device();
  run.peak = std::is_same_v<T, e4m3>    ? 2 * run.device.half_tensor_peak()
             : std::is_same_v<T, half>  ? run.device.half_tensor_peak()
             : std::is_same_v<T, float> ? run.device.fp32_peak()
                                        : 0;
  run.problem = case_of(o);
  if (!o.exact && !std::is_integral_v<Acc>) run.problem.mode = Mode::kRounding;
  const bool timed = run.gpu && o.reps > 0 && o.M > 0 && o.N > 0 && o.K > 0;
  const double baseline_C = timed ? double(o.M) * double(run.problem.ldc) * sizeof(Out) : 0;
  require_device_memory(Problem::bytes_needed(run.problem) + baseline_C);

  const Problem operands(run.problem);
  call(gemm, operands);
  run.launch = backend::last_launch();
  if (o.check) run.verdict = explained(operands.verify());
  if (timed && (!run.verdict || run.verdict->right)) {
    time_run(gemm, operands.problem(), o, run);
  }
  return run;
}

// Prints an error on one line, even if it quotes arguments that contain newlines.
int fail(const std::string& name, std::string text, ExitCode code) {
  for (char& c : text) {
    c = c == '\n' || c == '\r' ? ' ' : c;
  }
  std::fprintf(stderr, "%s: %s\n", name.c_str(), text.c_str());
  return code;
}

// Writes the text to stdout and returns code, or kDevice if the text cannot be written.
int print(const std::string& name, const std::string& text, ExitCode code) {
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? code : fail(name, "cannot write to standard output", kDevice);
}

}  // namespace

template <typename T, typename Acc, typename Out>
int run_lesson(void (*gemm)(const Gemm<T, Acc, Out>&), int argc, char** argv) {
  const std::string name = lesson_name(argc > 0 ? argv[0] : "gemm");
  try {
    const int default_size = backend::is_gpu() ? 4096 : 256;
    const Options options = parse_options(argc, argv, default_size);
    if (options.help) {
      return print(name, help_text(name, default_size), kRight);
    }
    backend::select_device(options.device);
    if (options.device_info) {
      return print(name, device_table(backend::query_device()), kRight);
    }
    const Run run = run_once(gemm, options, name);
    const ExitCode code = run.verdict && !run.verdict->right ? kWrong : kRight;
    return print(name, (options.json ? closed(report_json(run)) : report_line(run)) + "\n", code);
  } catch (const UsageError& error) {
    return fail(name, error.what(), kUsage);
  } catch (const LaunchRefused&) {
    return kDevice;
  } catch (const std::bad_alloc&) {
    return fail(name, host_memory_error(), kDevice);
  } catch (const std::exception& error) {
    return fail(name, error.what(), kDevice);
  }
}

template int run_lesson(void (*)(const Gemm<float, float>&), int, char**);
template int run_lesson(void (*)(const Gemm<double, double>&), int, char**);
template int run_lesson(void (*)(const Gemm<half, float>&), int, char**);
template int run_lesson(void (*)(const Gemm<half, float, half>&), int, char**);
template int run_lesson(void (*)(const Gemm<e4m3, float>&), int, char**);
template int run_lesson(void (*)(const Gemm<e4m3, float, bf16>&), int, char**);
template int run_lesson(void (*)(const Gemm<int, int>&), int, char**);
