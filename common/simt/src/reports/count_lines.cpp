// From instructions to source lines: the counters of a launch.
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "program/program.h"
#include "reports/collect.h"

namespace simt {
namespace {

SharedTraffic& operator+=(SharedTraffic& a, const SharedTraffic& b) {
  a.requests += b.requests;
  a.wavefronts += b.wavefronts;
  a.ideal += b.ideal;
  a.bytes += b.bytes;
  return a;
}

// Of global memory, a tally's wavefronts are sectors.
GlobalTraffic global(const SiteTally& tally) {
  const SharedTraffic& t = tally.global;
  GlobalTraffic traffic;
  traffic.requests = t.requests;
  traffic.sectors = t.wavefronts;
  traffic.ideal = t.ideal;
  traffic.bytes = t.bytes;
  traffic.lines = tally.lines;
  return traffic;
}

void add_site(Counters& c, const Site& site, const SiteTally& tally) {
  switch (site.access) {
    case Access::Load:
      c.global_load += global(tally);
      c.shared_load += tally.shared;
      c.fused_load += tally.fused;
      break;
    case Access::Store:
      c.global_store += global(tally);
      c.shared_store += tally.shared;
      c.fused_store += tally.fused;
      break;
    case Access::Atomic:
      c.global_atomic += global(tally);
      c.shared_atomic += tally.shared;
      break;
    case Access::AsyncLoad:
      c.async_load += global(tally);
      c.async_lookups += tally.lookups;
      break;
    case Access::AsyncStore:
      c.async_store += tally.shared;
      break;
    case Access::MatrixLoad:
      c.matrix_load += tally.shared;
      break;
    case Access::BulkLoad:
    case Access::BulkStore:
      break;  // counted by TMA
    case Access::Multiply:
      c.tensor_instructions +=
          ((site.size & kOneProduct) != 0 ? 1 : site.size / 8) * tally.global.requests;
      c.tensor_fma += tally.global.requests * tensor_multiply_adds(site);
      break;
    case Access::GroupMultiply:
      c.tensor_instructions += tally.global.requests;  // each warp's own
      c.group_products += tally.global.requests;
      c.tensor_fma += tally.global.requests * tensor_multiply_adds(site);
      break;
    case Access::Commit:
    case Access::Wait:
    case Access::Arrive:
    case Access::Test:
    case Access::Code:
      break;
  }
}

struct PcCounters {
  const void* pc;
  Counters counters;
  uint32_t site = 0;  // 0 for multiply-adds, and for
  const uintptr_t* bulk = nullptr;  // TMA: the allocation
};

// Adds a site to the counters of its line and array.
using ArrayKey = std::tuple<std::string, int, std::string, uintptr_t, unsigned>;
void add_array(const PcCounters& entry, const Place& place, const SiteTally& tally,
               std::map<ArrayKey, Counters>& arrays) {
  if (tally.lowest == ~uint64_t(0)) {
    return;
  }
  const unsigned size = Sites::get().at(entry.site).size;
  if (tally.shared.requests != 0) {
    arrays[{place.file, place.line, shared_array(tally.lowest), 0, size}] += entry.counters;
  } else {
    const Arena& arena = Arena::get();
    const uintptr_t address = arena.base() + tally.lowest;
    const Allocation near = arena.nearest(address);
    const uintptr_t begin = address - near.begin < near.bytes ? near.begin : 0;  // 0: freed since
    arrays[{place.file, place.line, "", begin, size}] += entry.counters;
  }
}

// False if the instructions cannot be read.
bool add_multiply_adds(const RawReport& raw, std::vector<PcCounters>& found) {
  std::map<const char*, Function> functions;
  for (const auto& [offset, count] : raw.blocks) {
    const Function function = function_at(text_begin() + offset);
    functions[function.begin] = function;
  }
  for (const auto& [begin, function] : functions) {
    static std::map<const char*, std::vector<MultiplyAdd>> known;
    if (known.count(begin) == 0) {
      std::vector<MultiplyAdd> all;
      if (function.size == 0 || !multiply_adds(function, all)) {
        return false;
      }
      known[begin] = std::move(all);
    }
    for (const MultiplyAdd& fma : known[begin]) {
      const auto block =
          raw.blocks.find(uint32_t(static_cast<const char*>(fma.block) - text_begin()));
      if (block != raw.blocks.end()) {
        Counters counters;
        (fma.is_double ? counters.fma64 : counters.fma) = block->second;
        found.push_back({fma.pc, counters});
      }
    }
  }
  return true;
}

}  // namespace

GlobalTraffic& GlobalTraffic::operator+=(const GlobalTraffic& o) {
  requests += o.requests;
  sectors += o.sectors;
  ideal += o.ideal;
  bytes += o.bytes;
  lines += o.lines;
  return *this;
}

Counters& Counters::operator+=(const Counters& o) {
  global_load += o.global_load;
  global_store += o.global_store;
  global_atomic += o.global_atomic;
  async_load += o.async_load;
  async_store += o.async_store;
  async_lookups += o.async_lookups;
  bulk_load += o.bulk_load;
  bulk_store += o.bulk_store;
  bulk_filled += o.bulk_filled;
  shared_load += o.shared_load;
  shared_store += o.shared_store;
  shared_atomic += o.shared_atomic;
  matrix_load += o.matrix_load;
  fused_load += o.fused_load;
  fused_store += o.fused_store;
  fma += o.fma;
  fma64 += o.fma64;
  tensor_instructions += o.tensor_instructions;
  tensor_fma += o.tensor_fma;
  group_products += o.group_products;
  return *this;
}

namespace {

// lines_of() knows the waits' lines by now. The other places are those of macros.
void list_split_barriers(RawReport& raw) {
  for (const auto& [place, use] : raw.split_barriers) {
    BarrierCounters counters{
        {place.file, place.line}, use.barriers, use.phases, use.arrivals, use.bytes, {}};
    std::map<std::pair<std::string, int>, BarrierUse::Waits> lines;
    for (const auto& [pc, waits] : use.waits) {
      const Place at = lines_of({pc})[0];
      BarrierUse::Waits& line = lines[{at.file, at.line}];
      line.count += waits.count;
      line.warps |= waits.warps;
    }
    for (const auto& [at, waits] : lines) {
      counters.waits.push_back({{at.first, at.second}, waits.count, waits.warps});
    }
    raw.report.split_barriers.push_back(std::move(counters));
  }
}

}  // namespace

void count_lines(RawReport& raw) {
  std::vector<PcCounters> all;
  for (const auto& [number, tally] : raw.sites) {
    const Site& site = Sites::get().at(number);
    PcCounters entry{site.pc, Counters(), number, nullptr};
    add_site(entry.counters, site, tally);
    all.push_back(entry);
  }
  for (const auto& [key, traffic] : raw.bulk) {
    const Site& site = Sites::get().at(key.first);
    PcCounters entry{site.pc, Counters(), 0, &key.second};
    (site.access == Access::BulkLoad ? entry.counters.bulk_load : entry.counters.bulk_store) =
        traffic.global;
    entry.counters.bulk_filled = traffic.filled;
    all.push_back(entry);
  }
  raw.report.fma_known = add_multiply_adds(raw, all);
  std::vector<const void*> pcs;
  pcs.reserve(all.size());
  for (const PcCounters& entry : all) {
    pcs.push_back(entry.pc);
  }
  for (const auto& [place, use] : raw.split_barriers) {
    for (const auto& [pc, waits] : use.waits) pcs.push_back(pc);
  }
  const std::vector<Place> places = lines_of(pcs);
  list_split_barriers(raw);
  std::map<std::pair<std::string, int>, Counters> lines;
  std::map<ArrayKey, Counters> arrays;
  for (size_t i = 0; i < all.size(); ++i) {
    lines[{places[i].file, places[i].line}] += all[i].counters;
    raw.report.total += all[i].counters;
    if (all[i].bulk != nullptr) {
      arrays[{places[i].file, places[i].line, "", *all[i].bulk, 16}] += all[i].counters;
    } else if (all[i].site != 0) {
      add_array(all[i], places[i], raw.sites.at(all[i].site), arrays);
    }
  }
  for (const auto& [place, counters] : lines) {
    raw.report.lines.push_back({{place.first, place.second}, counters});
  }
  for (const auto& [key, counters] : arrays) {
    const auto& [file, line, array, begin, size] = key;
    raw.report.arrays.push_back(
        {{file, line}, array, reinterpret_cast<const void*>(begin), size, counters});
  }
}

}  // namespace simt
