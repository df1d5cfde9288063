// __nv_bfloat16 and __nv_bfloat162. Arithmetic is done in float and rounded once.
#pragma once
#include "simt/api/bfloat16.h"
#include "simt/api/qualifiers.h"
#include "simt/shim/vector_types.h"

inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  __nv_bfloat16 value;
  value.bits = bits;
  return value;
}
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) {
  return value.bits;
}
inline __nv_bfloat16 __float2bfloat16(float value) {
  return __nv_bfloat16(value);
}
inline __nv_bfloat16 __float2bfloat16_rn(float value) {
  return __nv_bfloat16(value);
}
inline __nv_bfloat16 __float2bfloat16_rz(float value) {
  return __ushort_as_bfloat16(simt::bfloat16_bits_to_zero(value));
}
inline __nv_bfloat16 __double2bfloat16(double value) {
  return __nv_bfloat16(value);
}
inline float __bfloat162float(__nv_bfloat16 value) {
  return float(value);
}

#define SIMT_OPERATOR(op)                                                   \
  inline __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) {      \
    return __nv_bfloat16(float(a) op float(b));                             \
  }                                                                         \
  inline __nv_bfloat16& operator op##=(__nv_bfloat16& a, __nv_bfloat16 b) { \
    return a = a op b;                                                      \
  }
#define SIMT_COMPARE(op)                                      \
  inline bool operator op(__nv_bfloat16 a, __nv_bfloat16 b) { \
    return float(a) op float(b);                              \
  }
SIMT_OPERATOR(+)
SIMT_OPERATOR(-)
SIMT_OPERATOR(*)
SIMT_OPERATOR(/)
SIMT_COMPARE(==)
SIMT_COMPARE(!=)
SIMT_COMPARE(<)
SIMT_COMPARE(<=)
SIMT_COMPARE(>)
SIMT_COMPARE(>=)
#undef SIMT_OPERATOR
#undef SIMT_COMPARE
inline __nv_bfloat16 operator-(__nv_bfloat16 value) {
  return __ushort_as_bfloat16(value.bits ^ 0x8000);
}

struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
typedef __nv_bfloat162 nv_bfloat162;

inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {__nv_bfloat16(x), __nv_bfloat16(y)};
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return {__nv_bfloat16(v.x), __nv_bfloat16(v.y)};
}
inline float2 __bfloat1622float2(__nv_bfloat162 v) {
  return float2(float(v.x), float(v.y));
}
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) {
  return v.x;
}
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) {
  return v.y;
}
