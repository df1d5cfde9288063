#include <cmath>
#include <cstdio>

#include "common/harness/program/report.h"

namespace {

template <typename... Values>
std::string format(const char* text, Values... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof(buffer), text, values...);
  return buffer;
}

// FLOP/s of a GEMM in units of 10^12: a multiplication and an addition for each m, n and k.
double tflops(const Case& c, double ms) {
  return 2.0 * c.M * c.N * c.K / (ms * 1e9);
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    result += c < 0x20 ? format("\\u%04x", c) : std::string(1, char(c));
  }
  return result + "\"";
}

// JSON has no NaN and no infinity.
std::string number(double value) {
  return std::isfinite(value) ? format("%.9g", value) : "null";
}

std::string known(bool is_known, const std::string& value) {
  return is_known ? value : "null";
}

std::string extent(const dim3& size) {
  return format("[%u, %u, %u]", size.x, size.y, size.z);
}

std::string milliseconds(const std::optional<Stats>& time) {
  if (!time) {
    return "null";
  }
  return "{\"min\": " + number(time->min) + ", \"median\": " + number(time->median) +
         ", \"max\": " + number(time->max) + "}";
}

std::string verdict_text(const Run& run) {
  if (!run.verdict) {
    return "not checked";
  }
  std::string text = run.verdict->text;
  if (run.verdict->right && run.problem.mode == Mode::kRounding) {
    text += format(" (error %.1e of at most %.1e)", run.verdict->max_error, run.verdict->bound);
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
    if (run.peak > 0) {
      line += format("%5.1f %% of peak  ", 100 * speed * 1e12 / run.peak);
    }
  }
  return line + verdict_text(run) + (run.gpu ? "" : ", on the CPU backend: no GPU, no speed");
}

std::string report_json(const Run& run) {
  const Case& c = run.problem;
  const backend::Launch& launch = run.launch;
  const Verdict* verdict = run.verdict ? &*run.verdict : nullptr;
  std::string json = "{\"lesson\": " + quoted(run.lesson);
  const auto add = [&json](const char* name, const std::string& value) {
    json += std::string(", \"") + name + "\": " + value;
  };
  add("backend", run.gpu ? "\"gpu\"" : "\"cpu\"");
  add("gpu", known(run.gpu, quoted(run.device.name)));
  add("sm_clock_mhz", known(run.gpu, number(run.device.sm_clock_mhz)));
  add("driver", known(run.gpu, quoted(cuda_version(run.device.driver))));
  add("cuda", known(run.gpu, quoted(cuda_version(run.device.runtime))));
  add("M", std::to_string(c.M));
  add("N", std::to_string(c.N));
  add("K", std::to_string(c.K));
  add("lda", std::to_string(c.lda));
  add("ldb", std::to_string(c.ldb));
  add("ldc", std::to_string(c.ldc));
  add("alpha", number(c.alpha));
  add("beta", number(c.beta));
  add("ms", milliseconds(run.time));
  add("tflops", run.time ? number(tflops(c, run.time->median)) : "null");
  add("baseline", known(!run.baseline.empty(), quoted(run.baseline)));
  add("baseline_tflops", run.baseline_time ? number(tflops(c, run.baseline_time->median)) : "null");
  add("peak_tflops", run.peak > 0 ? number(run.peak / 1e12) : "null");
  add("grid", known(launch.known, extent(launch.grid)));
  add("block", known(launch.known, extent(launch.block)));
  add("registers", known(launch.registers > 0, std::to_string(launch.registers)));
  add("shared_bytes", known(launch.known, std::to_string(launch.shared_bytes)));
  add("blocks_per_sm", known(launch.blocks_per_sm > 0, std::to_string(launch.blocks_per_sm)));
  add("mode", c.mode == Mode::kExact ? "\"exact\"" : "\"rounding\"");
  add("verdict", quoted(verdict ? verdict->text : "not checked"));
  add("max_error", verdict ? number(verdict->max_error) : "null");
  add("bound", verdict ? number(verdict->bound) : "null");
  return json + "}";
}
