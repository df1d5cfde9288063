// The explanation for people: annotated source, totals, findings, footer. At most 100 columns.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <map>

#include "common/check.h"
#include "common/simt/explain/explain.h"

namespace explain {
namespace {

constexpr size_t kCodeWidth = 49;  // beside the figures; longer code has them on the next row

std::string format(const char* how, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* how, ...) {
  char text[512];
  va_list list;
  va_start(list, how);
  std::vsnprintf(text, sizeof text, how, list);
  va_end(list);
  return text;
}

struct Colours {
  const char *bad = "", *good = "", *faint = "", *bold = "", *off = "";
  explicit Colours(bool on) {
    if (on) {
      bad = "\033[31m", good = "\033[32m", faint = "\033[2m", bold = "\033[1m", off = "\033[0m";
    }
  }
};

// Global and shared traffic of a line, loads and stores together.
struct Traffic {
  double requests = 0, cost = 0;

  void add(const simt::GlobalTraffic& t) {
    requests += double(t.requests);
    cost += double(t.sectors);
  }
  void add(const simt::SharedTraffic& t) {
    requests += double(t.requests);
    cost += double(t.wavefronts);
  }
};

Traffic global_of(const simt::Counters& c) {
  Traffic t;
  t.add(c.global_load);
  t.add(c.global_store);
  t.add(c.global_atomic);
  t.add(c.async_load);
  return t;
}

Traffic shared_of(const simt::Counters& c) {
  Traffic t;
  t.add(c.shared_load);
  t.add(c.shared_store);
  t.add(c.shared_atomic);
  t.add(c.matrix_load);
  t.add(c.async_store);
  return t;
}

std::string cells(const Traffic& t, const Traffic& all, bool bad, const Colours& colour) {
  if (t.requests == 0) {
    return format("%10s%6s%6s", "", "", "");
  }
  return format("%10.0f%s%6.1f%s%5.0f%%", t.requests, bad ? colour.bad : "", t.cost / t.requests,
                bad ? colour.off : "", all.cost > 0 ? 100 * t.cost / all.cost : 0);
}

bool is_bad(const Explanation& e, size_t line, bool shared) {
  return std::any_of(e.findings.begin(), e.findings.end(), [&](const Finding& finding) {
    return !finding.good && size_t(finding.line) == line && finding.shared == shared;
  });
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line);
  }
  if (lines.empty()) {
    throw UsageError("cannot read the source '" + path + "'");
  }
  return lines;
}

// The file of the kernel: the one with most of the lines that have counters.
std::string main_file(const simt::LaunchReport& report) {
  std::map<std::string, int> lines;
  std::string best;
  for (const simt::LineCounters& line : report.lines) {
    if (line.place.line != 0 && ++lines[line.place.file] > lines[best]) {
      best = line.place.file;
    }
  }
  return best;
}

bool starts(const std::string& text, const char* with) {
  return text.rfind(with, 0) == 0;
}

// From the first device function to the end of the last line with counters' function.
std::pair<size_t, size_t> shown_lines(const std::vector<std::string>& code, size_t first,
                                      size_t last) {
  while (last < code.size() && !starts(code[last - 1], "}")) {
    ++last;
  }
  size_t begin = first;
  for (size_t i = 1; i <= first && i <= code.size(); ++i) {
    if (starts(code[i - 1], "__device__") || starts(code[i - 1], "__global__") ||
        starts(code[i - 1], "template")) {
      begin = i;
      break;
    }
  }
  return {begin, last};
}

// A line of source that leaves room for its number.
std::string shortened(const std::string& line) {
  return line.size() > 94 ? line.substr(0, 91) + "..." : line;
}

std::string annotated(const Explanation& e, const Colours& colour) {
  const std::string path = main_file(e.report);
  const std::vector<std::string> code = read_lines(path);
  std::map<size_t, const simt::Counters*> counters;
  for (const simt::LineCounters& line : e.report.lines) {
    const bool used = global_of(line.counters).requests + shared_of(line.counters).requests > 0;
    if (line.place.file == path && line.place.line > 0 && used) {
      counters[size_t(line.place.line)] = &line.counters;
    }
  }
  if (counters.empty()) {
    return "";
  }
  const Traffic global = global_of(e.report.total), shared = shared_of(e.report.total);
  const auto [begin, end] = shown_lines(code, counters.begin()->first, counters.rbegin()->first);
  std::string out = format("%s%*s%22s%22s%s\n", colour.bold, int(kCodeWidth) + 6, "",
                           "global memory", "shared memory", colour.off);
  out += format("%sline  %-*s%10s%6s%6s%10s%6s%6s%s\n", colour.bold, int(kCodeWidth), "code",
                "requests", "sect.", "share", "requests", "waves", "share", colour.off);
  for (size_t number = begin; number <= end && number <= code.size(); ++number) {
    const std::string& line = code[number - 1];
    const auto found = counters.find(number);
    out += format("%s%4zu%s  ", colour.faint, number, colour.off);
    if (found == counters.end()) {
      out += shortened(line) + '\n';
      continue;
    }
    if (line.size() > kCodeWidth) {
      out += shortened(line) + '\n' + std::string(6 + kCodeWidth, ' ');
    } else {
      out += line + std::string(kCodeWidth - line.size(), ' ');
    }
    out += cells(global_of(*found->second), global, is_bad(e, number, false), colour) +
           cells(shared_of(*found->second), shared, is_bad(e, number, true), colour);
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out +
         "sect.: sectors of 32 bytes per request of a warp; waves: passes through the banks "
         "per request.\n";
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

std::string text(const Explanation& e, const Other& other, bool on) {
  const Colours colour(on);
  const simt::LaunchReport& r = e.report;
  std::string out = std::string(colour.bold) + e.lesson + colour.off;
  out +=
      format(", M N K = %d %d %d: %llu block%s of %u threads, %zu bytes of shared memory each\n\n",
             e.M, e.N, e.K, (unsigned long long)r.blocks, r.blocks == 1 ? "" : "s",
             r.block.x * r.block.y * r.block.z, r.static_shared + r.dynamic_shared);
  out += annotated(e, colour) + '\n' + totals(e, other, colour) + '\n' + findings(e, other, colour);
  out += e.note.empty() ? "" : '\n' + e.note + '\n';
  out += std::string("\n") + colour.faint +
         "Not modelled: cache hits, latency, occupancy, registers and spills (see "
         "docs/cpu_backend.md).\n" +
         colour.off;
  return out;
}

}  // namespace explain
