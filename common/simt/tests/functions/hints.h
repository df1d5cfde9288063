// Kernels for hints_test.cpp: loads and stores with hints, and atomic operations of all types. All pointers are device
// memory.
#pragma once
#include <cuda_runtime.h>

namespace hints {

// 32 threads copy with each pair of load and store: floats and halves by 6, and 32 of each vector.
void copy(const float4* in, float4* out);
// A warp loads and stores 32 float4, with hints or without.
void plain_copy(const float4* in, float4* out);
void hinted_copy(const float4* in, float4* out);

// 64 threads each add, as CUDA's atomicAdd() of the type, 0.5 * (thread % 4 + 1) to each element.
struct Sums {
  double doubles[3];  // of atomicAdd(), _block, _system
  alignas(16) float floats[12];  // of float, two of float2 from 2 on, four of float4 from 4 on
  float halves[4];  // what 16-bit sums are afterwards: half, half2, bfloat16 ...
  float bfloats[4];
};
void sums(Sums* out);

// 64 threads; words 0 to 8: add, sub, min, max, and, or, xor, inc (modulo 10), dec (modulo 7), and exch.
void words(unsigned long long* wide, int* ints, unsigned* small);
// Counts up by comparing and swapping 16 bits and others, 64 threads.
void swaps(unsigned short* small, unsigned* word, unsigned long long* wide, int* number);

enum class Mistake {
  kLoadBehind,  // __ldg() behind the end
  kStoreBehind,  // __stcs() behind the end
  kMisaligned,  // __ldcs() of a float4 that is not aligned
  kUninitialized,  // __ldcg() of memory that nobody wrote
  kRace,  // __stwt() of one thread, __ldca() of another
  kAtomicBehind,  // atomicAdd() of a float4 beyond the end
  kAtomicShared,  // the same in shared memory, which hardware has not
  kAtomicRace  // atomicMin() of one thread, a plain load of another
};
void mistake(Mistake which, float* in, float* out);

}  // namespace hints
