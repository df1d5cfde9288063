// What is good and bad about the accesses of a kernel, in plain words.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/simt/explain/explain.h"

namespace explain {
namespace {

using simt::ArrayCounters;
using simt::GlobalTraffic;
using simt::SharedTraffic;

struct Ranked {
  double waste;  // sectors or wavefronts that are more than needed
  Finding finding;
};

std::string number(double value) {
  char text[32];
  const double rounded = std::round(value);
  std::snprintf(text, sizeof text, std::abs(value - rounded) < 0.05 ? "%.0f" : "%.1f", value);
  return text;
}

std::string plural(double value, const char* unit) {
  return number(value) + " " + unit + (number(value) == "1" ? "" : "s");
}

// "A read at line 30" with the width of wide accesses.
std::string subject(const ArrayCounters& a, const char* verb) {
  std::string text = a.array + " " + verb + " at line " + std::to_string(a.place.line);
  return a.size > 4 ? text + " (" + std::to_string(a.size) + " bytes a lane)" : text;
}

void judge_global(std::vector<Ranked>& all, const ArrayCounters& a, const GlobalTraffic& t,
                  const char* verb) {
  if (t.requests == 0 || t.bytes == 0) {
    return;
  }
  const double requests = double(t.requests);
  const double lanes = double(t.bytes) / a.size / requests;
  const double sectors = double(t.sectors) / requests;
  const double needed = std::max(1.0, double(t.bytes) / 32 / requests);
  std::string text =
      subject(a, verb) + ": " + plural(lanes, "lane") + ", " + plural(sectors, "sector") + ": ";
  const bool good = sectors < 1.5 * needed;
  if (!good) {
    text += "uncoalesced (" + plural(std::ceil(needed - 0.01), "sector") + " would do)";
  } else if (sectors < 0.6 * needed) {
    text += sectors < 1.05 ? "broadcast" : "lanes share sectors";
  } else {
    text += "coalesced";
  }
  all.push_back({good ? 0 : double(t.sectors) - needed * requests, {good, text}});
}

void judge_shared(std::vector<Ranked>& all, const ArrayCounters& a, const SharedTraffic& t,
                  const char* verb) {
  if (t.requests == 0 || t.ideal == 0) {
    return;
  }
  const double ways = double(t.wavefronts) / double(t.ideal);
  if (ways < 1.2) {
    return;  // summed up in one sentence
  }
  const std::string text = subject(a, verb) + ": " + number(ways) + "-way bank conflict (" +
                           plural(double(t.wavefronts) / double(t.requests), "wavefront") +
                           " per request, " + number(double(t.ideal) / double(t.requests)) +
                           " without conflicts)";
  all.push_back({double(t.wavefronts - t.ideal), {false, text}});
}

}  // namespace

std::vector<Finding> diagnose(const simt::LaunchReport& report) {
  std::vector<Ranked> all;
  for (const ArrayCounters& a : report.arrays) {
    const simt::Counters& c = a.counters;
    judge_global(all, a, c.global_load, "read");
    judge_global(all, a, c.async_load, "copied by cp.async");
    judge_global(all, a, c.global_store, "written");
    judge_shared(all, a, c.shared_load, "read");
    judge_shared(all, a, c.matrix_load, "read as fragments");
    judge_shared(all, a, c.shared_store, "store");
    judge_shared(all, a, c.async_store, "store by cp.async");
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Ranked& a, const Ranked& b) { return a.waste > b.waste; });
  std::vector<Finding> findings;
  for (const Ranked& ranked : all) {
    findings.push_back(ranked.finding);
  }
  const simt::Counters& c = report.total;
  const SharedTraffic* const shared[] = {&c.shared_load, &c.matrix_load, &c.shared_store,
                                         &c.async_store};
  uint64_t requests = 0, extra = 0;
  for (const SharedTraffic* t : shared) {
    requests += t->requests;
    extra += t->wavefronts - t->ideal;
  }
  if (requests != 0 && extra == 0) {
    findings.push_back({true, "Shared memory: no bank conflicts"});
  }
  return findings;
}

}  // namespace explain
