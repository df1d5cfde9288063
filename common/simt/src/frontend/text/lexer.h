// Splits CUDA C++ source text into the tokens that the frontend looks at.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace simt {

// A token of the source. Comments, literals' contents, white space and preprocessor directives are
// never tokens. A punctuator is one character: `<<<` is three tokens.
struct Token {
  enum Kind { Identifier, Number, Literal, Punctuator };
  Kind kind;
  size_t begin, end;  // offsets into the text
  int line;  // from 1
  size_t file;  // in Tokens::files
};

struct Tokens {
  std::vector<Token> all;  // in order
  std::vector<std::string> files;  // their names; the first is the given one
};

// The tokens of a text, which may come from the preprocessor: its marks (# 3 "file.h" 1) tell file and line. There
// are none of what lies in headers of the system or of the backend. Throws std::runtime_error ("FILE:LINE: error: ...")
// for an unterminated comment or literal.
Tokens tokenize(const std::string& file, const std::string& text);

}  // namespace simt
