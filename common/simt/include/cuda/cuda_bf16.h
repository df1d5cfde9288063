// __nv_bfloat16 and __nv_bfloat162. Arithmetic is done in float and rounded once. The functions are those of half
// (cuda_fp16.h lists their headers).
#pragma once
#include "simt/names/begin.h"

#include <math.h>

#include <cmath>

#include "simt/api/bfloat16.h"
#include "simt/api/qualifiers.h"
#include "simt/shim/half/atomics.h"
#include "simt/shim/half/conversions.h"
#include "simt/shim/vector_types.h"

#define SIMT_H __nv_bfloat16
#define SIMT_H2 __nv_bfloat162
#define SIMT_RAW2 __nv_bfloat162_raw
#include "simt/shim/half/arithmetic.h"
#include "simt/shim/half/pairs.h"
#undef SIMT_H
#undef SIMT_H2
#undef SIMT_RAW2

typedef __nv_bfloat162 nv_bfloat162;

SIMT_CONVERSIONS(bfloat16, __nv_bfloat16)
SIMT_PAIRING(bfloat16, __nv_bfloat16, __nv_bfloat162)
SIMT_ATOMIC_HALF(__nv_bfloat16, __nv_bfloat162, false)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(1)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}

#include "simt/names/end.h"
