// Turns the CUDA syntax that plain C++ cannot parse into C++:
//
// kernel<<<grid, block>>>(args)  ->  ::simt::configure(kernel, grid, block)(args)
// extern __shared__ T name[];    ->  T* const name = ::simt::dynamic_shared_as<T>();
//
// Line numbers stay. What the CPU backend does not support is named and refused.
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/simt/frontend/frontend.h"
#include "common/simt/frontend/lexer.h"
#include "common/simt/frontend/unsupported.h"

namespace {

using simt::Token;

class Rewriter {
 public:
  Rewriter(std::string file, std::string text)
      : file_(std::move(file)), text_(std::move(text)), tokens_(simt::tokenize(text_)) {}

  std::string run() {
    find_kernel_templates();
    for (size_t i = 0; i < tokens_.size(); ++i) {
      check_supported(i);
      if (is(i, "__device__")) {
        check_device(i);
      } else if (is(i, "extern")) {
        rewrite_dynamic_shared(i);
      } else if (is_chevron(i, '<')) {
        rewrite_launch(i);
        i += 2;
      }
    }
    return apply();
  }

 private:
  std::string word(size_t i) const {
    return i < tokens_.size() ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin)
                              : std::string();
  }
  bool is(size_t i, const char* what) const { return word(i) == what; }
  bool identifier(size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Identifier;
  }

  [[noreturn]] void fail(size_t i, const std::string& message) const {
    throw std::runtime_error(file_ + ":" + std::to_string(tokens_[i].line) + ": error: " + message);
  }

  void replace(size_t begin, size_t end, std::string with) {
    edits_[begin] = {end, std::move(with)};
  }

  void check_supported(size_t i) const {
    if (tokens_[i].kind != Token::Identifier) {
      return;
    }
    const auto found = simt::unsupported().find(word(i));
    const bool member = i > 0 && (is(i - 1, ".") || is(i - 1, ">"));
    if (found != simt::unsupported().end() && !member) {
      fail(i, word(i) + ": the CPU backend does not support " + found->second);
    }
  }

  // Three neighbouring < or > without anything between them.
  bool is_chevron(size_t i, char c) const {
    const std::string one(1, c);
    return i + 2 < tokens_.size() && word(i) == one && word(i + 1) == one && word(i + 2) == one &&
           tokens_[i].end == tokens_[i + 1].begin && tokens_[i + 1].end == tokens_[i + 2].begin;
  }

