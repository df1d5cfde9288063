// The built-in variables as the runtime sees them: not constant.
#pragma once
#include "common/simt/api/dim3.h"

namespace simt {
extern __thread uint3 thread_index __asm__("threadIdx");
extern __thread uint3 block_index __asm__("blockIdx");
extern __thread uint3 block_extent __asm__("blockDim");
extern __thread uint3 grid_extent __asm__("gridDim");
}  // namespace simt
