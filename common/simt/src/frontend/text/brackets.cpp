// Finds unbalanced brackets. The compiler would report them at the end of the file.
#include <string>
#include <vector>

#include "frontend/parts.h"

namespace simt {
namespace {

class Brackets {
 public:
  explicit Brackets(const Source& source) : source_(source) {}

  void check() {
    for (size_t i = 0; i < source_.size(); ++i) {
      const std::string word = source_.word(i);
      if (word == "(" || word == "[" || word == "{") {
        open_.push_back(i);
      } else if (word == ")" || word == "]" || word == "}") {
        close(i, word);
      }
    }
    if (open_.empty()) return;
    never_closed(unclosed_ != kNone && source_.is(open_.back(), "{") ? unclosed_ : open_.back());
  }

 private:
  static constexpr size_t kNone = ~size_t(0);

  void close(size_t i, const std::string& word) {
    if (open_.empty()) {
      closes_nothing(word == "}" && extra_ != kNone ? extra_ : i);
    }
    const size_t open = open_.back();
    const std::string fits = source_.is(open, "(") ? ")" : source_.is(open, "[") ? "]" : "}";
    if (word != fits) {
      if (fits == "}") closes_nothing(i);
      never_closed(open);
    }
    open_.pop_back();
    if (word == "}") compare(open, i);
  }

  // Uses indentation to locate the mistake: authors align a } with the line of its {. The first pair that is not
  // aligned is where a bracket is missing or extra.
  void compare(size_t open, size_t close) {
    const bool after = open > 0 && source_.is(open - 1, ")");
    const size_t begin = after ? source_.opening(open - 1) : open;
    if (source_.at(begin).line == source_.at(close).line || !source_.begins_line(close)) return;
    const size_t outer = source_.indentation(begin), inner = source_.indentation(close);
    if (inner < outer && unclosed_ == kNone) unclosed_ = open;
    if (inner > outer && extra_ == kNone) extra_ = close;
  }

  [[noreturn]] void never_closed(size_t i) const {
    const std::string open = source_.word(i);
    source_.fail(i, "this " + open + " is never closed: a " +
                        (open == "("   ? ")"
                         : open == "[" ? "]"
                                       : "}") +
                        " is missing");
  }

  [[noreturn]] void closes_nothing(size_t i) const {
    source_.fail(i, "this " + source_.word(i) + " closes nothing: it is one too many");
  }

  const Source& source_;
  std::vector<size_t> open_;
  size_t unclosed_ = kNone, extra_ = kNone;
};

}  // namespace

void check_brackets(const Source& source) {
  Brackets(source).check();
}

}  // namespace simt
