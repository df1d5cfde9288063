// The steps of simtcc.
#pragma once
#include "driver/options.h"
#include "driver/toolchain.h"

namespace simt {

// Does what the options ask for; returns the exit code: 0, 1 (a file is wrong, and someone has said so). Throws
// UsageError and std::runtime_error.
int build(const Options& options, const Toolchain& tools);

}  // namespace simt
