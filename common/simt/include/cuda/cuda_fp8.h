// 8-bit floats: storage and conversions. There is no arithmetic: convert to half or float.
#pragma once
#include "simt/names/begin.h"

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt/api/fp8.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// Conversions of single numbers, as bits.
inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t kind) {
  return simt::fp8_bits(x, kind == __NV_E4M3, saturate == __NV_SATFINITE);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(double(x), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(simt::half_value(x.x), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                      __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(simt::bfloat16_value(x.x), saturate, kind);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return {simt::half_bits(simt::fp8_value(x, kind == __NV_E4M3))};
}

// E8M0, a power of two: 2^(x - 127), and 255 is NaN.
inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  const unsigned bits = x == 0 ? 0x40u : x == 255 ? 0x7fffu : unsigned(x) << 7;
  return {static_cast<unsigned short>(bits)};
}
inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return {__nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(x)).x,
          __nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(x >> 8)).x};
}

// Conversions of two numbers; the first is in the lower byte.
#define SIMT_TWO(one, two, Pair, T)                                                              \
  inline __nv_fp8x2_storage_t two(Pair v, __nv_saturation_t saturate,                            \
                                  __nv_fp8_interpretation_t kind) {                              \
    return __nv_fp8x2_storage_t(one(T{v.x}, saturate, kind) | one(T{v.y}, saturate, kind) << 8); \
  }
SIMT_TWO(__nv_cvt_double_to_fp8, __nv_cvt_double2_to_fp8x2, double2, double)
SIMT_TWO(__nv_cvt_float_to_fp8, __nv_cvt_float2_to_fp8x2, float2, float)
SIMT_TWO(__nv_cvt_halfraw_to_fp8, __nv_cvt_halfraw2_to_fp8x2, __half2_raw, __half_raw)
SIMT_TWO(__nv_cvt_bfloat16raw_to_fp8, __nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw,
         __nv_bfloat16_raw)
#undef SIMT_TWO
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                              __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x), kind).x,
          __nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x >> 8), kind).x};
}

// The types. Their constructors saturate.
#define SIMT_FP8(name, kind)                                                               \
  struct name {                                                                            \
    __nv_fp8_storage_t __x;                                                                \
    name() = default;                                                                      \
    explicit name(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, kind)) {}        \
    explicit name(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind)) {}      \
    explicit name(__half x) : name(float(x)) {}                                            \
    explicit name(__nv_bfloat16 x) : name(float(x)) {}                                     \
    explicit name(int x) : name(double(x)) {}                                              \
    explicit name(unsigned x) : name(double(x)) {}                                         \
    explicit name(long x) : name(double(x)) {}                                             \
    explicit name(unsigned long x) : name(double(x)) {}                                    \
    explicit name(long long x) : name(double(x)) {}                                        \
    explicit name(unsigned long long x) : name(double(x)) {}                               \
    explicit operator float() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); } \
    explicit operator double() const { return double(float(*this)); }                      \
    explicit operator __half() const { return __half(float(*this)); }                      \
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(float(*this)); }        \
    explicit operator bool() const { return (__x & 0x7f) != 0; }                           \
    explicit operator int() const { return __float2int_rz(float(*this)); }                 \
    explicit operator unsigned() const { return __float2uint_rz(float(*this)); }           \
  };
#define SIMT_FP8X2(name, kind)                                                             \
  struct name {                                                                            \
    __nv_fp8x2_storage_t __x;                                                              \
    name() = default;                                                                      \
    explicit name(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)) {}    \
    explicit name(double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, kind)) {}  \
    explicit name(__half2 v) : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, kind)) {} \
    explicit name(__nv_bfloat162 v)                                                        \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, kind)) {}                  \
    explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, kind); }    \
    explicit operator float2() const { return __half22float2(__half2(*this)); }            \
  };
#define SIMT_FP8X4(name, Two)                                                              \
  struct name {                                                                            \
    __nv_fp8x4_storage_t __x;                                                              \
    name() = default;                                                                      \
    explicit name(float4 v)                                                                \
        : __x(Two(float2(v.x, v.y)).__x | unsigned(Two(float2(v.z, v.w)).__x) << 16) {}    \
    explicit name(double4 v)                                                               \
        : __x(Two(double2(v.x, v.y)).__x | unsigned(Two(double2(v.z, v.w)).__x) << 16) {}  \
    name(__half2 low, __half2 high) : __x(Two(low).__x | unsigned(Two(high).__x) << 16) {} \
    name(__nv_bfloat162 low, __nv_bfloat162 high)                                          \
        : __x(Two(low).__x | unsigned(Two(high).__x) << 16) {}                             \
    explicit operator float4() const {                                                     \
      Two low, high;                                                                       \
      low.__x = __nv_fp8x2_storage_t(__x);                                                 \
      high.__x = __nv_fp8x2_storage_t(__x >> 16);                                          \
      const float2 a = float2(low), b = float2(high);                                      \
      return float4(a.x, a.y, b.x, b.y);                                                   \
    }                                                                                      \
  };
SIMT_FP8(__nv_fp8_e4m3, __NV_E4M3)
SIMT_FP8(__nv_fp8_e5m2, __NV_E5M2)
SIMT_FP8X2(__nv_fp8x2_e4m3, __NV_E4M3)
SIMT_FP8X2(__nv_fp8x2_e5m2, __NV_E5M2)
SIMT_FP8X4(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3)
SIMT_FP8X4(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2)
#undef SIMT_FP8
#undef SIMT_FP8X2
#undef SIMT_FP8X4

#include "simt/names/end.h"
