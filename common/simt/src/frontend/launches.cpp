// Checks and rewrites launches: kernel<<<grid, block, shared, stream>>>(args).
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/parts.h"
#include "frontend/text/declarations.h"

namespace simt {
namespace {

// Returns the parameter types of a function as text. All declarations of one function give the same text.
std::string types_of(const Source& source, const Function& function) {
  std::string text;
  int depth = 0;
  bool value = false;  // in a default argument
  for (size_t i = function.open + 1; i < function.close; ++i) {
    depth += source.is(i, "(") || source.is(i, "<") || source.is(i, "[");
    depth -= source.is(i, ")") || source.is(i, ">") || source.is(i, "]");
    const bool comma = depth == 0 && source.is(i, ",");
    value = (value || source.is(i, "=")) && !comma;
    const std::string next = source.word(i + 1);
    const bool last = i + 1 == function.close || next == "," || next == "=" || next == "[";
    const bool name = last && depth == 0 && source.identifier(i) && i > function.open + 1 &&
                      !source.is(i - 1, ",") && !source.is(i - 1, ":");
    text += value || name ? "" : source.word(i) + " ";
  }
  return text;
}

// Returns the token of the unqualified name in the qualified name at `begin`.
size_t name_at(const Source& source, size_t begin) {
  size_t name = begin;
  while (source.is(name + 1, ":")) {
    name += 3;
  }
  return name + (source.is(name, ":") ? 2 : 0);
}

class Launches {
 public:
  explicit Launches(Source& source) : source_(source), functions_(functions_of(source)) {
    for (const Function& each : functions_) {
      if (each.owner.empty() && !each.specialised) {
        Name& name = names_[each.name];
        name.functions.push_back(each);
        name.declared.insert(std::to_string(each.parameters) + ": " + types_of(source, each));
        name.parameters = each.parameters;
      }
    }
  }

  // Throws for launches that nvcc refuses, or that would give a compiler error about backend names.
  void check() const {
    for (size_t i = 1; i < source_.size(); ++i) {
      if (source_.is_chevron(i, '<')) {
        check(i);
        i += 2;
      }
    }
  }

  void run() {
    for (size_t i = 0; i < source_.size(); ++i) {
      if (source_.is_chevron(i, '<')) {
        rewrite(i);
        i += 2;
      }
    }
  }

 private:
  // The overload set of a name: its functions, their distinct parameter types, and the number of template parameters.
  struct Name {
    std::vector<Function> functions;
    std::set<std::string> declared;
    size_t parameters = 0;
  };

  void check(size_t open) const {
    for (const Function& each : functions_) {
      if (each.device_only() && each.body < open && open < each.end) {
        source_.fail(open, each.name + "() is a " +
                               (each.kernel ? "kernel" : "__device__ function") +
                               ": the CPU backend does not support a launch in it");
      }
    }
    const size_t begin = callee_begin(open), end = end_of(open);
    const size_t given = open + 3 == end ? 0 : count(open + 2, end);
    if (given < 2 || given > 4) {
      source_.fail(
          open, "a launch needs to know how many blocks there are, and how many threads in each: " +
                    source_.text(begin, open) + "<<<blocks, threads>>>(...)");
    }
    const auto found = names_.find(source_.word(name_at(source_, begin)));
    if (found == names_.end()) return;
    const std::vector<Function>& functions = found->second.functions;
    for (const Function& each : functions) {
      if (each.kernel) return check_arguments(end, functions);
    }
    const Function& only = functions.back();
    if (only.body == 0) return;
    source_.fail(only.begin,
                 only.name + "() is launched with <<<>>>, but " +
                     (only.device ? "it is a __device__ function: a kernel is __global__"
                                  : "it has no __global__, which makes it a kernel"));
  }

  // Compares the launch's argument count with the kernel's parameter count. end: token of the >>>.
  void check_arguments(size_t end, const std::vector<Function>& functions) const {
    const Function& kernel = functions.front();
    if (functions.size() != 1 || !source_.is(end + 3, "(")) return;
    const size_t close = end + 3 + source_.closing(end + 2) - 2;
    const size_t expected = count(kernel.open, kernel.close), given = count(end + 3, close);
    if (expected == kUnknown || given == kUnknown || has(kernel, ".")) return;  // . of a pack
    const size_t required = expected - defaults(kernel.open, kernel.close);
    if (given < required || given > expected) {
      source_.fail(end, kernel.name + "() takes " +
                            (required < expected ? std::to_string(required) + " to " : "") +
                            std::to_string(expected) +
                            (expected == 1 ? " argument" : " arguments") +
                            ", and is launched with " + std::to_string(given));
    }
  }

