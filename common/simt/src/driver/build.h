// Runs the stages of simtcc.
#pragma once
#include "driver/options.h"
#include "driver/toolchain.h"

namespace simt {

// Builds what the options request. Returns the exit code: 0, or 1 if a file is wrong, after a message about it. Throws
// UsageError and std::runtime_error.
int build(const Options& options, const Toolchain& tools);

}  // namespace simt
