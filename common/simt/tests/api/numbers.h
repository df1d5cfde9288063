// Kernels for numbers_test.cpp. All pointers are device memory.
#pragma once
#include <cuda_runtime.h>

namespace numbers {

// One warp: what __shfl_up_sync() by 3 in groups of 16 gives lane i, in out[i].
void shuffle_up(int* out);

// 64 threads: 0 + 1 + ... + 63 is added to *sum, and *product doubled ten times, by atomicCAS().
void add(int* sum, unsigned long long* product);

// 64 threads: thread t adds t to out[0] and subtracts it from out[1], puts the lowest and the highest t - 32
// (unsigned: modulo 2^32) into out[2] and out[3], clears bit 2 of out[4], sets bits 0 to 19 of out[5], flips
// bit t % 20 of out[6]; and the last one exchanges out[7] for 63 and keeps it in out[8].
void combine(int* out);
void combine(unsigned* out);
// The same for types that have only some operations: each adds 2^40 and 0.25, one exchanges swapped[0] for
// 2.5 and keeps it in swapped[1].
void combine_wide(unsigned long long* sum, double* fractions, float* swapped);

// 64 threads: one writes shared memory, one of another warp reads it, with a fence between them alone.
void fence(int* out);

}  // namespace numbers
