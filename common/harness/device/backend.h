// What the harness asks of the place where kernels run: a GPU (common/harness/gpu/backend.cu) or the CPU backend
// (common/harness/cpu/backend.cpp).
#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace backend {

// False where kernels run on the CPU backend: times are then not a GPU's, and there is no baseline.
bool is_gpu();

// A kernel launch. Fields that the backend cannot know are 0 (registers and blocks_per_sm on the CPU).
struct Launch {
  bool known = false;
  dim3 grid, block;
  int registers = 0;  // per thread
  size_t shared_bytes = 0;  // per block, static and dynamic
  int blocks_per_sm = 0;  // resident at once
  bool endless = false;  // stopped, for want of progress; a GPU would still be at it
};

// The last kernel launch of this process; known == false if none was seen.
Launch last_launch();

}  // namespace backend
