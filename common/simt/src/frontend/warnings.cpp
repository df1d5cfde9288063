// Warnings: local arrays of a kernel that probably lack __shared__, alignas(16) or an initial value, dim3 with a comma
// operator, two arrays of dynamic shared memory, #pragma unroll before no loop, and constructors of vectors.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/parts.h"
#include "frontend/text/declarations.h"
#include "frontend/text/pattern.h"

namespace simt {
namespace {

// Warns of local arrays of a kernel whose elements are stored by the thread's number, or are read so where a function
// fills them: each thread has its own copy, which no other thread can read. Also warns of local arrays that are added to before they have a value.
class OwnArrays {
 public:
  OwnArrays(const Source& source, const Function& kernel, const std::vector<Function>& all)
      : source_(source), kernel_(kernel), all_(all) {}

  std::string warnings() {
    bool together = false;
    for (size_t i = kernel_.body; i < kernel_.end; ++i) {
      together = together || is(i, "__syncthreads");
      if (is(i, "__syncthreads") && is(i + 1, ";")) {
        warn({"__syncthreads", i}, " is not called: write __syncthreads();");
      }
      if (i == kernel_.body || is(i, ";") || is(i, "{") || is(i, "}")) declaration(i + 1);
      if (source_.identifier(i) && is(i + 1, "=") && !is(i + 2, "=")) {
        by_number_.erase(source_.word(i));
        if (differs(i + 2, ";") != 0) by_number_.insert(source_.word(i));
      }
      const auto array = arrays_.find(source_.word(i));
      if (array != arrays_.end() && array->second != i && !is(i - 1, ".")) {
        if (used_.insert(array->second).second && is_added_to(i)) warn(*array, kNoValue);
        if (unaligned_.count(array->second) != 0 && is_read_as_float4(i)) {
          unaligned_.erase(array->second);
          warn(*array,
               " is accessed as float4, so it must begin at a multiple of 16 bytes: declare it "
               "alignas(16)");
        }
        const bool stored = is_stored_to(i);
        if (stored) stored_.insert(*array);
        const size_t by = picked_by(i);
        if (by != 0) (stored ? picked_ : read_).insert({*array, by});
      }
    }
    for (const auto& each : read_) {
      if (stored_.count(each.first) == 0) picked_.insert(each);  // a function fills it
    }
    for (const auto& [array, by] : picked_) {
      if (together) {
        warn(array, " has no __shared__: each thread has its own " + array.first + ", yet " +
                        source_.word(by) + ", which differs by thread, picks its elements");
      }
    }
    return warnings_;
  }

 private:
  using Array = std::pair<std::string, size_t>;

  bool is(size_t i, const char* what) const { return source_.is(i, what); }

  // Records the local arrays that the statement at token i declares without a value.
  void declaration(size_t i) {
    const size_t begin = i;
    while (is(i, "alignas") || is(i, "__align__")) i += source_.closing(i);
    if (!source_.identifier(i) || !source_.identifier(i + 1)) return;
    const bool aligned = i != begin;
    const bool scalars = is(i, "float") || is(i, "Acc") || is(i, "Input");
    std::map<std::string, size_t> found;
    for (int depth = 0; i < kernel_.end && !is(i, ";"); ++i) {
      if (is(i, "__shared__") || is(i, "static") || is(i, "=") || is(i, "(") || is(i, "{")) return;
      if (depth == 0 && source_.identifier(i) && is(i + 1, "[")) found[source_.word(i)] = i;
      depth += is(i, "[") - is(i, "]");
    }
    for (const auto& each : found) {
      arrays_[each.first] = each.second;
      if (scalars && !aligned) unaligned_.insert(each.second);
    }
  }

  // Returns the first token from i up to `end` whose value depends on the thread; 0 if none does.
  size_t differs(size_t i, const char* end) const {
    for (; i < kernel_.end && !is(i, end) && !is(i, ";"); ++i) {
      if (is(i, "threadIdx") || by_number_.count(source_.word(i)) != 0) return i;
    }
    return 0;
  }

  // Returns a token within the index of the array at token i whose value depends on the thread; 0 if there is none.
  size_t picked_by(size_t i) const {
    for (size_t open = i + 1; is(open, "["); open = after(open)) {
      const size_t by = differs(open, "]");
      if (by != 0) return by;
    }
    return 0;
  }

  size_t after(size_t open) const {
    while (open < source_.size() && !is(open, "]")) ++open;
    return open + 1;
  }

