// The frontend turns a CUDA source file into C++, before the compiler sees it.
// The driver (driver/build.cpp) preprocesses the file first: the text has no macros left and contains all headers.
//
// parts.h lists the passes. source.h holds the text and its edits, lexer.h splits it into tokens, unsupported.h names
// the features that are refused.
#pragma once
#include <string>

namespace simt {

// Returns the C++ for a CUDA source text. `file` is the name in #line directives and messages. `headers` is the folder
// of the backend's headers. `warnings` gets one line per warning. relocatable: other files may use its device functions
// and variables, as with nvcc's -rdc=true. relaxed: kernels may call constexpr functions of the host, as with
// --expt-relaxed-constexpr. Throws std::runtime_error ("FILE:LINE: error: ...") for unsupported features.
std::string rewrite(const std::string& file, const std::string& text, const std::string& headers,
                    std::string& warnings, bool relocatable, bool relaxed);

}  // namespace simt
