// Splits CUDA C++ source text into the tokens that simt_rewrite looks at.
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
};

// Tokens of text, in order. Throws std::runtime_error for an unterminated comment or literal.
std::vector<Token> tokenize(const std::string& text);

}  // namespace simt
