#include "common/simt/frontend/lexer.h"

#include <cctype>
#include <stdexcept>

namespace simt {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

class Lexer {
 public:
  explicit Lexer(const std::string& text) : text_(text) {}

  std::vector<Token> run() {
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
    throw std::runtime_error(std::to_string(line) + ": unterminated " + what);
  }

  void step() {
    const char c = peek();
    if (std::isspace(static_cast<unsigned char>(c))) {
      advance();
    } else if (c == '/' && peek(1) == '*') {
      skip_comment();
    } else if ((c == '/' && peek(1) == '/') || (c == '#' && line_start_)) {
      skip_line();
    } else {
      line_start_ = false;
      token();
    }
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
    tokens_.push_back({kind, begin, at_, line});
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

  // A // comment or a directive, to the end of its line; a backslash continues it. A /* */ comment
  // may start in a directive and go on past the line.
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
  size_t at_ = 0;
  int line_ = 1;
  bool line_start_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(const std::string& text) {
  return Lexer(text).run();
}

}  // namespace simt
