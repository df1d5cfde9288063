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
  const double asked = std::max(1.0, double(t.bytes) / 32 / requests);
  const double needed = std::max(1.0, double(t.ideal) / requests);
  std::string text =
      subject(a, verb) + ": " + plural(lanes, "lane") + ", " + plural(sectors, "sector") + ": ";
  const bool torn = a.counters.async_lookups < a.counters.async_load.sectors;
  // Rows that begin in the middle of a sector touch one more.
  const bool good = sectors < std::max(1.5 * needed, std::ceil(needed - 0.01) + 1.05) && !torn;
  if (!good) {
    text += torn ? "rows that begin 16 bytes off a sector in one memory only take it twice"
                 : "uncoalesced";
    text += " (" + plural(std::ceil(needed - 0.01), "sector") + " would do)";
  } else if (sectors < 0.6 * asked) {
    text += sectors < 1.05 ? "broadcast" : "lanes share sectors";
  } else {
    text += "coalesced";
  }
  all.push_back(
      {good ? 0 : double(t.sectors) - needed * requests, {good, text, a.place.line, false}});
}

// Passes that the width of the accesses takes without any conflict: 16 bytes a lane take four, and
// fewer where lanes read the same.
double passes(const ArrayCounters& a, const SharedTraffic& t) {
  const double width = std::min(double(t.bytes) / 128, double(t.requests) * a.size / 4);
  return std::max(double(t.ideal), width);
}

// fused: the same accesses as nvcc fuses them; no requests for those that it does not touch.
void judge_shared(std::vector<Ranked>& all, const ArrayCounters& a, const SharedTraffic& t,
                  const SharedTraffic& fused, const char* verb) {
  if (t.requests == 0 || t.ideal == 0) {
    return;
  }
  const double needed = passes(a, t);
  const double ways = double(t.wavefronts) / needed;
  if (ways < 1.2) {
    return;  // summed up in one sentence
  }
  std::string text = subject(a, verb) + ": " + number(ways) + "-way bank conflict (" +
                     plural(double(t.wavefronts) / double(t.requests), "wavefront") +
                     " per request, " + number(needed / double(t.requests)) + " without conflicts)";
  const bool good =
      fused.requests != 0 && fused.requests < t.requests &&
      double(fused.wavefronts) < 1.2 * std::max(double(fused.ideal), double(fused.bytes) / 128);
  if (good) {
    text += ", gone where nvcc fuses them to wider accesses";
  }
  all.push_back({good ? 0 : double(t.wavefronts) - needed, {good, text, a.place.line, true}});
}

// Copies wait for banks of their source as well, which lies in the L1 cache, or, of 16 bytes, for
// sectors that cannot be written together.
void judge_copy(std::vector<Ranked>& all, const ArrayCounters& a) {
  const SharedTraffic& t = a.counters.async_store;
  const double needed = passes(a, t);
  if (t.requests == 0 || double(t.wavefronts) < 1.2 * needed) {
    return;
  }
  const double requests = double(t.requests);
  all.push_back(
      {double(t.wavefronts) - needed,
       {false,
        subject(a, "filled by cp.async") + ": " +
            plural(double(t.wavefronts) / requests, "wavefront") + " per request, " +
            number(needed / requests) +
            (a.size == 16 ? " if rows had the same offset modulo 128 bytes in both memories"
                          : " if lanes shared no bank, of the source or of the destination"),
        a.place.line, true}});
}

}  // namespace

std::vector<Finding> diagnose(const simt::LaunchReport& report) {
  const SharedTraffic none;
  std::vector<Ranked> all;
  long used = 0;  // kinds of accesses to shared memory
  for (const ArrayCounters& a : report.arrays) {
    const simt::Counters& c = a.counters;
    judge_global(all, a, c.global_load, "read");
    judge_global(all, a, c.async_load, "copied by cp.async");
    judge_global(all, a, c.global_store, "written");
    judge_shared(all, a, c.shared_load, c.fused_load, "read");
    judge_shared(all, a, c.matrix_load, none, "read as fragments");
    judge_shared(all, a, c.shared_store, c.fused_store, "store");
    judge_copy(all, a);
    for (const SharedTraffic* t :
         {&c.shared_load, &c.matrix_load, &c.shared_store, &c.async_store}) {
      used += t->requests != 0;
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Ranked& a, const Ranked& b) { return a.waste > b.waste; });
  std::vector<Finding> findings;
  findings.reserve(all.size() + 1);
  for (const Ranked& ranked : all) {
    findings.push_back(ranked.finding);
  }
  const auto reported = std::count_if(findings.begin(), findings.end(),
                                      [](const Finding& finding) { return finding.shared; });
  if (used > reported) {
    findings.push_back({true,
                        std::string(reported == 0 ? "Shared memory" : "Other shared accesses") +
                            ": no bank conflicts",
                        0, true});
  }
  return findings;
}

}  // namespace explain
