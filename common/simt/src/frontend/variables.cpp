// Moves variables in device memory (__device__, __constant__, __managed__) to sections of the program, which the
// runtime maps as device memory (memory/variables.h).
#include <set>
#include <string>
#include <vector>

#include "frontend/parts.h"

namespace simt {
namespace {

// A declaration with one of the three qualifiers. Positions are token indices.
struct Variable {
  size_t begin = 0,
         stop = 0;  // first token, and the token after the first name: ; = [ { , or (
  std::string name;
  bool is_variable = false, is_template = false, is_extern = false, is_static = false;
  bool is_inline = false, is_constant = false, is_managed = false;
  bool is_fixed = false;  // const with a value, or constexpr: an ordinary constant
};

bool is_space(const Source& source, size_t i) {
  return source.is(i, "__device__") || source.is(i, "__constant__") || source.is(i, "__managed__");
}

class DeviceVariables {
 public:
  DeviceVariables(Source& source, bool relocatable) : source_(source), relocatable_(relocatable) {}

  void run() {
    std::vector<Variable> all;
    for (size_t i = 0; i < source_.size(); ++i) {
      if (!is_space(source_, i)) continue;
      const Variable variable = read(i);
      if (variable.is_variable && variable.stop > i) {  // otherwise a lambda's qualifier
        all.push_back(variable);
        i = variable.stop - 1;
        if (variable.is_extern) externs_.insert(variable.name);
      }
    }
    for (const Variable& each : all) {
      rewrite(each);
    }
  }

 private:
  bool is(size_t i, const char* what) const { return source_.is(i, what); }

  // Returns the token after the bracket that closes the one at i.
  size_t after(size_t i, const char* open, const char* close) const {
    int depth = 0;
    for (; i < source_.size(); ++i) {
      depth += is(i, open) - is(i, close);
      if (depth == 0) return i + 1;
    }
    return i;
  }

  Variable read(size_t qualifier) const {
    Variable variable;
    size_t begin = qualifier;
    while (begin > 0 && !is(begin - 1, ";") && !is(begin - 1, "{") && !is(begin - 1, "}")) {
      --begin;
    }
    variable.begin = begin;
    size_t identifiers = 0, i = begin, last_star = 0, last_const = 0;
    for (; i < source_.size(); ++i) {
      const std::string word = source_.word(i);
      if (word == "template" && is(i + 1, "<")) {
        variable.is_template = true;
        i = after(i + 1, "<", ">") - 1;
      } else if ((word == "__align__" || word == "alignas" || word == "__attribute__" ||
                  word == "decltype") &&
                 is(i + 1, "(")) {
        i = after(i + 1, "(", ")") - 1;
      } else if (word == "<" && i > begin && source_.identifier(i - 1)) {
        i = after(i, "<", ">") - 1;
      } else if (word == "operator" || word == "friend" || word == "using") {
        return variable;
      } else if ((word == "struct" || word == "class" || word == "union" || word == "enum") &&
                 type_body(i) != 0) {
        i = after(type_body(i), "{", "}") - 1;
        ++identifiers;
      } else if (source_.identifier(i)) {
        note(word, variable);
        const bool storage = is_space(source_, i) || word == "static" || word == "extern" ||
                             word == "inline" || word == "const" || word == "volatile";
        identifiers += !storage;
        last_const = word == "const" ? i : last_const;
        variable.name = storage ? variable.name : word;
      } else if (word == "*" || word == "&") {
        last_star = i;
      } else if (word != ":" && !(i > begin && is(i - 1, "extern"))) {  // extern "C"
        break;
      }
    }
    return finish(variable, i, identifiers, last_const > last_star);
  }

  // Returns the { of the class definition that begins at token i; 0 if there is none.
  size_t type_body(size_t i) const {
    for (++i; source_.identifier(i) || is(i, ":"); ++i) {
    }
    return is(i, "{") ? i : 0;
  }

