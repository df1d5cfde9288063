// Refuses calls that nvcc refuses: host functions called from kernels and __device__ functions, and kernels called
// without <<<>>>.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/calls/libraries.h"
#include "frontend/calls/names.h"
#include "frontend/parts.h"
#include "frontend/text/declarations.h"

namespace simt {
namespace {

// What all functions of one name have in common.
struct Name {
  bool host = true, device = true, kernel = true;  // true if all are: host, device only, kernel
  bool member = true, constructor = false;
};

class Calls {
 public:
  Calls(const Source& source, bool relaxed)
      : source_(source), functions_(functions_of(source)), libraries_(source), relaxed_(relaxed) {
    for (const Function& each : functions_) {
      Name& name = names_.insert({each.name, {}}).first->second;
      const bool callable = each.device || each.kernel || (each.constant && relaxed);
      name.host = name.host && !callable && !each.defaulted;
      name.device = name.device && each.device_only() && !each.kernel && !each.constant;
      name.kernel = name.kernel && each.kernel;
      name.constructor = name.constructor || each.owner == each.name;
      name.member = name.member && !each.owner.empty() && each.owner != each.name;
    }
    for (size_t i = 0; i + 2 < source.size(); ++i) {
      if (source.is(i, "using") && source.is(i + 1, "std")) {
        using_.insert(source.word(i + 4));
      }
      using_std_ = using_std_ || (source.is(i, "using") && source.is(i + 1, "namespace") &&
                                  source.is(i + 2, "std"));
    }
  }

  void check() const {
    check_all();
    for (const Function& each : functions_) {
      const bool host = !each.device && !each.kernel && !each.constant && each.body != 0;
      for (size_t i = each.body; host && i < each.end; ++i) {
        i = is(i, "__device__") ? after_body(i, each.end) : i;
        if (!is_thread_number(i) || is_member(i)) continue;
        if (is_declared(i)) break;  // the host function has its own variable of this name
        source_.fail(i, source_.word(i) + ": only kernels and __device__ functions have it, and " +
                            each.name + "() is a function for the host");
      }
    }
  }

 private:
  bool is_thread_number(size_t i) const {
    return is(i, "threadIdx") || is(i, "blockIdx") || is(i, "blockDim") || is(i, "gridDim");
  }

  void check_all() const {
    for (const Function& each : functions_) {
      check_kernel(each);
      const bool device = each.device_only();
      if (each.body == 0 || (each.device && each.host) || (each.constant && !device)) {
        continue;
      }
      for (size_t i = (device ? each.open : each.body) + 1; i < each.end; ++i) {
        if (!device &&
            source_.is(i, "__device__")) {  // skip a lambda or class with device functions
          i = after_body(i, each.end);
        } else if (source_.identifier(i)) {
          device ? check_device(each, i) : check_host(each, i);
        }
      }
    }
  }

  bool is(size_t i, const char* what) const { return source_.is(i, what); }

  size_t after_body(size_t i, size_t end) const {
    while (i < end && !is(i, "{") && !is(i, ";")) {
      ++i;
    }
    for (int depth = 0; i < end; ++i) {
      depth += is(i, "{") - is(i, "}");
      if (depth == 0) {
        break;
      }
    }
    return i;
  }

  // True if the name at token i is called: name(...) or name<...>(...).
  bool is_called(size_t i) const {
    if (is(i + 1, "(")) {
      return true;
    }
    int depth = 0;
    const bool angles = is(i + 1, "<") && !source_.is_chevron(i + 1, '<');
    for (size_t at = i + 1; angles && at < source_.size(); ++at) {
      depth += is(at, "<") - is(at, ">");
      if (depth == 0) {
        return is(at + 1, "(");
      }
      if (is(at, ";") || is(at, "{") || is(at, "&")) {
        break;
      }
    }
    return false;
  }

  bool is_member(size_t i) const { return is(i - 1, ".") || (is(i - 1, ">") && is(i - 2, "-")); }
  bool is_qualified(size_t i) const { return is(i - 1, ":") && is(i - 2, ":"); }
  bool is_std(size_t i) const { return is_qualified(i) && is(i - 3, "std") && !is(i - 4, ":"); }

  // True if the name at token i follows a type, which declares it.
  bool is_declared(size_t i) const {
    const bool keyword = is(i - 1, "return") || is(i - 1, "else") || is(i - 1, "do") ||
                         is(i - 1, "case") || is(i - 1, "throw") || is(i - 1, "new");
    return source_.identifier(i - 1) && !keyword;
  }

  // True if the function has a variable or type with the name at token i.
  bool is_local(const Function& function, size_t i) const {
    const std::string name = source_.word(i);
    for (size_t at = function.open; at < function.end; ++at) {
      if (source_.word(at) == name && !is_member(at) && !is_qualified(at) && !is(at + 1, "(") &&
          !is(at + 1, "<") && !is(at + 1, ":")) {
        return true;
      }
    }
    return false;
  }

  // True if token i is within sizeof(...) or the like, where nothing is called.
  bool is_unevaluated(const Function& function, size_t i) const {
    int depth = 0;
    for (size_t at = i; at-- > function.body && !is(at, ";") && !is(at, "{");) {
      depth += is(at, ")") - is(at, "(");
      if (depth < 0) {
        depth = 0;
        if (is(at - 1, "sizeof") || is(at - 1, "decltype") || is(at - 1, "alignof") ||
            is(at - 1, "noexcept")) {
          return true;
        }
      }
    }
    return false;
  }

