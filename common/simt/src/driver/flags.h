// Compiler flags for kernels. No other file sets them.
#pragma once
#include <string>
#include <vector>

#include "driver/options.h"
#include "driver/toolchain.h"

namespace simt {

// Returns the flags for preprocessor and compiler, to be placed before the user's options.
std::vector<std::string> base_flags(const Toolchain& tools, const Options& options);

// Returns the flags that keep each access of the source a single access at its line, and that add checks and counts.
std::vector<std::string> kernel_flags(const Toolchain& tools, const Options& options);

// Returns flags against warnings that nvcc does not give, to be placed after the user's options. __launch_bounds__
// leaves constants unused here, and templates compare constants of different signedness.
std::vector<std::string> silent_warnings(const Toolchain& tools);

}  // namespace simt
