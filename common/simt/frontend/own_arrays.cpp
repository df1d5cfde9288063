// Arrays in kernels that lack their __shared__.
#include <map>
#include <set>
#include <string>
#include <utility>

#include "common/simt/frontend/parts.h"
#include "common/simt/frontend/text/declarations.h"

namespace simt {
namespace {

// The arrays of a kernel that each thread has for itself, although it picks elements by its number: nvcc keeps these in
// local memory, and what a thread stores there no other ever sees.
class OwnArrays {
 public:
  OwnArrays(const Source& source, const Function& kernel) : source_(source), kernel_(kernel) {}

  std::string warnings() {
    bool together = false;
    for (size_t i = kernel_.body; i < kernel_.end; ++i) {
      together = together || is(i, "__syncthreads");
      if (i == kernel_.body || is(i, ";") || is(i, "{") || is(i, "}")) declaration(i + 1);
      if (source_.identifier(i) && is(i + 1, "=") && !is(i + 2, "=")) {
        by_number_.erase(source_.word(i));
        if (differs(i + 2, ";") != 0) by_number_.insert(source_.word(i));
      }
      const auto array = arrays_.find(source_.word(i));
      if (array != arrays_.end() && array->second != i && !is(i - 1, ".")) pick(*array, i);
    }
    return together ? warnings_ : "";
  }

 private:
  bool is(size_t i, const char* what) const { return source_.is(i, what); }

  // Keeps the arrays of the statement at token i, where it declares some without a value.
  void declaration(size_t i) {
    while (is(i, "alignas") || is(i, "__align__")) i += source_.closing(i);
    if (!source_.identifier(i) || !source_.identifier(i + 1)) return;
    std::map<std::string, size_t> found;
    for (int depth = 0; i < kernel_.end && !is(i, ";"); ++i) {
      if (is(i, "__shared__") || is(i, "static") || is(i, "=") || is(i, "(") || is(i, "{")) return;
      if (depth == 0 && source_.identifier(i) && is(i + 1, "[")) found[source_.word(i)] = i;
      depth += is(i, "[") - is(i, "]");
    }
    for (const auto& each : found) arrays_[each.first] = each.second;
  }

  // The first token from i up to `end` that differs by thread; 0 if none does.
  size_t differs(size_t i, const char* end) const {
    for (; i < kernel_.end && !is(i, end) && !is(i, ";"); ++i) {
      if (is(i, "threadIdx") || by_number_.count(source_.word(i)) != 0) return i;
    }
    return 0;
  }

  // The array is used at token i.
  void pick(const std::pair<const std::string, size_t>& array, size_t i) {
    for (size_t open = i + 1; is(open, "["); ++open) {
      const size_t by = differs(open, "]");
      if (by != 0 && told_.insert(array.second).second) {
        warnings_ += source_.place(array.second) + ": warning: " + array.first +
                     " has no __shared__: each thread has its own " + array.first + ", yet " +
                     source_.word(by) +
                     ", which differs by thread, picks its elements [-Wown-array]\n";
      }
      while (open < kernel_.end && !is(open, "]")) ++open;
    }
  }

  const Source& source_;
  const Function& kernel_;
  std::map<std::string, size_t> arrays_;  // by name, where they are declared
  std::set<size_t> told_;
  std::string warnings_;
  std::set<std::string> by_number_;  // variables that differ by thread
};

}  // namespace

std::string own_arrays(const Source& source) {
  std::string all;
  for (const Function& each : functions_of(source)) {
    if (each.kernel && each.body != 0) all += OwnArrays(source, each).warnings();
  }
  return all;
}

}  // namespace simt
