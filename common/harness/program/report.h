// Reports a run: as an aligned line for people or as a JSON object for programs.
#pragma once
#include <optional>
#include <string>

#include "common/harness/answer/verify.h"
#include "common/harness/device/backend.h"
#include "common/harness/device/device.h"
#include "common/harness/program/timer.h"

struct Run {
  std::string lesson;
  bool gpu = false;  // false: the CPU backend, which reports no speed
  Device device;
  double peak = 0;  // FLOP/s of the units that compute with this element type; 0 if unknown
  Case problem;
  std::optional<Verdict> verdict;  // none with --no-check
  std::optional<Stats> time;  // milliseconds; none if the run was not timed
  std::string baseline;  // empty if there is none
  std::optional<Stats> baseline_time;
  std::optional<Stats> best_time;  // of cuBLAS's fastest kernel
  backend::Launch launch;
};

// One line without the newline: lesson, sizes, time, speed, percentages of cuBLAS, of the best of cuBLAS and of the
// peak, and the verdict.
std::string report_line(const Run& run);

// One JSON object on one line, without the newline. Unknown values are null.
std::string report_json(const Run& run);

// Adds the initial value of the variable LADDER_CLOSING to the object, as "closing". By it, ./ladder recognizes the
// program's own output, which gemm() cannot imitate. Without the variable, the object stays as it is.
std::string closed(const std::string& object);
