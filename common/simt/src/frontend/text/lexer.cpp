#include "frontend/text/lexer.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <stdexcept>

namespace simt {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

class Lexer {
 public:
  Lexer(const std::string& text, std::string headers) : text_(text), headers_(std::move(headers)) {}

  Tokens run(const std::string& file) {
    tokens_.files.push_back(file);
    while (at_ < text_.size()) {
      step();
    }
    return tokens_;
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void advance() {
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = true;
    }
    ++at_;
  }

  [[noreturn]] void fail(const char* what, int line) const {
    throw std::runtime_error(tokens_.files[file_] + ":" + std::to_string(line) +
                             ": error: unterminated " + what);
  }

  void step() {
    const char c = peek();
    if (std::isspace(static_cast<unsigned char>(c))) {
      advance();
    } else if (c == '/' && peek(1) == '*') {
      skip_comment();
    } else if (c == '#' && line_start_ && read_mark()) {
    } else if ((c == '/' && peek(1) == '/') || (c == '#' && line_start_)) {
      skip_line();
    } else {
      line_start_ = false;
      token();
    }
  }

  // True for a file of the user: no system header (flag 3) and no header of the backend. The preprocessor also sets
  // flag 3 on text from system macros, which lies in a user's file that was entered before.
  bool is_own(const std::string& name, const std::string& flags) const {
    const auto& files = tokens_.files;
    return (flags.find('3') == std::string::npos ||
            std::find(files.begin(), files.end(), name) != files.end()) &&
           name[0] != '<' && name.compare(0, headers_.size(), headers_) != 0;
  }

  bool is_mark(size_t at) const {
    return text_.compare(at, 2, "# ") == 0 && at + 2 < text_.size() &&
           std::isdigit(static_cast<unsigned char>(text_[at + 2]));
  }

  // Skips the line marker at at_, and all text after it that is not from a user's file. False if there is no marker.
  bool read_mark() {
    if (!is_mark(at_)) {
      return false;
    }
    for (;;) {
      const size_t mark = at_;
      at_ = std::min(text_.find('\n', mark), text_.size());
      const size_t open = text_.find('"', mark) + 1, close = text_.rfind('"', at_);
      const std::string name = text_.substr(open, close - open);
      if (is_own(name, text_.substr(close, at_ - close))) {
        enter(name, std::atoi(text_.c_str() + mark + 2));
        return true;
      }
      do {
        at_ = std::min(text_.find("\n# ", at_), text_.size() - 1) + 1;
      } while (at_ < text_.size() && !is_mark(at_));
      if (at_ == text_.size()) {
        return true;
      }
    }
  }

  // Sets file and line for the text after a marker.
  void enter(const std::string& name, int line) {
    auto& files = tokens_.files;
    const auto found = std::find(files.begin(), files.end(), name);
    file_ = size_t(found - files.begin());
    if (found == files.end()) {
      files.push_back(name);
    }
    line_ = line - 1;  // the marker's own line break adds one
  }

  void token() {
    const size_t begin = at_;
    const int line = line_;
    const char c = peek();
    Token::Kind kind = Token::Punctuator;
    if (std::isdigit(static_cast<unsigned char>(c))) {
      // Digit separators and signed exponents belong to the number.
      while (is_word(peek()) || peek() == '.' || (peek() == '\'' && is_word(peek(1)))) {
        ++at_;
      }
      kind = Token::Number;
    } else if (is_word(c)) {
      while (is_word(peek())) {
        ++at_;
      }
      kind = Token::Identifier;
      if (peek() == '"' && text_[at_ - 1] == 'R') {
        raw_string();
        kind = Token::Literal;
      }
    } else if (c == '"' || c == '\'') {
      quoted(c);
      kind = Token::Literal;
    } else {
      ++at_;
    }
    tokens_.all.push_back({kind, begin, at_, line, file_});
  }

  void quoted(char quote) {
    const int line = line_;
    for (++at_; peek() != quote; advance()) {
      if (at_ >= text_.size() || peek() == '\n') {
        fail("literal", line);
      }
      if (peek() == '\\') {
        advance();
      }
    }
    ++at_;
  }

  void raw_string() {
    const int line = line_;
    const size_t open = text_.find('(', at_);
    if (open == std::string::npos) {
      fail("raw string", line);
    }
    const std::string close = ")" + text_.substr(at_ + 1, open - at_ - 1) + "\"";
    const size_t end = text_.find(close, open);
    if (end == std::string::npos) {
      fail("raw string", line);
    }
    while (at_ < end + close.size()) {
      advance();
    }
    line_start_ = false;
  }

  // Skips a // comment or a directive to the end of its line, with continuations by backslash. A /* */ comment that
  // starts in a directive may extend past that line.
  void skip_line() {
    const bool directive = peek() == '#';
    while (at_ < text_.size() && peek() != '\n') {
      if (peek() == '\\' && peek(1) == '\n') {
        advance();
      } else if (directive && peek() == '/' && peek(1) == '*') {
        skip_comment();
        continue;
      } else if (directive && peek() == '/' && peek(1) == '/') {
        skip_line();
        return;
      }
      advance();
    }
  }

  void skip_comment() {
    const int line = line_;
    const bool start = line_start_;
    at_ += 2;
    while (!(peek() == '*' && peek(1) == '/')) {
      if (at_ >= text_.size()) {
        fail("comment", line);
      }
      advance();
    }
    at_ += 2;
    line_start_ = start;
  }

  const std::string& text_;
  const std::string headers_;
  size_t at_ = 0;
  int line_ = 1;
  size_t file_ = 0;
  bool line_start_ = true;
  Tokens tokens_;
};

}  // namespace

Tokens tokenize(const std::string& file, const std::string& text, const std::string& headers) {
  return Lexer(text, headers + "/").run(file);
}

}  // namespace simt
