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
  Source(std::string file, std::string text)
      : file_(std::move(file)), text_(std::move(text)), all_(tokenize(file_, text_)) {}

  size_t size() const { return tokens_.size(); }
  const Token& at(size_t i) const { return tokens_[i]; }
  // The text of token i; empty behind the last.
  std::string word(size_t i) const;
  bool is(size_t i, const char* what) const { return word(i) == what; }
  bool identifier(size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Identifier;
  }
  // Three neighbouring < or > without anything between them.
  bool is_chevron(size_t i, char c) const;
  // The text from token begin up to token end, without it.
  std::string text(size_t begin, size_t end) const;

  // The ( that the ) at i closes.
  size_t opening(size_t i) const;
  // How many tokens the word at i and the parentheses after it have.
  size_t closing(size_t i) const;
  // Whether the token lies in braces other than a namespace's.
  bool inside_function(size_t i) const;
  // How far the line of token i is indented, and whether it begins with that token.
  size_t indentation(size_t i) const;
  bool begins_line(size_t i) const;
  const std::string& raw() const { return text_; }

  // FILE:LINE of token i.
  std::string place(size_t i) const;
  // Throws std::runtime_error with the file and the line of token i.
  [[noreturn]] void fail(size_t i, const std::string& message) const;

  // Replaces the text from offset begin to end. Line breaks in it stay.
  void replace(size_t begin, size_t end, const std::string& with);
  void insert(size_t offset, const std::string& what) { replace(offset, offset, what); }
  // The text with all edits; behind a #line.
  std::string apply() const;

 private:
  struct Edit {
    size_t end;
    std::string with;
  };
  // What keeps the numbers of lines right behind an edit.
  std::string behind(size_t begin, const Edit& edit) const;

  const std::string file_, text_;
  const Tokens all_;
  const std::vector<Token>& tokens_ = all_.all;
  std::map<size_t, Edit> edits_;  // by their begin
};

}  // namespace simt