  // Names of kernels that are templates: a launch without template arguments deduces them.
  void find_kernel_templates() {
    bool in_template = false;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, "template")) {
        in_template = true;
      } else if (is(i, "{") || is(i, ";")) {
        in_template = false;
      } else if (in_template && is(i, "__global__")) {
        while (i + 1 < tokens_.size() && !is(i + 1, "{") && !is(i + 1, ";")) {
          if (identifier(i) && is(i + 1, "(") && !is(i, "__launch_bounds__")) {
            templates_.insert(word(i));
            break;
          }
          ++i;
        }
      }
    }
  }

  // The first token of the expression that ends before token i: a name with its qualification and
  // template arguments, or something in parentheses.
  size_t callee_begin(size_t i) const {
    size_t at = i - 1;
    if (is(at, ")")) {
      return opening(at);
    }
    if (is(at, ">")) {
      int depth = 0;
      do {
        at = is(at, ")") ? opening(at) : at;  // a > in parentheses is not a bracket
        depth += is(at, ">") - is(at, "<");
      } while (depth != 0 && at-- > 0);
      if (depth != 0 || at == 0) {
        fail(i, "cannot find the kernel of this launch");
      }
      --at;
    }
    if (!identifier(at)) {
      fail(i, "cannot find the kernel of this launch");
    }
    while (at >= 2 && is(at - 1, ":") && is(at - 2, ":")) {
      at -= 2;
      if (at > 0 && identifier(at - 1)) {
        --at;
      } else {
        break;
      }
    }
    return at;
  }

  // The ( that the ) at i closes.
  size_t opening(size_t i) const {
    int depth = 0;
    for (size_t at = i + 1; at-- > 0;) {
      depth += is(at, ")") - is(at, "(");
      if (depth == 0) {
        return at;
      }
    }
    fail(i, "unbalanced parentheses");
  }

  size_t launch_end(size_t open) const {
    int depth = 0;
    for (size_t i = open + 3; i < tokens_.size(); ++i) {
      depth += is(i, "(") || is(i, "{") || is(i, "[");
      depth -= is(i, ")") || is(i, "}") || is(i, "]");
      if (depth == 0 && is_chevron(i, '>')) {
        return i;
      }
      if (is(i, ";")) {
        break;
      }
    }
    fail(open, "<<< without >>>");
  }

  void rewrite_launch(size_t open) {
    if (open == 0) {
      fail(open, "<<< without a kernel");
    }
    const size_t begin = callee_begin(open);
    const size_t end = launch_end(open);
    if (!is(end + 3, "(")) {
      fail(open, "a launch needs arguments in parentheses after >>>");
    }
    const bool deduced = begin == open - 1 && templates_.count(word(begin)) != 0;
    const std::string name = word(begin);
    replace(tokens_[begin].begin, tokens_[begin].begin,
            deduced ? "::simt::configure_call(\"" + name +
                          "\", [](auto&... simt_args) SIMT_UNCHECKED { "
                    : "::simt::configure(");
    replace(tokens_[open].begin, tokens_[open + 2].end, deduced ? "(simt_args...); }, " : ", ");
    replace(tokens_[end].begin, tokens_[end + 2].end, ")");
  }

  void rewrite_dynamic_shared(size_t begin) {
    size_t end = begin;
    bool shared = false;
    while (end < tokens_.size() && !is(end, ";") && !is(end, "{") && !is(end, "(")) {
      shared = shared || is(end, "__shared__");
      end += is(end + 1, "(") && (is(end, "__align__") || is(end, "alignas")) ? closing(end) : 1;
    }
    if (!shared) {
      return;
    }
    std::string type;
    size_t name = 0;
    for (size_t i = begin; i < end; ++i) {
      if (is(i, "__align__") || is(i, "alignas")) {
        i += closing(i) - 1;
      } else if (is(i, "[")) {
        name = i - 1;
        break;
      } else if (!is(i, "extern") && !is(i, "__shared__") && !is(i, "volatile") &&
                 !is(i + 1, "[")) {
        type += word(i) + " ";
      }
    }
    if (name == 0 || !identifier(name) || !is(name + 2, "]") || !is(name + 3, ";")) {
      fail(begin, "dynamic shared memory must be declared as: extern __shared__ T name[];");
    }
    if (!inside_function(begin)) {
      fail(begin, "dynamic shared memory must be declared inside the function that uses it");
    }
    replace(tokens_[begin].begin, tokens_[end].end,
            type + "* const " + word(name) + " = ::simt::dynamic_shared_as<" + type + ">();");
  }

  // A variable in device memory would lie in the host's; what is constexpr needs no memory.
  void check_device(size_t i) const {
    static const std::regex variable(R"((?!.*\b(constexpr|struct|class)\b)[\w\s:<>,*&]*\w\s*)");
    const size_t begin = tokens_[i].end, end = text_.find_first_of("(;={[", begin);
    const size_t line = text_.find_first_not_of(" \t", text_.rfind('\n', begin) + 1);
    if (text_[line] != '#' && end < text_.size() && text_[end] != '(' &&
        std::regex_match(text_.substr(begin, end - begin), variable)) {
      fail(i, "__device__: the CPU backend does not support variables in device memory");
    }
  }

  // Whether the token lies in braces other than a namespace's.
  bool inside_function(size_t token) const {
    std::vector<bool> function;  // of each open brace
    for (size_t i = 0; i < token; ++i) {
      if (is(i, "}") && !function.empty()) {
        function.pop_back();
      } else if (is(i, "{")) {
        size_t at = i;
        while (at > 0 && (identifier(at - 1) || is(at - 1, ":")) && !is(at - 1, "namespace")) {
          --at;
        }
        const bool named = at > 0 && is(at - 1, "namespace");
        const bool linkage = i > 0 && tokens_[i - 1].kind == Token::Literal;  // extern "C"
        function.push_back(!named && !linkage);
      }
    }
    return std::find(function.begin(), function.end(), true) != function.end();
  }

  // How many tokens the word at i and the parentheses after it have.
  size_t closing(size_t i) const {
    int depth = 0;
    for (size_t at = i + 1; at < tokens_.size(); ++at) {
      depth += is(at, "(");
      depth -= is(at, ")");
      if (depth == 0) {
        return at + 1 - i;
      }
    }
    fail(i, "unbalanced parentheses");
  }

  std::string apply() const {
    std::string out = "#line 1 \"" + file_ + "\"\n";
    size_t at = 0;
    for (const auto& [begin, edit] : edits_) {
      out += text_.substr(at, begin - at) + edit.second;
      // Line breaks inside a replaced piece stay, so that later lines keep their numbers.
      for (size_t i = begin; i < edit.first; ++i) {
        out += text_[i] == '\n' ? "\n" : "";
      }
      at = edit.first;
    }
    return out + text_.substr(at);
  }

  const std::string file_, text_;
  const std::vector<Token> tokens_;
  std::set<std::string> templates_;
  std::map<size_t, std::pair<size_t, std::string>> edits_;  // begin -> end, text
};

}  // namespace

std::string simt::rewrite(const std::string& file, const std::string& text) {
  return Rewriter(file, text).run();
}
