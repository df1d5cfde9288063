// Adds up the launches of each kernel.
#include <algorithm>
#include <tuple>

#include "reports/collect.h"

namespace simt {
namespace {

constexpr size_t kWaiting = 32;  // of the 64 launches that are kept
constexpr size_t kMostErrors = 100;

// Never destroyed: a program prints it when it ends.
struct Summary {
  bool on = false;
  std::vector<KernelSummary> kernels;

  static Summary& get() {
    static Summary& all = *new Summary;
    return all;
  }

  KernelSummary& of(const std::string& kernel) {
    const auto found = std::find_if(kernels.begin(), kernels.end(),
                                    [&](const KernelSummary& k) { return k.kernel == kernel; });
    if (found != kernels.end()) return *found;
    kernels.emplace_back();
    kernels.back().kernel = kernel;
    return kernels.back();
  }
};

void add_lines(std::vector<LineCounters>& all, const std::vector<LineCounters>& lines) {
  const auto before = [](const LineCounters& a, const LineCounters& b) {
    return std::tie(a.place.file, a.place.line) < std::tie(b.place.file, b.place.line);
  };
  for (const LineCounters& line : lines) {
    const auto at = std::lower_bound(all.begin(), all.end(), line, before);
    if (at != all.end() && !before(line, *at)) {
      at->counters += line.counters;
    } else {
      all.insert(at, line);
    }
  }
}

void add_errors(std::vector<Error>& all, const std::vector<Error>& errors) {
  for (const Error& error : errors) {
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const Error& e) { return e.message == error.message; });
    if (!known && all.size() < kMostErrors) all.push_back(error);
  }
}

void add_all() {
  Summary& all = Summary::get();
  for (const LaunchReport& launch : launch_reports()) {
    KernelSummary& kernel = all.of(launch.kernel);
    ++kernel.launches;
    kernel.blocks += launch.blocks;
    kernel.grid = launch.grid;
    kernel.block = launch.block;
    kernel.counted |= launch.counted;
    kernel.total += launch.total;
    add_lines(kernel.lines, launch.lines);
    add_errors(kernel.errors, launch.errors);
  }
  reset_reports();
}

}  // namespace

void start_summary() {
  Summary::get().on = true;
}

void add_to_summary(size_t waiting) {
  // The first launch at once: what finding lines needs is then there before the program's exit handlers are set up.
  if (Summary::get().on && (waiting >= kWaiting || Summary::get().kernels.empty())) add_all();
}

const std::vector<KernelSummary>& summary() {
  add_all();
  return Summary::get().kernels;
}

}  // namespace simt
