// A source text, its tokens, and the edits to it.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frontend/text/lexer.h"

namespace simt {

class Source {
 public:
  // See tokenize().
  Source(std::string file, std::string text, const std::string& headers)
      : file_(std::move(file)), text_(std::move(text)), all_(tokenize(file_, text_, headers)) {}

  size_t size() const { return tokens_.size(); }
  const Token& at(size_t i) const { return tokens_[i]; }
  // Returns the text of token i; empty past the last token.
  std::string word(size_t i) const;
  bool is(size_t i, const char* what) const { return word(i) == what; }
  bool identifier(size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Identifier;
  }
  // True if tokens i to i + 2 are <<< or >>>, or <, < and < that white space parts.
  bool is_chevron(size_t i, char c) const;
  // Returns the text of tokens begin to end - 1, with the white space between them.
  std::string text(size_t begin, size_t end) const;

  // Returns the token of the ( that matches the ) at i.
  size_t opening(size_t i) const;
  // Returns the number of tokens of the word at i and the parentheses after it.
  size_t closing(size_t i) const;
  // True if the token is within braces other than those of a namespace or extern "C".
  bool inside_function(size_t i) const;
  // Returns the number of blanks and tabs at the start of token i's line.
  size_t indentation(size_t i) const;
  // True if token i is the first of its line.
  bool begins_line(size_t i) const;
  const std::string& raw() const { return text_; }

  // FILE:LINE of token i.
  std::string place(size_t i) const;
  // Throws std::runtime_error with the file and the line of token i.
  [[noreturn]] void fail(size_t i, const std::string& message) const;

  // Replaces the text from offset begin to end, and keeps its line breaks.
  void replace(size_t begin, size_t end, const std::string& replacement);
  void insert(size_t offset, const std::string& inserted) { replace(offset, offset, inserted); }
  // Returns the text with all edits applied, after a #line directive.
  std::string apply() const;

 private:
  struct Edit {
    size_t end;
    std::string replacement;
  };
  // Returns the line breaks or the line marker that keep line numbers correct after an edit.
  std::string after(size_t begin, const Edit& edit) const;

  const std::string file_, text_;
  const Tokens all_;
  const std::vector<Token>& tokens_ = all_.all;
  std::map<size_t, Edit> edits_;  // by their first offset
};

}  // namespace simt