  bool has(const Function& function, const char* token) const {
    for (size_t i = function.open; i < function.close; ++i) {
      if (source_.is(i, token)) return true;
    }
    return false;
  }

  // True if a declaration of the kernel at token `begin` has that token among its parameters.
  bool some_has(size_t begin, const char* token) const {
    const auto found = names_.find(source_.word(name_at(source_, begin)));
    if (found == names_.end()) return false;
    const std::vector<Function>& functions = found->second.functions;
    return std::any_of(functions.begin(), functions.end(),
                       [&](const Function& each) { return has(each, token); });
  }

  static constexpr size_t kUnknown = ~size_t(0);

  // Counts the arguments or parameters between two tokens. Returns kUnknown if a < may be an operator or a bracket.
  size_t count(size_t open, size_t close) const {
    size_t found = open + 1 < close && !(open + 2 == close && source_.is(open + 1, "void"));
    int depth = 0;
    for (size_t i = open + 1; i < close; ++i) {
      if (source_.is(i, "<")) return source_.is_chevron(open - 2, '<') ? 2 : kUnknown;
      depth += source_.is(i, "(") || source_.is(i, "[") || source_.is(i, "{");
      depth -= source_.is(i, ")") || source_.is(i, "]") || source_.is(i, "}");
      found += depth == 0 && source_.is(i, ",");
    }
    return found;
  }

  // Counts the parameters between two tokens that have a default argument.
  size_t defaults(size_t open, size_t close) const {
    size_t found = 0;
    int depth = 0;
    bool value = false;  // in a default argument
    for (size_t i = open + 1; i < close; ++i) {
      depth += source_.is(i, "(") || source_.is(i, "[") || source_.is(i, "{");
      depth -= source_.is(i, ")") || source_.is(i, "]") || source_.is(i, "}");
      if (depth != 0) continue;
      found += !value && source_.is(i, "=");
      value = (value || source_.is(i, "=")) && !source_.is(i, ",");
    }
    return found;
  }

  // True if the compiler needs the launch's arguments to select the function: the name is overloaded, or some template
  // arguments are not given.
  bool is_deduced(size_t begin, size_t end) const {
    const size_t name = name_at(source_, begin);
    size_t given = 0;
    const auto found = names_.find(source_.word(name));
    if (found == names_.end()) {
      return false;
    }
    int depth = 0;
    for (size_t i = name + 1; i < end; ++i) {
      depth += source_.is(i, "<") || source_.is(i, "(");
      depth -= source_.is(i, ">") || source_.is(i, ")");
      given += (depth == 1 && (source_.is(i, ",") || i == name + 1)) ? 1 : 0;
    }
    return found->second.declared.size() > 1 || found->second.parameters > given;
  }

  // Returns the first token of the expression that ends before token i: a qualified name with template arguments, or an
  // expression in parentheses.
  size_t callee_begin(size_t i) const {
    size_t at = i - 1;
    if (source_.is(at, ")")) {
      return source_.opening(at);
    }
    if (source_.is(at, "]")) {  // element of an array of kernels
      for (int depth = 1; depth != 0 && at > 0;) {
        --at;
        depth += source_.is(at, "]") - source_.is(at, "[");
      }
      return callee_begin(at);
    }
    if (source_.is(at, ">")) {
      int depth = 0;
      do {
        at = source_.is(at, ")") ? source_.opening(at) : at;  // skips a > within parentheses
        depth += source_.is(at, ">") - source_.is(at, "<");
      } while (depth != 0 && at-- > 0);
      if (depth != 0 || at == 0) {
        source_.fail(i, "cannot find the kernel of this launch");
      }
      --at;
    }
    if (!source_.identifier(at)) {
      source_.fail(i, "cannot find the kernel of this launch");
    }
    while (at >= 2 && source_.is(at - 1, ":") && source_.is(at - 2, ":")) {
      at -= 2;
      if (at > 0 && source_.identifier(at - 1)) {
        --at;
      } else {
        break;
      }
    }
    // A member: object.kernel, pointer->kernel.
    const size_t dots = source_.is(at - 1, ".")                              ? 1
                        : source_.is(at - 1, ">") && source_.is(at - 2, "-") ? 2
                                                                             : 0;
    if (dots != 0 && at > dots && source_.identifier(at - dots - 1)) {
      return callee_begin(at - dots);
    }
    return at;
  }

