// The frontend makes C++ of a CUDA source file, before the compiler sees it.
// The driver (driver/build.cpp) preprocesses the file and hands over the text: no macro is left, all headers are in it.
//
// Inside: parts.h lists what is rewritten (launches.cpp, shared.cpp and, for inline assembly, ptx/),
// source.h is the text with its edits, lexer.h splits it, unsupported.h names what is refused.
#pragma once
#include <string>

namespace simt {

// The C++ of a CUDA source text. file is the name that #line and messages tell. Throws
// std::runtime_error with "FILE:LINE: error: ..." for what the CPU backend does not support. warnings: a line for each.
std::string rewrite(const std::string& file, const std::string& text, std::string& warnings);

}  // namespace simt
