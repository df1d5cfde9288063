// The summary as text.
#include <cstdio>
#include <cstring>

#include "reports/collect.h"

namespace simt {
namespace {

std::string text_of(const dim3& d) {
  return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

// One kind of traffic of a line: "global loads: 256 requests, 8192 sectors (fewest 1024)"; "" if there is none.
template <typename Traffic>
std::string traffic(const char* label, const Traffic& t, uint64_t cost, const char* unit) {
  if (t.requests == 0) return "";
  std::string text = std::string(label) + ": " + std::to_string(t.requests) + " requests, " +
                     std::to_string(cost) + " " + unit;
  if (cost != t.ideal) text += " (fewest " + std::to_string(t.ideal) + ")";
  return text;
}

std::vector<std::string> texts_of(const Counters& c) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) all.push_back(text);
  };
  const auto global = [&](const char* label, const GlobalTraffic& t) {
    add(traffic(label, t, t.sectors, "sectors"));
  };
  const auto shared = [&](const char* label, const SharedTraffic& t) {
    add(traffic(label, t, t.wavefronts, "wavefronts"));
  };
  const auto number = [&](uint64_t count, const char* unit) {
    if (count != 0) all.push_back(std::to_string(count) + " " + unit);
  };
  global("global loads", c.global_load);
  global("global stores", c.global_store);
  global("global atomics", c.global_atomic);
  global("reads by cp.async", c.async_load);
  global("loads by TMA", c.bulk_load);
  global("stores by TMA", c.bulk_store);
  shared("shared loads", c.shared_load);
  shared("shared stores", c.shared_store);
  shared("shared atomics", c.shared_atomic);
  shared("writes by cp.async", c.async_store);
  shared("ldmatrix and WMMA loads", c.matrix_load);
  number(c.fma, "multiply-adds in FP32");
  number(c.fma64, "multiply-adds in FP64");
  number(c.tensor_fma, "multiply-adds on tensor cores");
  return all;
}

}  // namespace

std::string summary_text() {
  std::string out;
  for (const KernelSummary& kernel : summary()) {
    out += kernel.kernel + ": " + std::to_string(kernel.launches) +
           (kernel.launches == 1 ? " launch, " : " launches, ") + std::to_string(kernel.blocks) +
           " blocks; the last one: a grid of " + text_of(kernel.grid) + " blocks of " +
           text_of(kernel.block) + " threads\n";
    if (!kernel.counted) out += "  not counted\n";
    for (const LineCounters& line : kernel.lines) {
      const std::string place = line.place.line == 0 ? "(no line)"
                                                     : short_path(line.place.file) + ":" +
                                                           std::to_string(line.place.line);
      for (const std::string& text : texts_of(line.counters)) {
        out += "  " + place + "  " + text + "\n";
      }
    }
  }
  return out;
}

}  // namespace simt
