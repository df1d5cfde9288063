// Splits CUDA C++ source text into tokens.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace simt {

// A token. Comments, white space and preprocessor directives produce none. A literal is one token. A punctuator is one
// character, so `<<<` is three tokens.
struct Token {
  enum Kind { Identifier, Number, Literal, Punctuator };
  Kind kind;
  size_t begin, end;  // offsets into the text
  int line;  // from 1
  size_t file;  // index into Tokens::files
};

struct Tokens {
  std::vector<Token> all;  // in order
  std::vector<std::string> files;  // the first is the file name given to tokenize()
};

// Returns the tokens of a text, which may be preprocessed: line markers (# 3 "file.h" 1) set file and line. Skips
// system headers and those in the folder `headers`, the backend's. Throws std::runtime_error ("FILE:LINE: error: ...")
// for an unterminated comment or literal.
Tokens tokenize(const std::string& file, const std::string& text, const std::string& headers);

}  // namespace simt
