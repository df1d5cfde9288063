// half and half2. Arithmetic is done in float and rounded once.
#pragma once
#include "simt/api/half.h"
#include "simt/api/qualifiers.h"
#include "simt/shim/vector_types.h"

inline __half operator+(__half a, __half b) {
  return a += b;
}
inline __half operator-(__half a, __half b) {
  return a -= b;
}
inline __half operator*(__half a, __half b) {
  return a *= b;
}
inline __half operator/(__half a, __half b) {
  return a /= b;
}
inline __half operator-(__half a) {
  a.bits ^= 0x8000;
  return a;
}
#define SIMT_COMPARE(op)                        \
  inline bool operator op(__half a, __half b) { \
    return float(a) op float(b);                \
  }
SIMT_COMPARE(==)
SIMT_COMPARE(!=)
SIMT_COMPARE(<)
SIMT_COMPARE(<=)
SIMT_COMPARE(>)
SIMT_COMPARE(>=)
#undef SIMT_COMPARE

inline __half __float2half(float value) {
  return __half(value);
}
inline __half __float2half_rn(float value) {
  return __half(value);
}
inline __half __double2half(double value) {
  return __half(value);
}
inline __half __int2half_rn(int value) {
  return __half(value);
}
inline float __half2float(__half value) {
  return float(value);
}
inline __half __ushort_as_half(unsigned short bits) {
  __half value;
  value.bits = bits;
  return value;
}
inline unsigned short __half_as_ushort(__half value) {
  return value.bits;
}
inline bool __hisnan(__half value) {
  return (value.bits & 0x7fff) > 0x7c00;
}
inline __half __hadd(__half a, __half b) {
  return a + b;
}
inline __half __hsub(__half a, __half b) {
  return a - b;
}
inline __half __hmul(__half a, __half b) {
  return a * b;
}
// The product of two halves is exact in double, so there is one rounding that matters.
inline __half __hfma(__half a, __half b, __half c) {
  return __half(double(float(a)) * double(float(b)) + double(float(c)));
}

struct alignas(4) __half2 {
  __half x, y;
};
typedef __half2 half2;

inline __half2 __halves2half2(__half x, __half y) {
  return {x, y};
}
inline __half2 make_half2(__half x, __half y) {
  return {x, y};
}
inline __half2 __float2half2_rn(float value) {
  return {__half(value), __half(value)};
}
inline __half2 __floats2half2_rn(float x, float y) {
  return {__half(x), __half(y)};
}
inline __half __low2half(__half2 v) {
  return v.x;
}
inline __half __high2half(__half2 v) {
  return v.y;
}
inline __half2 __float22half2_rn(float2 v) {
  return {__half(v.x), __half(v.y)};
}
inline float2 __half22float2(__half2 v) {
  return float2(float(v.x), float(v.y));
}
inline __half2 __hadd2(__half2 a, __half2 b) {
  return {a.x + b.x, a.y + b.y};
}
inline __half2 __hmul2(__half2 a, __half2 b) {
  return {a.x * b.x, a.y * b.y};
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
