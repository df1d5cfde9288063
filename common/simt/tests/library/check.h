// Launches that are right, and planted bugs that must be reported at their lines.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"
#include "tests/source_lines.h"

namespace library {

// Every error with all that is told about it.
inline std::string text(const std::vector<simt::Error>& errors) {
  std::string all;
  for (const simt::Error& error : errors) {
    all += error.message + " x" + std::to_string(error.count) + "\n";
  }
  return all;
}

struct Bug {
  const char* name;
  std::function<void(int* in, int* out)> run;
  simt::ErrorKind kind;
  const char* here;
  const char* other;  // null: no other party, or one without a line
  const char* says;
};

constexpr int COUNT = 4096;

inline std::vector<int> numbers() {
  std::vector<int> all(COUNT);
  for (int i = 0; i < COUNT; ++i) all[size_t(i)] = (i * 37 + 11) % 1009;
  return all;
}

// The output of a launch in which nothing is wrong.
inline std::vector<int> right(const std::function<void(int* in, int* out)>& run) {
  const DeviceArray<int> in(numbers()), out(std::vector<int>(COUNT, -1));
  run(in.get(), out.get());
  CHECK(text(simt::last_errors()) == "");
  CHECK(cudaGetLastError() == cudaSuccess);
  return out.values();
}

// One OS thread runs the blocks. With two, a block may read a store of the other before the checks have recorded it.
inline void check(const std::vector<Bug>& bugs, const char* file) {
  simt::set_threads(1);
  for (const Bug& bug : bugs) {
    INFO(bug.name);
    const DeviceArray<int> in(numbers()), out(std::vector<int>(COUNT, -1));
    bug.run(in.get(), out.get());
    const std::vector<simt::Error> errors = simt::last_errors();
    INFO(text(errors));
    bool found = false;
    for (const simt::Error& error : errors) {
      found = found ||
              (error.kind == bug.kind && error.here.place.line == marked_line(file, bug.here) &&
               (bug.other == nullptr || error.other.place.line == marked_line(file, bug.other)) &&
               error.message.find(bug.says) != std::string::npos);
    }
    CHECK(found);
    CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  }
  simt::set_threads(0);
}

}  // namespace library
