// Shared by the parts of the explanation for people.
#pragma once
#include <string>

#include "common/simt/explain/explain.h"

namespace explain {

std::string format(const char* how, ...) __attribute__((format(printf, 1, 2)));

// Empty strings where no colour is wanted.
struct Colours {
  const char *bad = "", *good = "", *faint = "", *bold = "", *off = "";
  explicit Colours(bool on) {
    if (on) {
      bad = "\033[31m", good = "\033[32m", faint = "\033[2m", bold = "\033[1m", off = "\033[0m";
    }
  }
};

// The kernel's source with the figures of each line, those of equal lines of the other program below
// them, and a legend. Throws UsageError if the source cannot be read.
std::string annotated(const Explanation& e, const Other& other, const Colours& colour);

// The lines with figures, for annotated() in another process.
std::vector<LineFigures> figures_of(const Explanation& e);

// What to do next: the line that costs most and the command for what the ladder makes of it.
std::string next_step(const Explanation& e, const Colours& colour);

}  // namespace explain
