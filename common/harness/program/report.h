// How a run is told: one aligned line for people, one JSON object for programs.
#pragma once
#include <optional>
#include <string>

#include "common/harness/answer/verify.h"
#include "common/harness/device/backend.h"
#include "common/harness/device/device.h"
#include "common/harness/program/timer.h"

struct Run {
  std::string lesson;
  bool gpu = false;  // false: the CPU backend, which has no speed to report
  Device device;
  double peak = 0;  // FLOP/s of the units that this element type runs on; 0 if not known
  Case problem;
  std::optional<Verdict> verdict;  // none with --no-check
  std::optional<Stats> time;  // milliseconds; none if it was not timed
  std::string baseline;  // empty if there is none
  std::optional<Stats> baseline_time;
  std::optional<Stats> best_time;  // of the fastest that cuBLAS offers
  backend::Launch launch;
};

// One line without the newline: lesson, sizes, time, speed, shares of cuBLAS, of the best of it and of the peak,
// verdict.
std::string report_line(const Run& run);

// One JSON object in one line, without the newline. What is not known is null.
std::string report_json(const Run& run);

// The object with what the variable LADDER_CLOSING held when the program began, as "closing": so that ./ladder knows
// that it is not gemm() that has printed it. As it is where there was none.
std::string closed(const std::string& object);
