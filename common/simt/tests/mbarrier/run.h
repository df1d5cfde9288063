// Runs kernels with mbarriers, and compares what is reported.
#pragma once
#include <string>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/error_codes.h"
#include "tests/mbarrier/mbarrier.h"
#include "tests/source_lines.h"

namespace mbarrier {

using simt::ErrorKind;

constexpr int BLOCKS = 5;

inline float number(int tile, int t) {
  return float((tile * 7 + t * 13) % 101);
}

inline std::vector<float> numbers() {
  std::vector<float> all(TILES * THREADS);
  for (int i = 0; i < TILES * THREADS; ++i) {
    all[size_t(i)] = number(i / THREADS, i % THREADS);
  }
  return all;
}

struct Outcome {
  std::vector<simt::Error> errors;
  std::vector<float> C;
};

inline Outcome run_on_numbers(const Run& kernel) {
  DeviceArray<float> a(numbers()), c(std::vector<float>(BLOCKS * THREADS, -1.0f));
  kernel({a.get(), c.get()});
  Outcome outcome{simt::last_errors(), {}};
  CHECK(cudaGetLastError() == code_of(outcome.errors));
  outcome.C = c.values();
  return outcome;
}

// Errors with everything that is told about them, to compare runs.
inline std::string text(const std::vector<simt::Error>& errors) {
  std::string all;
  for (const simt::Error& error : errors) {
    all += error.message + " x" + std::to_string(error.count) + "\n";
  }
  return all;
}

struct Bug {
  const char* name;
  Run kernel;
  ErrorKind kind;
  const char* here;
  const char* other;  // null: no other party, or one without a line
  const char* says;
};

// Each is reported at its line of file, with 1 and 3 OS threads.
inline void check(const std::vector<Bug>& bugs, const char* file) {
  for (const Bug& bug : bugs) {
    INFO(bug.name);
    std::string first;
    for (int threads : {1, 3}) {
      simt::set_threads(threads);
      const std::vector<simt::Error> errors = run_on_numbers(bug.kernel).errors;
      INFO(text(errors));
      bool found = false;
      for (const simt::Error& error : errors) {
        found = found ||
                (error.kind == bug.kind && error.here.place.line == marked_line(file, bug.here) &&
                 (bug.other == nullptr || error.other.place.line == marked_line(file, bug.other)) &&
                 error.message.find(bug.says) != std::string::npos);
      }
      CHECK(found);
      first = threads == 1 ? text(errors) : first;
      CHECK(text(errors) == first);
    }
  }
  simt::set_threads(0);
}

}  // namespace mbarrier
