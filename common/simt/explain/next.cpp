// What to look at next.
#include <algorithm>
#include <sstream>

#include "common/simt/explain/text.h"

namespace explain {

extern const char* const kLessons;  // the folders of the nine, in order, with blanks between

namespace {

// The lesson behind this one, but not before least ("02"); empty if there is none.
std::string lesson_behind(const std::string& lesson, const std::string& least) {
  std::istringstream names(kLessons);
  for (std::string name; names >> name;) {
    if (name.substr(0, 2) > lesson.substr(0, 2) && name.substr(0, 2) >= least) {
      return name;
    }
  }
  return "";
}

}  // namespace

std::string next_step(const Explanation& e, const Colours& colour) {
  const std::vector<LineFigures> lines = figures_of(e);
  std::string out, least;
  const auto bad = std::find_if(e.findings.begin(), e.findings.end(),
                                [](const Finding& finding) { return !finding.good; });
  if (bad != e.findings.end() && bad->line != 0) {
    // In which order a warp's lanes take the elements is the subject of 02.
    least = "02";
    out = format("line %d wastes the most %s", bad->line, bad->shared ? "passes" : "sectors");
  } else {
    // 128 bytes travel in one pass: four sectors weigh as much.
    const auto cost = [](const LineFigures& line) { return line.cost[0] / 4 + line.cost[1]; };
    const auto most = std::max_element(
        lines.begin(), lines.end(),
        [&](const LineFigures& a, const LineFigures& b) { return cost(a) < cost(b); });
    if (most == lines.end()) {
      return "";
    }
    out = format("line %d costs the most", most->line);
  }
  const std::string number = e.lesson.substr(0, 2), other = lesson_behind(e.lesson, least);
  const bool known =
      (" " + std::string(kLessons) + " ").find(" " + e.lesson + " ") != std::string::npos;
  if (known && !other.empty()) {
    out += "; ./ladder explain " + other.substr(0, 2) + " --against " + number +
           " shows what becomes of it";
  } else if (known) {
    out += "; exercises on it: " + e.lesson + "/README.md";
  }
  return std::string(colour.bold) + "Next" + colour.off + "  " + out + '\n';
}

}  // namespace explain
