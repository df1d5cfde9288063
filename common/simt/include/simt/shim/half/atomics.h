// Atomic additions of 16-bit numbers and of pairs. Each part of a pair is atomic by itself.
#pragma once
#include "simt/api/atomic_functions.h"
#include "simt/api/qualifiers.h"
#include "simt/shim/math/conversions.h"

#define SIMT_ATOMIC_HALF(H, H2, is_half)                                \
  __forceinline__ H atomicAdd(H* address, H value) {                    \
    value.bits = simt::atomic_add_16(address, value.bits, is_half);     \
    return value;                                                       \
  }                                                                     \
  __forceinline__ H2 atomicAdd(H2* address, H2 value) {                 \
    const unsigned bits = uint32_t(value.y.bits) << 16 | value.x.bits;  \
    const unsigned old = simt::atomic_add_pair(address, bits, is_half); \
    value.x.bits = static_cast<unsigned short>(old);                    \
    value.y.bits = static_cast<unsigned short>(old >> 16);              \
    return value;                                                       \
  }
