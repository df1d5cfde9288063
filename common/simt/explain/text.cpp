// The explanation for people: annotated source, totals, findings, what next.
#include "common/simt/explain/text.h"

#include <cstdarg>
#include <cstdio>
#include <map>

namespace explain {
namespace {

bool starts(const std::string& text, const char* with) {
  return text.rfind(with, 0) == 0;
}

std::string figure(double value, bool rate) {
  return format(rate ? "%.2f" : "%.0f", value);
}

// Whether fusing changes nothing of what fused_KEY tells.
bool is_unfused(const std::map<std::string, double>& values, const std::string& key) {
  const auto fused = values.find(key), plain = values.find("shared_" + key.substr(6));
  return fused == values.end() || plain == values.end() || fused->second == plain->second;
}

// True for fused_load_* or fused_store_* where no figure of that group differs from shared_*.
bool repeats(const std::map<std::string, double>& values, const std::string& key) {
  if (!starts(key, "fused_")) {
    return false;
  }
  const std::string group = key.substr(0, key.find('_', 6));
  return is_unfused(values, group + "_requests") && is_unfused(values, group + "_wavefronts");
}

std::string totals(const Explanation& e, const Other& other, const Colours& colour) {
  std::map<std::string, double> others(other.totals.begin(), other.totals.end());
  std::map<std::string, double> own;
  for (const Total& total : e.totals) {
    own[total.key] = total.value;
  }
  std::string out = colour.bold;
  out += format("%-42s%20s", "Totals", e.lesson.c_str());
  if (!other.name.empty()) {
    out += format("%20.19s%12s", other.name.c_str(), "ratio");
  }
  out += colour.off;
  out += '\n';
  for (const Total& total : e.totals) {
    const double before = others.count(total.key) ? others[total.key] : 0;
    if ((total.value == 0 && before == 0) ||
        (repeats(own, total.key) && repeats(others, total.key))) {
      continue;
    }
    out += format("%-42s%20s", total.label.c_str(), figure(total.value, total.rate).c_str());
    if (!other.name.empty()) {
      out += format("%20s", figure(before, total.rate).c_str());
      out += before > 0 ? format("%11.3gx", total.value / before) : format("%12s", "new");
    }
    out += '\n';
  }
  return out;
}

std::string wrapped(const std::string& text) {
  std::string out;
  size_t column = 4, begin = 0;
  while (begin < text.size()) {
    size_t end = text.find(' ', begin);
    end = end == std::string::npos ? text.size() : end;
    if (column + (end - begin) + 1 > 99) {
      out += "\n     ";
      column = 5;
    }
    out += ' ' + text.substr(begin, end - begin);
    column += end - begin + 1;
    begin = end + 1;
  }
  return out;
}

std::string findings(const Explanation& e, const Other& other, const Colours& colour) {
  std::string out = std::string(colour.bold) + "Diagnosis" + colour.off + '\n';
  for (const Finding& finding : e.findings) {
    out += std::string(finding.good ? colour.good : colour.bad) + (finding.good ? "  +" : "  -") +
           colour.off + wrapped(finding.text) + '\n';
  }
  if (!other.name.empty()) {
    out += std::string(colour.bold) + "Diagnosis of " + other.name + colour.off + '\n';
    for (const std::string& finding : other.findings) {
      out += finding.substr(0, 3) + wrapped(finding.substr(3)) + '\n';
    }
  }
  return out;
}

}  // namespace

std::string format(const char* how, ...) {
  char text[512];
  va_list list;
  va_start(list, how);
  std::vsnprintf(text, sizeof text, how, list);
  va_end(list);
  return text;
}

std::string text(const Explanation& e, const Other& other, bool on) {
  const Colours colour(on);
  std::string out = std::string(colour.bold) + e.lesson + colour.off;
  out += format(", M N K = %d %d %d%s:", e.M, e.N, e.K, e.strides.c_str());
  for (const Launch& l : e.launches) {
    out += e.launches.size() == 1 ? " " : "\n  " + l.kernel + "(): ";
    out +=
        format("%llu block%s of %u threads, %zu bytes of shared memory each",
               (unsigned long long)l.blocks, l.blocks == 1 ? "" : "s", l.threads, l.shared_bytes);
  }
  out += '\n';
  out += '\n';
  out += annotated(e, other, colour) + '\n' + totals(e, other, colour) + '\n' +
         findings(e, other, colour);
  out += e.note.empty() ? "" : '\n' + e.note + '\n';
  out += '\n' + next_step(e, colour);
  out += std::string("\n") + colour.faint +
         "Not modelled: cache hits, latency, occupancy, registers and spills (see "
         "docs/contribute/cpu_backend.md).\n" +
         colour.off;
  return out;
}

}  // namespace explain
