// The program explain.LESSON: this run_lesson() takes the place of the harness's, so that the lesson's
// unmodified main() runs the kernel once and its counters are told.
#include <cuda_fp16.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "common/harness/device/cuda_error.h"
#include "common/lesson.h"
#include "common/harness/program/options.h"
#include "common/simt/explain/events.h"
#include "common/simt/explain/explain.h"
#include "common/harness/answer/verify.h"

namespace {

constexpr int kDefaultSize = 256;

struct Arguments {
  Options options;
  std::string name, lesson, against, against_name, save, fuse, trace;
  uint32_t warp = 0;  // to be traced, of block 0
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets variables
  bool colour = isatty(1) != 0 && std::getenv("NO_COLOR") == nullptr;
};

// Takes what only explain knows from the command line; the rest is a lesson's.
Arguments parse(int argc, char** argv) {
  Arguments a;
  a.name = lesson_name(argc > 0 ? argv[0] : "explain");
  if (a.name.rfind("explain.", 0) == 0) {
    a.name = a.name.substr(8);
  }
  a.lesson = a.name.substr(0, a.name.find('.'));
  std::string warp = "0";
  std::vector<char*> rest{argv, argv + (argc > 0 ? 1 : 0)};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--colour") {  // stdout is a pipe to ./ladder, which has a terminal
      a.colour = true;
      continue;
    }
    std::string* const value = word == "--against"        ? &a.against
                               : word == "--against-name" ? &a.against_name
                               : word == "--save"         ? &a.save
                               : word == "--name"         ? &a.name
                               : word == "--lesson"       ? &a.lesson
                               : word == "--fuse"         ? &a.fuse
                               : word == "--trace"        ? &a.trace
                               : word == "--warp"         ? &warp
                                                          : nullptr;
    if (value == nullptr) {
      rest.push_back(argv[i]);
    } else if (++i == argc || argv[i][0] == '\0') {
      throw UsageError("option " + word + " needs a value");
    } else {
      *value = argv[i];
    }
  }
  if (!a.fuse.empty()) {
    if (a.fuse != "4" && a.fuse != "8" && a.fuse != "16") {
      throw UsageError("--fuse must be 4, 8 or 16, not '" + a.fuse + "'");
    }
    simt::set_fusion(unsigned(std::stoul(a.fuse)));
  }
  if (warp.empty() || warp.size() > 2 ||
      warp.find_first_not_of("0123456789") != std::string::npos) {
    throw UsageError("--warp must be a number from 0 to 31, not '" + warp + "'");
  }
  a.warp = uint32_t(std::stoul(warp));
  rest.push_back(nullptr);
  a.options = parse_options(int(rest.size()) - 1, rest.data(), kDefaultSize);
  return a;
}

// The matrix that fills an allocation.
template <typename T, typename Acc>
std::string matrix_name(const Gemm<T, Acc>& p, const void* allocation) {
  return allocation == p.A   ? "A"
         : allocation == p.B ? "B"
         : allocation == p.C ? "C"
                             : "global memory";
}

// Prints, and returns the exit code.
template <typename T, typename Acc>
int explain_once(void (*gemm)(const Gemm<T, Acc>&), const Arguments& a) {
  Case c;
  c.M = a.options.M;
  c.N = a.options.N;
  c.K = a.options.K;
  c.lda = a.options.lda;
  c.ldb = a.options.ldb;
  c.ldc = a.options.ldc;
  c.alpha = a.options.alpha;
  c.beta = a.options.beta;
  c.seed = a.options.seed;
  c.lda = c.lda != 0 ? c.lda : c.K;
  c.ldb = c.ldb != 0 ? c.ldb : c.N;
  c.ldc = c.ldc != 0 ? c.ldc : c.N;
  c.guard_inputs = c.guard_output = false;  // the backend watches the ends of allocations
  const Operands<T, Acc> operands(c);
  if (!a.trace.empty()) {
    simt::follow_warp(a.warp);
  }
  const std::string note = a.fuse.empty() ? explain::follow_nvcc(a.lesson) : "";
  simt::reset_reports();
  gemm(operands.problem());
  CUDA_CHECK(cudaDeviceSynchronize());

  explain::Explanation e;
  e.lesson = a.name;
  e.note = note;
  e.M = c.M;
  e.N = c.N;
  e.K = c.K;
  const std::pair<const char*, int64_t> strides[] = {
      {"lda", a.options.lda}, {"ldb", a.options.ldb}, {"ldc", a.options.ldc}};
  for (const auto& [name, value] : strides) {
    e.strides += value != 0 ? std::string(", ") + name + " = " + std::to_string(value) : "";
  }
  const std::vector<simt::LaunchReport>& launches = simt::launch_reports();
  e.report = explain::together(launches);
  e.main = explain::main_of(launches);
  for (const simt::LaunchReport& r : launches) {
    e.launches.push_back({r.kernel, r.blocks, r.block.x * r.block.y * r.block.z,
                          r.static_shared + r.dynamic_shared, explain::totals_of(r)});
  }
  if (!e.report.counted) {
    throw UsageError("no kernel was launched: there is nothing to explain");
  }
  for (simt::ArrayCounters& array : e.report.arrays) {
    if (array.array.empty()) {
      array.array = matrix_name(operands.problem(), array.allocation);
    }
  }
  e.totals = explain::totals_of(e.report);
  e.findings = explain::diagnose(e.report);
  if (!a.trace.empty()) {
    const Gemm<T, Acc>& p = operands.problem();
    explain::save_events({&e,
                          a.warp,
                          {{"A", p.A, c.lda, sizeof(T)},
                           {"B", p.B, c.ldb, sizeof(T)},
                           {"C", p.C, c.ldc, sizeof(Acc)}}},
                         a.trace);
  } else if (!a.save.empty()) {
    explain::save(e, a.save);
  } else {
    const explain::Other other =
        a.against.empty() ? explain::Other() : explain::load(a.against, a.against_name);
    const std::string output =
        a.options.json ? explain::json(e, other) + "\n" : explain::text(e, other, a.colour);
    if (std::fputs(output.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
      throw DeviceError("cannot write to standard output");
    }
  }
  const Verdict verdict = a.options.check ? operands.verify() : Verdict();
  if (!verdict.right) {
    std::fprintf(stderr, "%s: %s\n", a.name.c_str(), verdict.text.c_str());
  }
  return verdict.right ? kRight : kWrong;
}

}  // namespace

template <typename T, typename Acc>
int run_lesson(void (*gemm)(const Gemm<T, Acc>&), int argc, char** argv) {
  std::string text;
  int code = kDevice;
  try {
    return explain_once(gemm, parse(argc, argv));
  } catch (const UsageError& error) {
    text = error.what();
    code = kUsage;
  } catch (const std::bad_alloc&) {
    text = host_memory_error();
  } catch (const std::exception& error) {
    text = error.what();
  }
  std::fprintf(stderr, "explain: %s\n", text.c_str());
  return code;
}

template int run_lesson(void (*)(const Gemm<float, float>&), int, char**);
template int run_lesson(void (*)(const Gemm<double, double>&), int, char**);
template int run_lesson(void (*)(const Gemm<half, float>&), int, char**);
template int run_lesson(void (*)(const Gemm<int, int>&), int, char**);
