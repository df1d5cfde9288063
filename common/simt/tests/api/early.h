// Kernels that are launched by cudaLaunchKernelEx() (early.cu).
#pragma once
#include <cuda_runtime.h>

namespace api {

constexpr int BLOCKS = 3, THREADS = 96;

// to = from + 1 for BLOCKS * THREADS floats. early: the launch may begin before the one ahead has ended.
using Early = cudaError_t (*)(bool early, const float* from, float* to);
extern const Early waits, one_waits;
// Wrong if early.
extern const Early never_waits, reads_early, writes_early, adds_early, copies_early, no_barrier,
    other_warp;

// Adds 2 to the first 3 floats; threads of a block have a float of dynamic shared memory each, and are
// at most 64.
cudaError_t sum(const cudaLaunchConfig_t* config, float* to);

}  // namespace api