  // True for x[...] = ..., x[...] += ..., x[...]++ and &x[...].
  bool is_stored_to(size_t i) const {
    size_t end = i + 1;
    while (is(end, "[")) end = after(end);
    const bool assigns = is(end, "=") && !is(end + 1, "=");
    const bool compares = is(end, "<") || is(end, ">") || is(end, "!") || is(end, "=");
    return is(i - 1, "&") || assigns || (is(end + 1, "=") && !compares) ||
           ((is(end, "+") || is(end, "-")) && source_.word(end) == source_.word(end + 1));
  }

  // True for x[...] += ..., mma_sync(x[...], ...), and f(x) where f() first uses its parameter so.
  bool is_added_to(size_t i) const {
    size_t end = i + 1;
    while (is(end, "[")) end = after(end);
    if ((is(end, "+") || is(end, "-")) && is(end + 1, "=")) return true;
    if (is(i - 1, "(") && is(i - 2, "mma_sync")) return true;
    return end == i + 1 && (is(i - 1, "(") || is(i - 1, ",")) && callee_adds(i);
  }

  bool callee_adds(size_t i) const {
    bool first = true;
    return in_callee(i, [&](size_t at) { return std::exchange(first, false) && is_added_to(at); });
  }

  // Whether a token that names the parameter, in a function that is called with the array at token i, is as `fits` says.
  template <typename Fits>
  bool in_callee(size_t i, const Fits& fits) const {
    size_t open = i - 1, place = 0;
    for (int depth = 0; open > kernel_.body; --open) {
      depth += is(open, ")") - is(open, "(");
      if (depth < 0) break;
      place += depth == 0 && is(open, ",");
    }
    for (const Function& each : all_) {
      if (each.name != source_.word(open - 1) || each.body == 0) continue;
      const std::string name = parameter(each, place);
      for (size_t at = each.body; at < each.end; ++at) {
        if (source_.word(at) == name && fits(at)) return true;
      }
    }
    return false;
  }

  // True for reinterpret_cast<float4*>(x) and (float4*)x, also of &x.
  bool is_cast_to_float4(size_t i) const {
    const size_t open = i - 1 - is(i - 1, "&");
    const size_t type = open - (is(open, "(") && is(open - 1, ">") ? 3 : 2);
    return (is(open, ")") || type + 3 == open) && is(type, "float4") && is(type + 1, "*");
  }

  // The same, and f(x) where f() casts its parameter so.
  bool is_read_as_float4(size_t i) const {
    size_t end = i + 1;
    while (is(end, "[")) end = after(end);
    const bool passed = (is(i - 1, "(") || is(i - 1, ",")) && (is(end, ")") || is(end, ","));
    return is_cast_to_float4(i) ||
           (passed && in_callee(i, [this](size_t at) { return is_cast_to_float4(at); }));
  }

  // Returns the name of a function's parameter number `place`. The parameter may be an array reference: T (&name)[N].
  std::string parameter(const Function& function, size_t place) const {
    int depth = 0;
    for (size_t i = function.open + 1; i < function.close; ++i) {
      const bool last = is(i + 1, ")") || is(i + 1, "[") || is(i + 1, ",");
      if (place == 0 && source_.identifier(i) && last) return source_.word(i);
      depth += is(i, "(") || is(i, "<");
      depth -= is(i, ")") || is(i, ">");
      place -= place > 0 && depth == 0 && is(i, ",");
    }
    return "";
  }

  void warn(const Array& array, const std::string& what) {
    warnings_ += source_.place(array.second) + ": warning: " + array.first + what + " [-Wcuda]\n";
  }

  static constexpr char kNoValue[] =
      " is used uninitialized: it is added to before it has a value; = {} makes it zero";

