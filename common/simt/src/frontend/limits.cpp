// Stores launch limits of kernels in the program as sizes of arrays, which the runtime reads in the symbol table.
#include <algorithm>
#include <string>
#include <vector>

#include "frontend/parts.h"
#include "frontend/text/declarations.h"

namespace simt {
namespace {

// Returns the ( of the parameter list in the function declaration that contains token i; 0 if there is none.
size_t parameters(const Source& source, size_t i) {
  for (; i < source.size() && !source.is(i, ";") && !source.is(i, "{"); ++i) {
    if (source.is(i, "alignas") || source.is(i, "__attribute__") ||
        source.is(i, "__launch_bounds__") || source.is(i, "__cluster_dims__")) {
      i += source.closing(i) - 1;
    } else if (source.is(i, "(")) {
      return i;
    }
  }
  return 0;
}

// Returns the token after the argument that begins at token i, at most `end`.
size_t argument_end(const Source& source, size_t i, size_t end) {
  for (int depth = 0; i < end && (depth != 0 || !source.is(i, ",")); ++i) {
    depth += source.is(i, "(") || source.is(i, "[") || source.is(i, "{");
    depth -= source.is(i, ")") || source.is(i, "]") || source.is(i, "}");
  }
  return i;
}

}  // namespace

void note_limits(Source& source) {
  for (size_t i = 0; i + 1 < source.size(); ++i) {
    const bool bounds = source.is(i, "__launch_bounds__");
    if ((!bounds && !source.is(i, "__cluster_dims__")) || !source.is(i + 1, "(")) {
      continue;
    }
    const size_t end = i + source.closing(i), open = parameters(source, end);
    const size_t body = open == 0 ? 0 : open + source.closing(open - 1) - 1;
    if (open == 0 || !source.is(body, "{")) {
      continue;
    }
    std::vector<std::string> names = {"simt_cluster_x", "simt_cluster_y", "simt_cluster_z"};
    if (bounds) {
      names = {"simt_bounds"};
    }
    size_t at = i + 2;
    for (const std::string& name : names) {
      const size_t next = argument_end(source, at, end - 1);
      const std::string value = next == at ? "1" : source.text(at, next);
      if (next != at || !bounds) {
        source.insert(source.at(body).end,
                      " __attribute__((used)) static char " + name + "[" + value + "];");
      }
      at = std::min(next + 1, end - 1);
    }
  }
}

void note_grid_constants(Source& source) {
  for (size_t i = 1; i + 1 < source.size(); ++i) {
    if (!source.is(i, "__grid_constant__")) {
      continue;
    }
    size_t open = i;
    for (int depth = 0; open > 1 && depth >= 0;) {
      --open;
      depth += source.is(open, ")");
      depth -= source.is(open, "(");
    }
    const size_t close = open + source.closing(open - 1) - 2;
    const size_t end = argument_end(source, i, close);
    if (source.is(close + 1, "{") && source.identifier(end - 1)) {
      source.insert(source.at(close + 1).end, " ::simt::grid_constant(&" + source.word(end - 1) +
                                                  ", sizeof " + source.word(end - 1) + ");");
    }
  }
}

void note_flat(Source& source) {
  bool x = false, y = false, other = false;
  for (size_t i = 0; i < source.size(); ++i) {
    const bool member = source.is(i, "threadIdx") && source.is(i + 1, ".");
    x = x || (member && source.is(i + 2, "x"));
    y = y || (member && source.is(i + 2, "y"));
    other = other || (member && source.is(i + 2, "z")) || (source.is(i, "threadIdx") && !member) ||
            source.is(i, "this_thread_block") || source.is(i, "asm") || source.is(i, "__asm__");
  }
  if (!x || other) return;
  for (const Function& each : functions_of(source)) {
    if (each.kernel && each.body != 0) {
      source.insert(
          source.at(each.body).end,
          std::string(" __attribute__((used)) static char simt_flat[") + (y ? "2" : "1") + "];");
    }
  }
}

}  // namespace simt
