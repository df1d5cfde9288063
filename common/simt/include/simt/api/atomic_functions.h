// Atomic operations on global and shared memory. They return the old value.
#pragma once
#include "simt/api/qualifiers.h"

#define SIMT_ATOMIC(name, T) T name(T* address, T value);

SIMT_ATOMIC(atomicAdd, int)
SIMT_ATOMIC(atomicAdd, unsigned)
SIMT_ATOMIC(atomicAdd, unsigned long long)
SIMT_ATOMIC(atomicAdd, float)
SIMT_ATOMIC(atomicAdd, double)
SIMT_ATOMIC(atomicSub, int)
SIMT_ATOMIC(atomicSub, unsigned)
SIMT_ATOMIC(atomicMin, int)
SIMT_ATOMIC(atomicMin, unsigned)
SIMT_ATOMIC(atomicMax, int)
SIMT_ATOMIC(atomicMax, unsigned)
SIMT_ATOMIC(atomicAnd, int)
SIMT_ATOMIC(atomicAnd, unsigned)
SIMT_ATOMIC(atomicOr, int)
SIMT_ATOMIC(atomicOr, unsigned)
SIMT_ATOMIC(atomicXor, int)
SIMT_ATOMIC(atomicXor, unsigned)
SIMT_ATOMIC(atomicExch, int)
SIMT_ATOMIC(atomicExch, unsigned)
SIMT_ATOMIC(atomicExch, float)

#undef SIMT_ATOMIC

// Writes value where the old value equals compare.
int atomicCAS(int* address, int compare, int value);
unsigned atomicCAS(unsigned* address, unsigned compare, unsigned value);
unsigned long long atomicCAS(unsigned long long* address, unsigned long long compare,
                             unsigned long long value);
