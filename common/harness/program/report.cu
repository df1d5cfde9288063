#include <cstdio>
#include <cstdlib>

#include "common/harness/program/json.h"
#include "common/harness/program/report.h"

namespace {

template <typename... Values>
std::string format(const char* text, Values... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof(buffer), text, values...);
  return buffer;
}

// Reads the variable before any code of the lesson runs, and hides it from the lesson.
std::string take_closing() {
  const char* const text =
      std::getenv("LADDER_CLOSING");  // NOLINT(concurrency-mt-unsafe): no thread yet
  const std::string closing = text != nullptr ? text : "";
  unsetenv("LADDER_CLOSING");  // NOLINT(concurrency-mt-unsafe)
  return closing;
}

const std::string kClosing = take_closing();

// TFLOP/s of a GEMM, with a multiplication and an addition for each m, n and k.
double tflops(const Case& c, double ms) {
  return 2.0 * c.M * c.N * c.K / (ms * 1e9);
}

std::string extent(const dim3& size) {
  return json::list({json::number(size.x), json::number(size.y), json::number(size.z)});
}

std::string milliseconds(const std::optional<Stats>& time) {
  if (!time) {
    return "null";
  }
  json::Object out;
  return out.number("min", time->min).number("median", time->median).number("max", time->max).str();
}

std::string speed(const Case& c, const std::optional<Stats>& time) {
  return time ? json::number(tflops(c, time->median)) : "null";
}

std::string verdict_text(const Run& run) {
  if (!run.verdict) {
    return "not checked";
  }
  std::string text = run.verdict->text;
  if (run.verdict->right && run.problem.mode == Mode::kRounding) {
    text += format(" (error %.1e, limit %.1e)", run.verdict->max_error, run.verdict->bound);
  } else if (run.verdict->right) {
    text += " (exact)";
  }
  return text;
}

}  // namespace

std::string report_line(const Run& run) {
  const Case& c = run.problem;
  std::string line = format("%-20s %5d x %5d x %5d  ", run.lesson.c_str(), c.M, c.N, c.K);
  if (run.time) {
    const double speed = tflops(c, run.time->median);
    line += format("%10.4f ms %8.3f TFLOP/s  ", run.time->median, speed);
    if (run.baseline_time) {
      line += format("%6.1f %% of cuBLAS  ", 100 * run.baseline_time->median / run.time->median);
    }
    if (run.best_time) {
      line += format("%6.1f %% of the best of cuBLAS  ",
                     100 * run.best_time->median / run.time->median);
    }
    if (run.peak > 0) {
      line += format("%5.1f %% of peak  ", 100 * speed * 1e12 / run.peak);
    }
  }
  return line + verdict_text(run) + (run.gpu ? "" : " on the CPU backend (no GPU, so no speed)");
}

std::string report_json(const Run& run) {
  const Case& c = run.problem;
  const backend::Launch& launch = run.launch;
  json::Object out;
  const auto known = [&out](const char* name, bool is_known, const std::string& value) {
    out.value(name, is_known ? value : "null");
  };
  out.text("lesson", run.lesson).text("backend", run.gpu ? "gpu" : "cpu");
  known("gpu", run.gpu, json::quoted(run.device.name));
  known("sm_clock_mhz", run.gpu, json::number(run.device.sm_clock_mhz));
  known("driver", run.gpu, json::quoted(cuda_version(run.device.driver)));
  known("cuda", run.gpu, json::quoted(cuda_version(run.device.runtime)));
  out.number("M", c.M).number("N", c.N).number("K", c.K);
  out.number("lda", double(c.lda)).number("ldb", double(c.ldb)).number("ldc", double(c.ldc));
  out.number("alpha", c.alpha).number("beta", c.beta);
  out.value("ms", milliseconds(run.time));
  out.value("tflops", speed(c, run.time));
  known("baseline", !run.baseline.empty(), json::quoted(run.baseline));
  out.value("baseline_tflops", speed(c, run.baseline_time));
  out.value("best_tflops", speed(c, run.best_time));
  known("peak_tflops", run.peak > 0, json::number(run.peak / 1e12));
  known("grid", launch.known, extent(launch.grid));
  known("block", launch.known, extent(launch.block));
  known("registers", launch.registers > 0, json::number(launch.registers));
  known("shared_bytes", launch.known, json::number(double(launch.shared_bytes)));
  known("blocks_per_sm", launch.blocks_per_sm > 0, json::number(launch.blocks_per_sm));
  out.text("mode", c.mode == Mode::kExact ? "exact" : "rounding");
  out.text("verdict", run.verdict ? run.verdict->text : "not checked");
  known("max_error", bool(run.verdict), json::number(run.verdict ? run.verdict->max_error : 0));
  known("bound", bool(run.verdict), json::number(run.verdict ? run.verdict->bound : 0));
  return out.str();
}

std::string closed(const std::string& object) {
  if (kClosing.empty()) return object;
  return object.substr(0, object.size() - 1) + ", \"closing\": " + json::quoted(kClosing) + "}";
}
