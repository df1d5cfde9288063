// Conversions of 16-bit numbers from and to other numbers. The name gives the rounding mode.
#pragma once
#include <cmath>

#include "simt/api/bfloat16.h"
#include "simt/api/half.h"
#include "simt/shim/math/conversions.h"

namespace simt {

// The next larger or smaller number.
template <typename H>
inline H neighbour(H x, bool up) {
  if ((x.bits & 0x7fff) == 0) {
    x.bits = up ? 1 : 0x8001;
  } else {
    x.bits = static_cast<unsigned short>(x.bits + (up == (x.bits >> 15 == 0) ? 1 : -1));
  }
  return x;
}
template <typename H>
inline H to_16_bits(Rounding mode, double x) {
  const H near = H(x);
  const double value = double(float(near));
  const bool up = (mode == Rounding::Up || (mode == Rounding::Zero && x < 0)) && value < x;
  const bool down = (mode == Rounding::Down || (mode == Rounding::Zero && x > 0)) && value > x;
  return up || down ? neighbour(near, up) : near;
}
// Converts by way of a double. Its last bit keeps what it loses of 64 bits, so only the second rounding matters.
template <typename I>
inline double with_sticky_bit(I x) {
  const double near = to_float<double>(Rounding::Zero, static_cast<long double>(x));
  return static_cast<long double>(near) == static_cast<long double>(x)
             ? near
             : bits_as<double>(bits_as<uint64_t>(near) | 1);
}

}  // namespace simt

#define SIMT_IN_ALL_MODES(define, name, to, from)                        \
  define(name##_rn, Nearest, to, from) define(name##_rz, Zero, to, from) \
      define(name##_ru, Up, to, from) define(name##_rd, Down, to, from)
#define SIMT_FROM_INTEGER(name, mode, H, I)                                     \
  inline H name(I x) {                                                          \
    return simt::to_16_bits<H>(simt::Rounding::mode, simt::with_sticky_bit(x)); \
  }
#define SIMT_TO_INTEGER(name, mode, I, H)                       \
  inline I name(H x) {                                          \
    return simt::to_integer<I>(simt::Rounding::mode, float(x)); \
  }
#define SIMT_FROM_FLOAT(name, mode, H, F)                        \
  inline H name(F x) {                                           \
    return simt::to_16_bits<H>(simt::Rounding::mode, double(x)); \
  }
#define SIMT_WITH_INTEGER(h, H, i, I)                     \
  SIMT_IN_ALL_MODES(SIMT_FROM_INTEGER, __##i##2##h, H, I) \
  SIMT_IN_ALL_MODES(SIMT_TO_INTEGER, __##h##2##i, I, H)
// h: the type H in names of functions.
#define SIMT_CONVERSIONS(h, H)                                 \
  inline H __float2##h(float x) {                              \
    return H(x);                                               \
  }                                                            \
  inline H __float2##h##_rn(float x) {                         \
    return H(x);                                               \
  }                                                            \
  SIMT_FROM_FLOAT(__float2##h##_rz, Zero, H, float)            \
  SIMT_FROM_FLOAT(__float2##h##_ru, Up, H, float)              \
  SIMT_FROM_FLOAT(__float2##h##_rd, Down, H, float)            \
  inline H __double2##h(double x) {                            \
    return H(x);                                               \
  }                                                            \
  inline float __##h##2float(H x) {                            \
    return float(x);                                           \
  }                                                            \
  SIMT_WITH_INTEGER(h, H, int, int)                            \
  SIMT_WITH_INTEGER(h, H, uint, unsigned)                      \
  SIMT_WITH_INTEGER(h, H, short, short)                        \
  SIMT_WITH_INTEGER(h, H, ushort, unsigned short)              \
  SIMT_WITH_INTEGER(h, H, ll, long long)                       \
  SIMT_WITH_INTEGER(h, H, ull, unsigned long long)             \
  SIMT_TO_INTEGER(__##h##2char_rz, Zero, signed char, H)       \
  SIMT_TO_INTEGER(__##h##2uchar_rz, Zero, unsigned char, H)    \
  inline H __ushort_as_##h(unsigned short bits) {              \
    H x;                                                       \
    x.bits = bits;                                             \
    return x;                                                  \
  }                                                            \
  inline H __short_as_##h(short bits) {                        \
    return __ushort_as_##h(static_cast<unsigned short>(bits)); \
  }                                                            \
  inline unsigned short __##h##_as_ushort(H x) {               \
    return x.bits;                                             \
  }                                                            \
  inline short __##h##_as_short(H x) {                         \
    return static_cast<short>(x.bits);                         \
  }

// Makes pairs and takes them apart.
#define SIMT_PAIRING(h, H, H2)                     \
  inline H2 __halves2##h##2(H x, H y) {            \
    return H2(x, y);                               \
  }                                                \
  inline H2 __##h##2##h##2(H x) {                  \
    return H2(x, x);                               \
  }                                                \
  inline H2 __float2##h##2_rn(float x) {           \
    return H2(H(x), H(x));                         \
  }                                                \
  inline H2 __floats2##h##2_rn(float x, float y) { \
    return H2(H(x), H(y));                         \
  }                                                \
  inline H2 __float22##h##2_rn(float2 v) {         \
    return H2(H(v.x), H(v.y));                     \
  }                                                \
  inline float2 __##h##22float2(H2 v) {            \
    return float2(float(v.x), float(v.y));         \
  }                                                \
  inline H __low2##h(H2 v) {                       \
    return v.x;                                    \
  }                                                \
  inline H __high2##h(H2 v) {                      \
    return v.y;                                    \
  }                                                \
  inline H2 __low2##h##2(H2 v) {                   \
    return H2(v.x, v.x);                           \
  }                                                \
  inline H2 __high2##h##2(H2 v) {                  \
    return H2(v.y, v.y);                           \
  }                                                \
  inline H2 __lows2##h##2(H2 a, H2 b) {            \
    return H2(a.x, b.x);                           \
  }                                                \
  inline H2 __highs2##h##2(H2 a, H2 b) {           \
    return H2(a.y, b.y);                           \
  }
