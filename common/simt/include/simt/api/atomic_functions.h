// Atomic operations on global and shared memory. They return the old value. The _block and _system forms do the same
// here, because all threads see one memory.
#pragma once
#include <cstdint>

#include "simt/api/qualifiers.h"

#define SIMT_ATOMIC(name, T)           \
  T name(T* address, T value);         \
  T name##_block(T* address, T value); \
  T name##_system(T* address, T value);

SIMT_ATOMIC(atomicAdd, int)
SIMT_ATOMIC(atomicAdd, unsigned)
SIMT_ATOMIC(atomicAdd, unsigned long long)
SIMT_ATOMIC(atomicAdd, float)
SIMT_ATOMIC(atomicAdd, double)
SIMT_ATOMIC(atomicSub, int)
SIMT_ATOMIC(atomicSub, unsigned)
#define SIMT_FOR_INTEGERS(name) \
  SIMT_ATOMIC(name, int)        \
  SIMT_ATOMIC(name, unsigned)   \
  SIMT_ATOMIC(name, unsigned long long)
SIMT_FOR_INTEGERS(atomicMin)
SIMT_ATOMIC(atomicMin, long long)
SIMT_FOR_INTEGERS(atomicMax)
SIMT_ATOMIC(atomicMax, long long)
SIMT_FOR_INTEGERS(atomicAnd)
SIMT_FOR_INTEGERS(atomicOr)
SIMT_FOR_INTEGERS(atomicXor)
SIMT_FOR_INTEGERS(atomicExch)
SIMT_ATOMIC(atomicExch, float)
// Adds one, and wraps to 0 after `value`. Subtracts one, and wraps to `value` from 0 or from above `value`.
SIMT_ATOMIC(atomicInc, unsigned)
SIMT_ATOMIC(atomicDec, unsigned)
#undef SIMT_FOR_INTEGERS
#undef SIMT_ATOMIC

// Writes value if the old value equals compare.
#define SIMT_COMPARE_AND_SWAP(T)                     \
  T atomicCAS(T* address, T compare, T value);       \
  T atomicCAS_block(T* address, T compare, T value); \
  T atomicCAS_system(T* address, T compare, T value);
SIMT_COMPARE_AND_SWAP(int)
SIMT_COMPARE_AND_SWAP(unsigned)
SIMT_COMPARE_AND_SWAP(unsigned long long)
SIMT_COMPARE_AND_SWAP(unsigned short)
#undef SIMT_COMPARE_AND_SWAP

namespace simt {

// Adds 16-bit numbers, passed as bits: one, or two at once. is_half: half, else bfloat16.
uint16_t atomic_add_16(void* address, uint16_t bits, bool is_half);
uint32_t atomic_add_pair(void* address, uint32_t bits, bool is_half);
// Adds two or four floats in one access. Each addition is atomic by itself.
void atomic_add_floats(float* address, const float* values, float* old, unsigned count);

}  // namespace simt
