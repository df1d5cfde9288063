// kernel<<<grid, block, shared, stream>>>(args): launches, and the bounds that kernels state for them.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/simt/frontend/parts.h"
#include "common/simt/frontend/text/declarations.h"

namespace simt {
namespace {

// The types of a function's parameters, as one text that its other declarations share.
std::string types_of(const Source& source, const Function& function) {
  std::string text;
  int depth = 0;
  bool value = false;  // behind a =
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

class Launches {
 public:
  explicit Launches(Source& source) : source_(source) {
    for (const Function& each : functions_of(source)) {
      if (each.owner.empty() && !each.specialised) {
        Name& name = names_[each.name];
        name.declared.insert(std::to_string(each.parameters) + ": " + types_of(source, each));
        name.parameters = each.parameters;
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
  // What functions of one name there are, by the types of their parameters, and how many those of their templates.
  struct Name {
    std::set<std::string> declared;
    size_t parameters = 0;
  };

  // Whether the compiler knows which function the tokens from begin to end are only from the launch's arguments:
  // there are several of that name, or it is a template and not all of its arguments are given.
  bool is_deduced(size_t begin, size_t end) const {
    size_t name = begin, given = 0;
    while (name + 2 < end && source_.is(name + 1, ":")) {
      name += 3;
    }
    name += source_.is(name, ":") ? 2 : 0;
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

  // The first token of the expression that ends before token i: a name with its qualification and
  // template arguments, or something in parentheses.
  size_t callee_begin(size_t i) const {
    size_t at = i - 1;
    if (source_.is(at, ")")) {
      return source_.opening(at);
    }
    if (source_.is(at, "]")) {  // an element of an array of kernels
      for (int depth = 1; depth != 0 && at > 0;) {
        --at;
        depth += source_.is(at, "]") - source_.is(at, "[");
      }
      return callee_begin(at);
    }
    if (source_.is(at, ">")) {
      int depth = 0;
      do {
        at = source_.is(at, ")") ? source_.opening(at) : at;  // a > in parentheses is not a bracket
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
    const bool deduced = is_deduced(begin, open);
    const std::string name = source_.text(begin, open);
    source_.replace(source_.at(begin).begin, source_.at(begin).begin,
                    deduced ? "::simt::configure_call(\"" + name +
                                  "\", [](auto&... simt_args) SIMT_UNCHECKED { "
                            : "::simt::configure(");
    source_.replace(source_.at(open).begin, source_.at(open + 2).end,
                    deduced ? "(simt_args...); }, " : ", ");
    source_.replace(source_.at(end).begin, source_.at(end + 2).end, ")");
  }

  Source& source_;
  std::map<std::string, Name> names_;
};

// The ( of the parameters of the function whose declaration goes on at token i; 0 if there is none.
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

// The token behind the argument that begins at token i, of those that end before token `end`.
size_t argument_end(const Source& source, size_t i, size_t end) {
  for (int depth = 0; i < end && (depth != 0 || !source.is(i, ",")); ++i) {
    depth += source.is(i, "(") || source.is(i, "[") || source.is(i, "{");
    depth -= source.is(i, ")") || source.is(i, "]") || source.is(i, "}");
  }
  return i;
}

}  // namespace

void rewrite_launches(Source& source) {
  Launches(source).run();
}

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

}  // namespace simt
