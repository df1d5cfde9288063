// What the harness asks of the place where kernels run: a GPU (common/harness/gpu/backend.cu) or the CPU backend
// (common/harness/cpu/backend.cpp).
#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

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

// A matrix in device memory as kernels may use it: rows of row_bytes each, whose starts lie pitch bytes
// apart.
struct Window {
  const void* data;
  size_t rows, row_bytes, pitch;
  bool reads, writes;  // whether its elements may be read, or written
};

// Calls the function. On the CPU backend, a kernel launched by it that writes to the allocation of one
// of these matrices outside of those that it may write, or reads one that it may not read, makes an
// error like any other; a call of CUDA that waits for the device throws DeviceError. A GPU cannot watch.
void watch(const std::vector<Window>& windows, const std::function<void()>& call);

// Device memory for cudaFree() of which only a few pages will be touched; null where there is not so much.
// The CPU backend needs addresses for it, and memory for what is touched; kernels may touch only what was
// copied there. A GPU needs all of it.
void* reserve(size_t bytes);

// Of the calls of CUDA's functions that may fail though the caller does nothing wrong, launches among them, the n-th
// from now on does nothing and fails; 0: none of them. On the CPU backend only.
void fail_call(int n);

// The name of the function that has failed so since then; "" if there were fewer calls.
std::string failed_call();

}  // namespace backend
