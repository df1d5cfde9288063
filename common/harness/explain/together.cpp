// Combines the launches of one gemm() and computes their totals.
#include <map>
#include <tuple>

#include "common/harness/explain/explain.h"

namespace explain {

namespace {

uint64_t multiply_adds(const simt::LaunchReport& launch) {
  return launch.total.fma + launch.total.fma64 + launch.total.tensor_fma;
}

double per(double amount, double of) {
  return of > 0 ? amount / of : 0;
}

using Totals = std::vector<std::pair<std::string, double>>;

void add_global(Totals& all, const std::string& name, const simt::GlobalTraffic& t,
                bool lines = false) {
  all.emplace_back(name + "_requests", t.requests);
  all.emplace_back(name + "_sectors", t.sectors);
  all.emplace_back(name + "_sectors_per_request", per(double(t.sectors), double(t.requests)));
  if (lines) {
    all.emplace_back(name + "_lines", t.lines);
    all.emplace_back(name + "_lines_per_request", per(double(t.lines), double(t.requests)));
  }
}

void add_shared(Totals& all, const std::string& name, const simt::SharedTraffic& t) {
  all.emplace_back(name + "_requests", t.requests);
  all.emplace_back(name + "_wavefronts", t.wavefronts);
  all.emplace_back(name + "_wavefronts_ideal", t.ideal);
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
  all.split_barriers.clear();
  for (const simt::LaunchReport& launch : launches) {
    all.split_barriers.insert(all.split_barriers.end(), launch.split_barriers.begin(),
                              launch.split_barriers.end());
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

Totals totals_of(const simt::LaunchReport& report) {
  const simt::Counters& c = report.total;
  Totals all;
  add_global(all, "global_load", c.global_load, true);
  add_global(all, "async_load", c.async_load);
  all.emplace_back("async_lookups", c.async_lookups);
  add_global(all, "global_store", c.global_store);
  add_global(all, "global_atomic", c.global_atomic);
  add_global(all, "bulk_load", c.bulk_load);
  all.emplace_back("bulk_filled", c.bulk_filled);
  add_global(all, "bulk_store", c.bulk_store);
  add_shared(all, "shared_load", c.shared_load);
  add_shared(all, "fused_load", c.fused_load);
  add_shared(all, "matrix_load", c.matrix_load);
  add_shared(all, "shared_store", c.shared_store);
  add_shared(all, "fused_store", c.fused_store);
  add_shared(all, "async_store", c.async_store);
  add_shared(all, "shared_atomic", c.shared_atomic);
  const double threads = double(report.blocks) * report.block.x * report.block.y * report.block.z;
  all.emplace_back("barriers_per_block", per(double(report.barriers), double(report.blocks)));
  all.emplace_back("arrivals_per_thread", per(double(report.arrivals), threads));
  all.emplace_back("tensor_instructions", c.tensor_instructions);
  all.emplace_back("wgmma", c.group_products / 4);
  all.emplace_back("fma", c.fma + c.fma64);
  all.emplace_back("fma64", c.fma64);
  all.emplace_back("tensor_fma", c.tensor_fma);
  double asked = 0, moved = 0;
  for (const simt::GlobalTraffic* t : {&c.global_load, &c.async_load, &c.global_store,
                                       &c.global_atomic, &c.bulk_load, &c.bulk_store}) {
    asked += double(t->bytes);
    moved += 32.0 * double(t->sectors);
  }
  all.emplace_back("bytes_asked", asked);
  all.emplace_back("bytes_moved", moved);
  all.emplace_back("intensity", per(2 * double(c.fma + c.fma64 + c.tensor_fma), moved));
  return all;
}

}  // namespace explain
