// Kernels for numbers_test.cpp. All pointers are device memory.
#pragma once
#include <cuda_runtime.h>

namespace numbers {

// One warp: what __shfl_up_sync() by 3 in groups of 16 gives lane i, in out[i].
void shuffle_up(int* out);

// 64 threads: 0 + 1 + ... + 63 is added to *sum, and *product doubled ten times, by atomicCAS().
void add(int* sum, unsigned long long* product);

// 64 threads: one writes shared memory, one of another warp reads it, with a fence between them alone.
void fence(int* out);

}  // namespace numbers
