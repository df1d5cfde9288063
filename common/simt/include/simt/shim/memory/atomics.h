// Atomic additions of vectors. Each element is atomic by itself.
#pragma once
#include "simt/api/atomic_functions.h"
#include "simt/api/qualifiers.h"
#include "simt/shim/vector_types.h"

#define SIMT_ATOMIC_VECTOR(name, Vector, count)                                     \
  __forceinline__ Vector name(Vector* address, Vector value) {                      \
    float values[count], old[count];                                                \
    __builtin_memcpy(values, &value, sizeof values);                                \
    simt::atomic_add_floats(reinterpret_cast<float*>(address), values, old, count); \
    __builtin_memcpy(static_cast<void*>(&value), old, sizeof old);                  \
    return value;                                                                   \
  }
SIMT_ATOMIC_VECTOR(atomicAdd, float2, 2)
SIMT_ATOMIC_VECTOR(atomicAdd, float4, 4)
SIMT_ATOMIC_VECTOR(atomicAdd_block, float2, 2)
SIMT_ATOMIC_VECTOR(atomicAdd_block, float4, 4)
SIMT_ATOMIC_VECTOR(atomicAdd_system, float2, 2)
SIMT_ATOMIC_VECTOR(atomicAdd_system, float4, 4)
#undef SIMT_ATOMIC_VECTOR
