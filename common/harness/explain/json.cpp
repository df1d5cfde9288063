#include "common/harness/program/json.h"

#include <map>

#include "common/harness/explain/explain.h"

namespace explain {
namespace {

using simt::GlobalTraffic;
using simt::SharedTraffic;

constexpr std::pair<const char*, GlobalTraffic simt::Counters::*> kGlobal[] = {
    {"global_load", &simt::Counters::global_load},
    {"async_load", &simt::Counters::async_load},
    {"global_store", &simt::Counters::global_store},
    {"global_atomic", &simt::Counters::global_atomic},
    {"bulk_load", &simt::Counters::bulk_load},
    {"bulk_store", &simt::Counters::bulk_store}};
constexpr std::pair<const char*, SharedTraffic simt::Counters::*> kShared[] = {
    {"shared_load", &simt::Counters::shared_load},
    {"fused_load", &simt::Counters::fused_load},
    {"matrix_load", &simt::Counters::matrix_load},
    {"shared_store", &simt::Counters::shared_store},
    {"fused_store", &simt::Counters::fused_store},
    {"async_store", &simt::Counters::async_store},
    {"shared_atomic", &simt::Counters::shared_atomic}};

// Adds the counters that are not zero.
void add_traffic(json::Object& out, const simt::Counters& c) {
  for (const auto& [name, member] : kGlobal) {
    const GlobalTraffic& t = c.*member;
    if (t.requests != 0) {
      json::Object figures;
      figures.number("requests", double(t.requests)).number("sectors", double(t.sectors));
      figures.number("ideal", double(t.ideal)).number("bytes", double(t.bytes));
      if (t.lines != 0) figures.number("lines", double(t.lines));
      out.value(name, figures.str());
    }
  }
  for (const auto& [name, member] : kShared) {
    const SharedTraffic& t = c.*member;
    if (t.requests != 0) {
      json::Object figures;
      figures.number("requests", double(t.requests)).number("wavefronts", double(t.wavefronts));
      figures.number("ideal", double(t.ideal)).number("bytes", double(t.bytes));
      out.value(name, figures.str());
    }
  }
  if (c.async_lookups != 0) {
    out.number("async_lookups", double(c.async_lookups));
  }
  if (c.bulk_filled != 0) {
    out.number("bulk_filled", double(c.bulk_filled));
  }
}

void add_launch(json::Object& out, const simt::LaunchReport& r) {
  json::Object totals;
  for (const auto& [key, value] : totals_of(r)) {
    totals.number(key, value);
  }
  out.text("kernel", r.kernel).number("blocks", double(r.blocks));
  out.number("threads", r.block.x * r.block.y * r.block.z);
  out.number("shared_bytes", double(r.static_shared + r.dynamic_shared));
  out.value("totals", totals.str());
}

// The kernel's source: the file that has the most lines with counters.
std::string source_of(const simt::LaunchReport& report) {
  std::map<std::string, int> lines;
  std::string best;
  for (const simt::LineCounters& line : report.lines) {
    if (line.place.line != 0 && ++lines[line.place.file] > lines[best]) {
      best = line.place.file;
    }
  }
  return best;
}

void add_place(json::Object& out, const simt::Place& place, const std::string& source) {
  out.number("line", place.line);
  if (place.file != source) {
    out.text("file", place.file);
  }
}

std::string line_json(const simt::LineCounters& line, const std::string& source) {
  json::Object out;
  add_place(out, line.place, source);
  add_traffic(out, line.counters);
  const uint64_t fma = line.counters.fma + line.counters.fma64 + line.counters.tensor_fma;
  if (fma != 0) {
    out.number("multiply_adds", double(fma));
  }
  return out.str();
}

constexpr std::pair<const char*, uint64_t simt::ElementUse::*> kUses[] = {
    {"loaded", &simt::ElementUse::loaded},
    {"again", &simt::ElementUse::again},
    {"wide", &simt::ElementUse::wide},
    {"copied", &simt::ElementUse::copied},
    {"filled", &simt::ElementUse::filled},
    {"steps", &simt::ElementUse::steps},
    {"arrived", &simt::ElementUse::arrived},
    {"ahead", &simt::ElementUse::ahead},
    {"boxed_ahead", &simt::ElementUse::boxed_ahead},
    {"read", &simt::ElementUse::read},
    {"reread", &simt::ElementUse::reread},
    {"first", &simt::ElementUse::first},
    {"across", &simt::ElementUse::across},
    {"fma", &simt::ElementUse::fma},
    {"tensor_fma", &simt::ElementUse::tensor_fma}};

std::string use_json(const simt::ElementUse& use) {
  json::Object figures;
  for (const auto& [name, member] : kUses) {
    if (use.*member != 0) {
      figures.number(name, double(use.*member));
    }
  }
  json::Object out;
  out.number("line", use.place.line).text("array", use.matrix);
  return out.value("uses", figures.str()).str();
}

std::string barrier_json(const simt::BarrierCounters& b, const std::string& source) {
  json::Object out;
  add_place(out, b.place, source);
  out.number("barriers", double(b.barriers));
  out.number("phases", double(b.phases)).number("arrivals", double(b.arrivals));
  out.number("bytes", double(b.bytes));
  std::vector<std::string> all;
  for (const simt::BarrierCounters::Waits& waits : b.waits) {
    std::vector<std::string> warps;
    for (unsigned warp = 0; warp < 32; ++warp) {
      if ((waits.warps >> warp & 1) != 0) {
        warps.push_back(json::number(warp));
      }
    }
    json::Object at;
    add_place(at, waits.place, source);
    at.number("count", double(waits.count));
    all.push_back(at.value("warps", json::list(warps)).str());
  }
  return out.value("waits", json::list(all)).str();
}

}  // namespace

std::string json(const Problem& problem, const std::vector<simt::LaunchReport>& launches,
                 const simt::LaunchReport& all, const std::vector<simt::ElementUse>& uses) {
  std::vector<std::string> each, lines, arrays, barriers, first_block;
  for (const simt::LaunchReport& launch : launches) {
    json::Object out;
    add_launch(out, launch);
    each.push_back(out.str());
  }
  const std::string source = source_of(all);
  for (const simt::LineCounters& line : all.lines) {
    lines.push_back(line_json(line, source));
  }
  for (const simt::ArrayCounters& a : all.arrays) {
    json::Object out;
    out.number("line", a.place.line).text("array", a.array).number("size", a.size);
    add_traffic(out, a.counters);
    arrays.push_back(out.str());
  }
  for (const simt::BarrierCounters& b : all.split_barriers) {
    barriers.push_back(barrier_json(b, source));
  }
  for (const simt::ElementUse& use : uses) {
    first_block.push_back(use_json(use));
  }
  json::Object out;
  out.text("lesson", problem.lesson).text("source", source);
  out.number("M", problem.M).number("N", problem.N).number("K", problem.K);
  add_launch(out, all);
  out.number("main", double(main_of(launches))).value("launches", json::list(each));
  out.value("lines", json::list(lines)).value("arrays", json::list(arrays));
  if (!barriers.empty()) {
    out.value("split_barriers", json::list(barriers));
  }
  return (uses.empty() ? out : out.value("first_block", json::list(first_block))).str();
}

}  // namespace explain
