// The kernel's source with figures.
#include <algorithm>
#include <fstream>
#include <map>

#include "common/harness/device/cuda_error.h"
#include "common/simt/explain/text.h"

namespace explain {
namespace {

constexpr size_t kCodeWidth = 49;  // beside the figures; longer code has them on the next row

constexpr size_t kLongest = 120;  // code that is shown whole

struct Sum {
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

void add(LineFigures& line, const simt::Counters& c) {
  Sum sums[2];
  for (const simt::GlobalTraffic* t :
       {&c.global_load, &c.global_store, &c.global_atomic, &c.async_load}) {
    sums[0].add(*t);
  }
  for (const simt::SharedTraffic* t :
       {&c.shared_load, &c.shared_store, &c.shared_atomic, &c.matrix_load, &c.async_store}) {
    sums[1].add(*t);
  }
  for (int memory = 0; memory < 2; ++memory) {
    line.requests[memory] += sums[memory].requests;
    line.cost[memory] += sums[memory].cost;
  }
}

// The two groups of columns. bad: whether to colour each.
std::string cells(const LineFigures& line, const LineFigures& all, const bool (&bad)[2],
                  const Colours& colour) {
  std::string out;
  for (int memory = 0; memory < 2; ++memory) {
    const double requests = line.requests[memory], cost = line.cost[memory];
    if (requests == 0) {
      out += std::string(22, ' ');
      continue;
    }
    out += format("%10.0f%s%6.1f%s%5.0f%%", requests, bad[memory] ? colour.bad : "",
                  cost / requests, bad[memory] ? colour.off : "",
                  all.cost[memory] > 0 ? 100 * cost / all.cost[memory] : 0);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

LineFigures sum_of(const std::vector<LineFigures>& lines) {
  LineFigures all;
  for (const LineFigures& line : lines) {
    for (int memory = 0; memory < 2; ++memory) {
      all.requests[memory] += line.requests[memory];
      all.cost[memory] += line.cost[memory];
    }
  }
  return all;
}

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

bool is_bad(const Explanation& e, int line, bool shared) {
  return std::any_of(e.findings.begin(), e.findings.end(), [&](const Finding& finding) {
    return !finding.good && finding.line == line && finding.shared == shared;
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

// From the first device function to the end of the kernel.
std::pair<size_t, size_t> shown_lines(const std::vector<std::string>& code, size_t first,
                                      size_t last) {
  for (size_t i = last; i < code.size(); ++i) {
    if (code[i].find("__global__") != std::string::npos) {
      last = i + 1;
    }
  }
  while (last < code.size() && !starts(code[last - 1], "}")) {
    ++last;
  }
  for (size_t i = 1; i <= first && i <= code.size(); ++i) {
    if (starts(code[i - 1], "__device__") || starts(code[i - 1], "__global__") ||
        starts(code[i - 1], "template")) {
      return {i, last};
    }
  }
  return {first, last};
}

std::string shortened(const std::string& line) {
  return line.size() > kLongest ? line.substr(0, kLongest - 3) + "..." : line;
}

// The other program's figures of the first line with this code that has not been shown, if they differ.
std::string beside(const LineFigures& line, std::vector<LineFigures>& left, const Other& other,
                   const Colours& colour) {
  for (auto at = left.begin(); at != left.end(); ++at) {
    if (at->code != line.code) {
      continue;
    }
    const LineFigures found = *at;
    left.erase(at);
    if (std::equal(found.requests, found.requests + 2, line.requests) &&
        std::equal(found.cost, found.cost + 2, line.cost)) {
      return "";
    }
    const std::string label = format("%.30s, line %d", other.name.c_str(), found.line);
    return colour.faint + format("%*s", int(kCodeWidth) + 6, label.c_str()) +
           cells(found, sum_of(other.lines), {false, false}, colour) + colour.off + '\n';
  }
  return "";
}

constexpr const char* kLegend =
    "requests  how often a warp asked the memory: one instruction, up to 32 lanes together\n"
    "sect.     sectors of 32 bytes per request; 32 neighbouring floats fill 4\n"
    "waves     passes through the 32 banks of shared memory per request; 1 is the best for 4 bytes "
    "a lane\n"
    "share     this line's part of all sectors, or of all passes\n";

}  // namespace

std::vector<LineFigures> figures_of(const Explanation& e) {
  const std::string path = main_file(e.report);
  const std::vector<std::string> code = read_lines(path);
  std::vector<LineFigures> lines;
  for (const simt::LineCounters& counted : e.report.lines) {
    LineFigures line;
    line.line = counted.place.line;
    add(line, counted.counters);
    if (counted.place.file == path && line.line > 0 && size_t(line.line) <= code.size() &&
        line.requests[0] + line.requests[1] > 0) {
      line.code = trimmed(code[size_t(line.line) - 1]);
      lines.push_back(line);
    }
  }
  return lines;
}

std::string annotated(const Explanation& e, const Other& other, const Colours& colour) {
  const std::vector<std::string> code = read_lines(main_file(e.report));
  const std::vector<LineFigures> lines = figures_of(e);
  if (lines.empty()) {
    return "";
  }
  LineFigures all;
  add(all, e.report.total);
  std::vector<LineFigures> left = other.lines;
  const auto [begin, end] =
      shown_lines(code, size_t(lines.front().line), size_t(lines.back().line));
  std::string out = format("%s%*s%22s%22s%s\n", colour.bold, int(kCodeWidth) + 6, "",
                           "global memory", "shared memory", colour.off);
  out += format("%sline  %-*s%10s%6s%6s%10s%6s%6s%s\n", colour.bold, int(kCodeWidth), "code",
                "requests", "sect.", "share", "requests", "waves", "share", colour.off);
  auto next = lines.begin();
  for (size_t number = begin; number <= end && number <= code.size(); ++number) {
    const std::string line = shortened(code[number - 1]);
    out += format("%s%4zu%s  ", colour.faint, number, colour.off) + line;
    if (next == lines.end() || size_t(next->line) != number) {
      out += '\n';
      continue;
    }
    out += line.size() > kCodeWidth ? '\n' + std::string(6 + kCodeWidth, ' ')
                                    : std::string(kCodeWidth - line.size(), ' ');
    const bool bad[2] = {is_bad(e, next->line, false), is_bad(e, next->line, true)};
    out += cells(*next, all, bad, colour) + '\n' + beside(*next, left, other, colour);
    ++next;
  }
  return out + kLegend;
}

}  // namespace explain