  [[noreturn]] void refuse(const Function& function, size_t i, const std::string& what) const {
    source_.fail(i, what + (function.kernel ? ": a kernel" : ": a __device__ function") +
                        " cannot call it, as nvcc says");
  }

  // Refuses kernels that nvcc refuses: a return type other than void, or a member function.
  void check_kernel(const Function& function) const {
    static const std::set<std::string> types = {"int",  "float", "double", "bool", "unsigned",
                                                "long", "char",  "short",  "half"};
    bool empty = !function.kernel, other = false, linked = function.owner.empty();
    for (size_t i = function.begin; i < function.open; ++i) {
      empty = empty || source_.is(i, "void");
      other = other || types.count(source_.word(i)) != 0;
      linked = linked || source_.is(i, "friend");
    }
    if (other && !empty) {
      source_.fail(function.begin, function.name + "() is a kernel: it must return void");
    }
    if (function.kernel && !linked) {
      source_.fail(function.begin,
                   function.name + "() is a kernel: it cannot be a member of a class");
    }
  }

  // Refuses a variable or a new value of a class whose constructors are all for the host.
  void check_constructor(const Function& function, size_t i) const {
    const auto found = names_.find(source_.word(i));
    if (found == names_.end() || !found->second.constructor || !found->second.host) {
      return;
    }
    const size_t open = source_.identifier(i + 1) ? i + 2 : i + 1;
    const bool value = is(open, "(") || is(open, "{");
    const bool copy = source_.identifier(open + 1) && (is(open + 2, ")") || is(open + 2, "}"));
    if ((value && !copy) || (open == i + 2 && is(open, ";"))) {
      refuse(function, i, "the constructor of " + source_.word(i) + " is a function for the host");
    }
  }

  void check_device(const Function& function, size_t i) const {
    const std::string word = source_.word(i);
    if (word == "throw" || word == "try") {
      source_.fail(i, word + ": there are no exceptions in kernels and __device__ functions");
    } else if (is_std(i)) {
      check_std(function, i);
    } else if (using_std_ && !is_member(i) && !is_qualified(i) && is_host_object(word) &&
               !is_local(function, i)) {
      refuse(function, i, "std::" + word + " is for the host");
    } else {
      if (i > function.body) {
        check_constructor(function, i);
      }
      if (is_called(i) && !is_declared(i) && i > function.body) {
        check_call(function, i);
      }
    }
  }

  void check_std(const Function& function, size_t i) const {
    const std::string word = source_.word(i);
    if (is_host_object(word)) {
      refuse(function, i, "std::" + word + " is for the host");
    }
    if (is_relaxed_std(word)) return;
    size_t end = i + 1;
    for (int depth = 0; word == "numeric_limits" && end < function.end; ++end) {
      depth += is(end, "<") - is(end, ">");
      if (depth == 0) {
        end += 4;  // > :: max
        break;
      }
    }
    const bool called =
        word == "numeric_limits" ? is(end, "(") : is_called(i) && !is_std_for_kernels(word);
    if (called && !is_unevaluated(function, i)) {
      refuse(function, i, "std::" + source_.text(i, end) + "() is a function for the host");
    }
  }

  // True if --expt-relaxed-constexpr lets a kernel call this function of std.
  bool is_relaxed_std(const std::string& name) const {
    return relaxed_ && (!is_algorithm(name) || is_constexpr_algorithm(name));
  }

  void check_call(const Function& function, size_t i) const {
    const std::string word = source_.word(i);
    const auto found = names_.find(word);
    if (found == names_.end()) {
      if (!is_member(i) && is_host_only(word) && !is_callable_from_kernels(word) &&
          !is_local(function, i)) {
        refuse(function, i, word + "() is a function for the host");
      }
      if (!is_member(i) && !is_qualified(i) && is_algorithm(word) && !is_relaxed_std(word) &&
          !is_local(function, i) && (using_std_ || using_.count(word) != 0)) {
        refuse(function, i, "std::" + word + "() is a function for the host");
      }
      return;
    }
    const Name& name = found->second;
    if (is_member(i) != name.member || libraries_.contain(source_, i) ||
        is_callable_from_kernels(word) || is_local(function, i) || name.constructor) {
      return;
    }
    if (name.kernel) {
      source_.fail(i, word + "() is a kernel: kernels and __device__ functions cannot call it");
    }
    if (name.host && !is_unevaluated(function, i)) {
      refuse(function, i,
             word + "() is a function for the host, as its declaration has no __device__");
    }
  }

  void check_host(const Function& function, size_t i) const {
    const auto found = names_.find(source_.word(i));
    if (found == names_.end() && is_called(i) && is_device_only(source_.word(i)) && !is_member(i)) {
      source_.fail(i, source_.word(i) + "() is for kernels and __device__ functions only");
    }
    if (found == names_.end() || !is_called(i) || is_declared(i) || is_member(i) ||
        is_local(function, i)) {
      return;
    }
    if (found->second.kernel) {
      source_.fail(i, source_.word(i) + "() is a kernel: it is launched, as in " + source_.word(i) +
                          "<<<blocks, threads>>>(...)");
    }
    if (found->second.device && !found->second.member) {
      source_.fail(i, source_.word(i) +
                          "() is a __device__ function: a function for the host cannot call it");
    }
  }

  const Source& source_;
  const std::vector<Function> functions_;
  std::map<std::string, Name> names_;
  std::set<std::string> using_;  // names after `using std::`
  bool using_std_ = false;
  const Libraries libraries_;
  const bool relaxed_;
};

}  // namespace

void check_calls(const Source& source, bool relaxed) {
  Calls(source, relaxed).check();
}

}  // namespace simt
