// How a kernel is compiled: the one place that says so.
#pragma once
#include <string>
#include <vector>

#include "driver/options.h"
#include "driver/toolchain.h"

namespace simt {

// What both the preprocessor and the compiler need, in front of the user's own options.
std::vector<std::string> base_flags(const Toolchain& tools, const Options& options);

// What keeps one access of the source one access at its line, and what checks and counts it.
std::vector<std::string> kernel_flags(const Toolchain& tools, const Options& options);

// Behind the user's options: warnings that nvcc does not have either. __launch_bounds__ names constants that are unused
// here, and templates compare constants of either sign.
std::vector<std::string> silent_warnings(const Toolchain& tools);

}  // namespace simt
