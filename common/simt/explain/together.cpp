// The launches of one gemm() as one.
#include <map>
#include <tuple>

#include "common/simt/explain/explain.h"

namespace explain {

namespace {

uint64_t multiply_adds(const simt::LaunchReport& launch) {
  return launch.total.fma + launch.total.fma64 + launch.total.tensor_fma;
}

}  // namespace

size_t main_of(const std::vector<simt::LaunchReport>& launches) {
  size_t main = 0;
  for (size_t i = 1; i < launches.size(); ++i) {
    main = multiply_adds(launches[i]) >= multiply_adds(launches[main]) ? i : main;
  }
  return main;
}

simt::LaunchReport together(const std::vector<simt::LaunchReport>& launches) {
  simt::LaunchReport all = launches.empty() ? simt::LaunchReport() : launches[main_of(launches)];
  all.total = {};
  all.counted = false;
  std::map<std::pair<std::string, int>, simt::LineCounters> lines;
  using Array = std::tuple<std::string, int, std::string, const void*, unsigned>;
  std::map<Array, simt::ArrayCounters> arrays;
  for (const simt::LaunchReport& launch : launches) {
    all.counted = all.counted || launch.counted;
    all.total += launch.total;
    for (const simt::LineCounters& each : launch.lines) {
      simt::LineCounters& line = lines[{each.place.file, each.place.line}];
      line.place = each.place;
      line.counters += each.counters;
    }
    for (const simt::ArrayCounters& each : launch.arrays) {
      const Array key{each.place.file, each.place.line, each.array, each.allocation, each.size};
      const auto [at, fresh] = arrays.try_emplace(key, each);
      if (!fresh) {
        at->second.counters += each.counters;
      }
    }
  }
  all.lines.clear();
  for (const auto& [place, line] : lines) {
    all.lines.push_back(line);
  }
  all.arrays.clear();
  for (const auto& [key, array] : arrays) {
    all.arrays.push_back(array);
  }
  return all;
}

}  // namespace explain