  const Source& source_;
  const Function& kernel_;
  const std::vector<Function>& all_;
  std::map<std::string, size_t> arrays_;  // name to the token that declares it
  std::set<size_t> used_, unaligned_;
  std::set<Array> stored_;
  std::map<Array, size_t> read_, picked_;  // to the token in its index that depends on the thread
  std::string warnings_;
  std::set<std::string> by_number_;  // variables whose value depends on the thread
};

// Warns of dim3 grid = (x, y); where the comma operator drops x.
std::string lost_numbers(const Source& source) {
  std::string all;
  for (size_t i = 0; i + 4 < source.size(); ++i) {
    if (!source.is(i, "dim3") || !source.is(i + 2, "=") || !source.is(i + 3, "(")) continue;
    const size_t end = i + 2 + source.closing(i + 2);
    int depth = 0;
    bool comma = false;
    for (size_t at = i + 3; at < end; ++at) {
      depth += source.is(at, "(") - source.is(at, ")");
      comma = comma || (depth == 1 && source.is(at, ","));
    }
    if (comma && source.is(end, ";")) {
      all += source.place(i) + ": warning: " + source.word(i + 1) +
             " gets only the last of these numbers; write dim3 " + source.word(i + 1) +
             "(x, y) [-Wcuda]\n";
    }
  }
  return all;
}

// Warns of a second array of dynamic shared memory in a kernel: it begins where the first one does.
std::string one_memory(const Source& source, const Function& kernel) {
  std::string all, first;
  for (size_t i = kernel.body; i < kernel.end; ++i) {
    if (!source.is(i, "extern")) continue;
    bool shared = false;
    for (; i < kernel.end && !source.is(i, ";") && !source.is(i + 1, "["); ++i) {
      shared = shared || source.is(i, "__shared__");
    }
    if (!shared || !source.identifier(i)) continue;
    if (first.empty()) {
      first = source.word(i);
    } else if (source.word(i) != first) {
      all += source.place(i) + ": warning: " + source.word(i) + " and " + first +
             " are the same memory: all dynamic shared arrays begin at one address [-Wcuda]\n";
    }
  }
  return all;
}

// Warns of #pragma unroll before anything but a loop. Directives are no tokens, so they lie in the text between two.
std::string lost_unrolls(const Source& source) {
  static const Pattern kPragma("(^|\n)[ \t]*#[ \t]*pragma[ \t]+unroll\\b");
  std::string all;
  for (size_t i = 1; i < source.size(); ++i) {
    const size_t begin = source.at(i - 1).end, bytes = source.at(i).begin - begin;
    if (bytes < sizeof "#pragma unroll" || source.is(i, "for") || source.is(i, "while") ||
        source.is(i, "do")) {
      continue;
    }
    const std::string gap = source.raw().substr(begin, bytes);
    const auto found = kPragma.find(gap);
    if (!found) continue;
    const std::string next = source.place(i);
    const size_t colon = next.rfind(':');
    const auto lines =
        std::count(gap.begin() + std::ptrdiff_t(found->groups[1].end), gap.end(), '\n');
    all += next.substr(0, colon + 1) + std::to_string(std::stol(next.substr(colon + 1)) - lines) +
           ": warning: #pragma unroll has no effect, since no loop follows it: write it directly "
           "before the loop [-Wcuda]\n";
  }
  return all;
}

// Whether token i is float4( with two arguments or more, which are no types, as in std::function<float4(int, int)>.
bool constructs_vector(const Source& source, size_t i) {
  static const std::set<std::string> types = {"const", "float", "double", "int",   "unsigned",
                                              "char",  "short", "long",   "signed"};
  std::string word = source.word(i);
  if (!source.identifier(i) || !source.is(i + 1, "(")) return false;
  if (source.identifier(i - 1) && !source.is(i - 1, "return")) return false;
  if (word[0] == 'u') word.erase(0, 1);
  if (types.count(word.substr(0, word.size() - 1)) == 0 && word.compare(0, 8, "longlong") != 0) {
    return false;
  }
  if (word.back() < '2' || word.back() > '4' || types.count(source.word(i + 2)) != 0) return false;
  int depth = 0;
  for (size_t at = i + 1, end = i + source.closing(i); at < end; ++at) {
    depth += source.is(at, "(") + source.is(at, "{");
    depth -= source.is(at, ")") + source.is(at, "}");
    if (depth == 1 && source.is(at, ",")) return true;
  }
  return false;
}

// Warns of float4(x, y, z, w): the backend's vectors have constructors, CUDA's have none.
std::string lost_constructors(const Source& source, const Function& function) {
  std::string all;
  for (size_t i = function.body; i < function.end; ++i) {
    if (!constructs_vector(source, i)) continue;
    const std::string name = source.word(i);
    all += source.place(i) + ": warning: nvcc refuses " + name + "(...) before C++20: write make_" +
           name + "(...) [-Wcuda]\n";
  }
  return all;
}

}  // namespace

std::string warnings_of(const Source& source) {
  std::string all = lost_numbers(source) + lost_unrolls(source);
  const std::vector<Function> functions = functions_of(source);
  for (const Function& each : functions) {
    if (each.body != 0) all += lost_constructors(source, each);
    if (!each.kernel || each.body == 0) continue;
    all += OwnArrays(source, each, functions).warnings() + one_memory(source, each);
  }
  return all;
}

}  // namespace simt
