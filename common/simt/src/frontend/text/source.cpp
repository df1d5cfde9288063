#include "frontend/text/source.h"

#include <algorithm>
#include <stdexcept>

namespace simt {

std::string Source::word(size_t i) const {
  return i < tokens_.size() ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin)
                            : std::string();
}

std::string Source::text(size_t begin, size_t end) const {
  return text_.substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin);
}

std::string Source::place(size_t i) const {
  return all_.files[tokens_[i].file] + ":" + std::to_string(tokens_[i].line);
}

void Source::fail(size_t i, const std::string& message) const {
  throw std::runtime_error(place(i) + ": error: " + message);
}

bool Source::is_chevron(size_t i, char c) const {
  const std::string one(1, c);
  const bool three =
      i + 2 < tokens_.size() && word(i) == one && word(i + 1) == one && word(i + 2) == one;
  const bool close =
      three && tokens_[i].end == tokens_[i + 1].begin && tokens_[i + 1].end == tokens_[i + 2].begin;
  const bool apart = c == '<' ? i > 0 && word(i - 1) != "operator" : word(i + 3) == "(";
  return three && (close || apart);
}

size_t Source::opening(size_t i) const {
  int depth = 0;
  for (size_t at = i + 1; at-- > 0;) {
    depth += is(at, ")") - is(at, "(");
    if (depth == 0) {
      return at;
    }
  }
  fail(i, "unbalanced parentheses");
}

size_t Source::closing(size_t i) const {
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

size_t Source::indentation(size_t i) const {
  const size_t line = text_.rfind('\n', tokens_[i].begin) + 1;
  return text_.find_first_not_of(" \t", line) - line;
}

bool Source::begins_line(size_t i) const {
  const size_t line = text_.rfind('\n', tokens_[i].begin) + 1;
  return line + indentation(i) == tokens_[i].begin;
}

bool Source::inside_function(size_t token) const {
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

void Source::replace(size_t begin, size_t end, const std::string& replacement) {
  Edit& edit = edits_.insert({begin, {begin, ""}}).first->second;
  edit.end = std::max(edit.end, end);
  edit.replacement += replacement;
}

std::string Source::after(size_t begin, const Edit& edit) const {
  const std::string piece = text_.substr(begin, edit.end - begin);
  const auto next =
      std::lower_bound(tokens_.begin(), tokens_.end(), edit.end,
                       [](const Token& token, size_t at) { return token.begin < at; });
  const bool marks = piece.find("\n#") != std::string::npos;
  if (!marks && edit.replacement.find('\n') == std::string::npos) {
    return std::string(size_t(std::count(piece.begin(), piece.end(), '\n')), '\n');
  }
  if (next == tokens_.end()) {
    return "";
  }
  const long gap =
      std::count(text_.begin() + long(edit.end), text_.begin() + long(next->begin), '\n');
  return "\n# " + std::to_string(std::max(1L, next->line - gap)) + " \"" + all_.files[next->file] +
         "\"\n";
}

std::string Source::apply() const {
  std::string out = "#line 1 \"" + file_ + "\"\n";
  size_t at = 0;
  for (const auto& [begin, edit] : edits_) {
    out += text_.substr(at, begin - at) + edit.replacement + after(begin, edit);
    at = edit.end;
  }
  return out + text_.substr(at);
}

}  // namespace simt