  // Returns the first token of the launch's >>>.
  size_t end_of(size_t open) const {
    int depth = 0;
    for (size_t i = open + 3; i < source_.size(); ++i) {
      depth += source_.is(i, "(") || source_.is(i, "{") || source_.is(i, "[");
      depth -= source_.is(i, ")") || source_.is(i, "}") || source_.is(i, "]");
      if (depth == 0 && source_.is_chevron(i, '>')) {
        return i;
      }
      if (source_.is(i, ";")) {
        break;
      }
    }
    source_.fail(open, "<<< without >>>");
  }

  void rewrite(size_t open) {
    if (open == 0) {
      source_.fail(open, "<<< without a kernel");
    }
    const size_t begin = callee_begin(open);
    const size_t end = end_of(open);
    if (!source_.is(end + 3, "(")) {
      source_.fail(open, "a launch needs arguments in parentheses after >>>");
    }
    const bool deduced = is_deduced(begin, open), partial = !deduced && some_has(begin, "=");
    const std::string name = source_.text(begin, open);
    const std::string how = some_has(begin, "&") ? "references" : "call";
    const std::string call = ", [](auto&... simt_args) SIMT_UNCHECKED { ";
    source_.replace(source_.at(begin).begin, source_.at(begin).begin,
                    deduced   ? "::simt::configure_" + how + "(\"" + name + "\"" + call
                    : partial ? "::simt::configure_partial(" + name + call
                              : "::simt::configure(");
    source_.replace(source_.at(open).begin, source_.at(open + 2).end,
                    deduced || partial ? "(simt_args...); }, " : ", ");
    source_.replace(source_.at(end).begin, source_.at(end + 2).end, ")");
  }

  Source& source_;
  const std::vector<Function> functions_;
  std::map<std::string, Name> names_;
};

// Returns the token after a cast to void* at token i, such as (void*) or reinterpret_cast<const void*>; i if there is
// no cast.
size_t after_cast(const Source& source, size_t i) {
  const bool named = source.is(i, "reinterpret_cast") || source.is(i, "static_cast");
  const size_t open = named ? i + 1 : i;
  if (!source.is(open, named ? "<" : "(")) return i;
  size_t at = open + 1;
  for (; source.is(at, "const") || source.is(at, "void") || source.is(at, "*"); ++at) {
  }
  return at > open + 1 && source.is(at, named ? ">" : ")") ? at + 1 : i;
}

}  // namespace

namespace {

// Whether token i begins the argument of a launch function that names the kernel.
bool is_launched(const Source& source, size_t i) {
  if (source.is(i - 1, "(")) {
    return source.is(i - 2, "cudaLaunchKernel") || source.is(i - 2, "cudaLaunchCooperativeKernel");
  }
  if (!source.is(i - 1, ",")) return false;
  int depth = 0;
  for (size_t at = i - 2; at > 0; --at) {
    if (depth == 0 && source.is(at, "(")) return source.is(at - 1, "cudaLaunchKernelExC");
    if (depth == 0 && source.is(at, ",")) return false;
    depth += source.is(at, ")") - source.is(at, "(");
  }
  return false;
}

}  // namespace

// Kernels that are cast to void*: the runtime keeps how to launch them. In a launch function the cast goes.
void rewrite_kernel_pointers(Source& source) {
  std::set<std::string> kernels;
  for (const Function& each : functions_of(source)) {
    if (each.kernel) kernels.insert(each.name);
  }
  for (size_t i = 2; i + 2 < source.size(); ++i) {
    const size_t begin = after_cast(source, i);
    const bool call = source.is(i, "(") && source.identifier(i - 1) && !source.is(i - 1, "return");
    if (begin == i || call) continue;
    if (is_launched(source, i)) {
      source.replace(source.at(i).begin, source.at(begin - 1).end, "");
      continue;
    }
    const size_t first = begin + source.is(begin, "&");
    const size_t name = source.is(first, "(") ? first + 1 : first;
    size_t last = name_at(source, name);
    if (kernels.count(source.word(last)) == 0) continue;
    ++last;
    if (source.is(last, "<")) {
      int depth = 0;
      do {
        depth += source.is(last, "<") - source.is(last, ">");
        last = source.is(last + 1, "(") ? last + source.closing(last) : last + 1;
      } while (depth != 0 && last < source.size());
    }
    last += name != first;
    source.replace(source.at(i).begin, source.at(begin - 1).end, "::simt::kernel_pointer(");
    source.insert(source.at(last - 1).end, ")");
  }
}

void check_launches(Source& source) {
  Launches(source).check();
}

void rewrite_launches(Source& source) {
  Launches(source).run();
}

}  // namespace simt
