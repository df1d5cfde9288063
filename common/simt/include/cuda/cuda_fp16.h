// half and half2. Arithmetic is done in float and rounded once.
//
//   simt/half/conversions.h  from and to other numbers
//   simt/half/arithmetic.h   functions of a number
//   simt/half/pairs.h        functions of a pair
//   simt/half/atomics.h      atomicAdd()
#pragma once
#include "simt/names/begin.h"

#include <math.h>

#include <cmath>

#include "simt/api/half.h"
#include "simt/api/qualifiers.h"
#include "simt/shim/half/atomics.h"
#include "simt/shim/half/conversions.h"
#include "simt/shim/vector_types.h"

#define SIMT_H __half
#define SIMT_H2 __half2
#define SIMT_RAW2 __half2_raw
#include "simt/shim/half/arithmetic.h"
#include "simt/shim/half/pairs.h"
#undef SIMT_H
#undef SIMT_H2
#undef SIMT_RAW2

typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

SIMT_CONVERSIONS(half, __half)
SIMT_PAIRING(half, __half, __half2)
SIMT_ATOMIC_HALF(__half, __half2, true)
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(1)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
inline __half2 make_half2(__half x, __half y) {
  return __half2(x, y);
}

#include "simt/names/end.h"