  static void note(const std::string& word, Variable& variable) {
    variable.is_extern = variable.is_extern || word == "extern";
    variable.is_static = variable.is_static || word == "static";
    variable.is_inline = variable.is_inline || word == "inline";
    variable.is_constant = variable.is_constant || word == "__constant__";
    variable.is_managed = variable.is_managed || word == "__managed__";
    variable.is_fixed = variable.is_fixed || word == "constexpr";
  }

  // Completes `variable`. stop: the first token after type and name. identifiers: their number without storage
  // classes.
  Variable finish(Variable variable, size_t stop, size_t identifiers, bool is_const) const {
    const bool pointer = is(stop, "(") && is(stop + 1, "*") && source_.identifier(stop + 2);
    if (pointer) {  // pointer to a function
      variable.name = source_.word(stop + 2);
    }
    variable.stop = stop;
    variable.is_variable = (identifiers >= 2 || (pointer && identifiers >= 1)) &&
                           (pointer || is(stop, ";") || is(stop, "=") || is(stop, "[") ||
                            is(stop, "{") || is(stop, ","));
    bool has_value = false;
    for (size_t i = stop; i < source_.size() && !is(i, ";"); ++i) {
      has_value = has_value || is(i, "=") || is(i, "{");
    }
    variable.is_fixed = variable.is_fixed || (is_const && has_value && !variable.is_managed);
    return variable;
  }

  // True if the innermost braces around token i are those of a class.
  bool in_class(size_t i) const {
    int depth = 0;
    while (i > 0) {
      --i;
      depth += is(i, "}") - is(i, "{");
      if (depth < 0) break;
    }
    bool found = false;
    for (; depth < 0 && i > 0 && !is(i - 1, ";") && !is(i - 1, "}") && !is(i - 1, ")"); --i) {
      if (is(i - 1, "{")) break;
      found = found || is(i - 1, "struct") || is(i - 1, "class") || is(i - 1, "union");
    }
    return found && !is(i - 1, ")");
  }

  void rewrite(const Variable& variable) {
    size_t first = variable.begin;
    while (!is_space(source_, first)) ++first;
    if (!variable.is_fixed) {
      check(variable, first);
    }
    const char* const section = variable.is_managed    ? "simt_managed"
                                : variable.is_constant ? "simt_constant"
                                                       : "simt_device";
    // An extern variable is defined in another file or later in this one. All others have internal linkage, as with
    // nvcc without -rdc=true.
    const bool own = !relocatable_ && !variable.is_extern && !variable.is_static &&
                     !source_.inside_function(first);
    const bool make_static = own && externs_.count(variable.name) == 0 && !variable.is_fixed;
    std::string text = make_static ? "static " : "";
    if (!variable.is_fixed) {
      text += std::string("__attribute__((section(\"") + section + "\"), aligned(256)" +
              (variable.is_extern ? "" : ", used") + "))";
    }
    for (size_t i = first; i < variable.stop; ++i) {
      const bool stays = variable.is_fixed && is(i, "__device__");
      if (is_space(source_, i) && !stays) {
        source_.replace(source_.at(i).begin, source_.at(i).end, i == first ? text : "");
      }
    }
  }

  void check(const Variable& variable, size_t first) const {
    const std::string word = source_.word(first);
    if (variable.is_template) {
      source_.fail(first, word +
                              ": the CPU backend does not support templates of variables in "
                              "device memory");
    }
    if (in_class(first)) {
      source_.fail(first, word + ": a member of a class cannot lie in device memory, as nvcc says");
    }
    if (variable.is_inline && !variable.is_static) {
      source_.fail(first, word +
                              ": an inline variable in device memory must be static, too, as "
                              "nvcc says");
    }
  }

  Source& source_;
  const bool relocatable_;
  std::set<std::string> externs_;
};

}  // namespace

void rewrite_variables(Source& source, bool relocatable) {
  DeviceVariables(source, relocatable).run();
}

}  // namespace simt
