#include "frontend/text/declarations.h"

namespace simt {
namespace {

// Words followed by parentheses that do not hold parameters.
bool has_own_parentheses(const std::string& word) {
  return word == "__launch_bounds__" || word == "__cluster_dims__" || word == "__attribute__" ||
         word == "alignas" || word == "__align__" || word == "decltype" || word == "explicit" ||
         word == "noexcept" || word == "__declspec" || word == "typeof" || word == "__typeof__" ||
         word == "requires";
}

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source) {}

  std::vector<Function> run() {
    declarations(0, source_.size(), "");
    return functions_;
  }

 private:
  bool is(size_t i, const char* what) const { return source_.is(i, what); }

  // Returns the token after the bracket that closes the one at i.
  size_t after(size_t i) const {
    int depth = 0;
    for (; i < source_.size(); ++i) {
      depth += is(i, "(") || is(i, "{") || is(i, "[");
      depth -= is(i, ")") || is(i, "}") || is(i, "]");
      if (depth == 0) {
        return i + 1;
      }
    }
    return i;
  }

  // Returns the token after the > that closes the < at i, and sets `count` to the number of parameters between them.
  // Returns i if no > closes it.
  size_t after_angles(size_t i, size_t& count) const {
    int depth = 0;
    count = is(i + 1, ">") ? 0 : 1;
    for (size_t at = i; at < source_.size() && !is(at, ";") && !is(at, "{"); ++at) {
      if (is(at, "(") || is(at, "[")) {
        at = after(at) - 1;
      } else if (is(at, "<")) {
        ++depth;
      } else if (is(at, ">") && !is(at - 1, "-") && --depth == 0) {
        return at + 1;
      }
      count += depth == 1 && is(at, ",");
    }
    return i;
  }

  void declarations(size_t i, size_t end, const std::string& owner) {
    while (i < end) {
      const bool label =
          (is(i, "public") || is(i, "private") || is(i, "protected")) && is(i + 1, ":");
      i = label ? i + 2 : declaration(i, end, owner);
    }
  }

  // Reads the declaration at token i, and returns the token after it.
  size_t declaration(size_t i, size_t end, const std::string& owner) {
    Function function;
    function.owner = owner;
    while (is(i, "template")) {
      function.specialised = !is(i + 1, "<") || is(i + 2, ">");
      i = is(i + 1, "<") ? after_angles(i + 1, function.parameters) : i + 1;
    }
    function.begin = i;
    bool type = false, type_name = false, space = false;
    std::string name;
    for (; i < end; ++i) {
      size_t ignored = 0;
      const std::string word = source_.word(i);
      if (word == ";" || word == "}") {
        return i + 1;
      } else if (word == "{") {
        const size_t next = after(i);
        if (space || (i > 0 && source_.at(i - 1).kind == Token::Literal)) {
          declarations(i + 1, next - 1, owner);
          return next;
        }
        if (type) {
          declarations(i + 1, next - 1, name);
        }
        i = next - 1;
      } else if (word == "=" && !is(i - 1, "operator")) {
        return after_variable(i, end);
      } else if (has_own_parentheses(word) && is(i + 1, "(")) {
        i = after(i + 1) - 1;
      } else if (word == "[") {
        i = after(i) - 1;
      } else if (word == "(" && i > function.begin) {
        if ((type && !source_.identifier(i - 1)) || is(i + 1, "*") || is(i - 1, "static_assert")) {
          return after_variable(i, end);
        }
        return parameters(i, end, function);
      } else if (word == "<" && i > 0 && source_.identifier(i - 1) && !is(i - 1, "operator")) {
        const size_t next = after_angles(i, ignored);
        i = next == i ? i : next - 1;
      } else if (word == "struct" || word == "class" || word == "union" || word == "enum") {
        type = word != "enum";
        type_name = true;
      } else if (word == "namespace") {
        space = true;
      } else {
        note(word, function);
        if (type_name && source_.identifier(i)) {
          name = word;
          type_name = word == "alignas";
        }
      }
    }
    return i;
  }

  static void note(const std::string& word, Function& function) {
    function.host = function.host || word == "__host__";
    function.device = function.device || word == "__device__";
    function.kernel = function.kernel || word == "__global__";
    function.constant = function.constant || word == "constexpr" || word == "consteval";
  }

  size_t after_variable(size_t i, size_t end) const {
    while (i < end && !is(i, ";")) {
      i = is(i, "(") || is(i, "{") || is(i, "[") ? after(i) : i + 1;
    }
    return i + 1;
  }

  // Reads a function from the ( of its parameters at token i, and returns the token after it.
  size_t parameters(size_t i, size_t end, Function& function) {
    size_t name = i - 1;
    if (is(name, ">")) {  // f<int>(
      int depth = 0;
      do {
        depth += is(name, ">") - is(name, "<");
      } while (name-- > function.begin && depth != 0);
    }
    if (is(name, "operator") && is(i + 1, ")")) {
      i += 2;
    }
    size_t word = name;
    for (size_t back = 0; back < 3 && name > function.begin + back; ++back) {
      word = is(name - back, "operator") ? name - back : word;  // operator(), operator+=
    }
    function.name = source_.word(word);
    name = word;
    const bool known = source_.identifier(name) && !(name > 0 && is(name - 1, "~"));
    if (name >= 2 && is(name - 1, ":") && is(name - 2, ":") && name >= 3) {
      function.owner = source_.word(name - 3);
    }
    function.open = i;
    i = after(i);
    function.close = i - 1;
    for (bool list = false; i < end && !is(i, ";") && !is(i, "}"); ++i) {
      note(source_.word(i), function);
      if (is(i, "=")) {
        function.defaulted = is(i + 1, "default") || is(i + 1, "delete");
      } else if (is(i, ":")) {
        list = !is(i + 1, ":") && !is(i - 1, ":");
      } else if (is(i, "(") || is(i, "[") ||  // or a member's initialiser
                 (is(i, "{") && list && (source_.identifier(i - 1) || is(i - 1, ">")))) {
        i = after(i) - 1;
      } else if (is(i, "{")) {
        function.body = i;
        i = after(i) - 1;
        break;
      }
    }
    function.end = i;
    if (known) {
      functions_.push_back(function);
    }
    return i + 1;
  }

  const Source& source_;
  std::vector<Function> functions_;
};

}  // namespace

std::vector<Function> functions_of(const Source& source) {
  return Reader(source).run();
}

}  // namespace simt
