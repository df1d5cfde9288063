// Conversions between numbers, with the rounding mode in the name, and reinterpretations of bits.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "simt/api/qualifiers.h"
#include "simt/api/rounding.h"

namespace simt {

template <typename F>
inline F round_to(Rounding mode, F x) {
  switch (mode) {
    case Rounding::Down:
      return std::floor(x);
    case Rounding::Up:
      return std::ceil(x);
    case Rounding::Zero:
      return std::trunc(x);
    default:
      return std::nearbyint(x);
  }
}

// Saturates. The hardware converts a NaN to 0, or, from or to 64 bits, to the highest bit alone.
template <typename I, typename F>
inline I to_integer(Rounding mode, F x) {
  if (x != x) {
    return sizeof(F) == 8 || sizeof(I) == 8 ? I(uint64_t(1) << (8 * sizeof(I) - 1)) : I(0);
  }
  const F whole = round_to(mode, x);
  constexpr I most = std::numeric_limits<I>::max(), least = std::numeric_limits<I>::min();
  if (whole >= F(most)) {  // F(most) can be most + 1, which no smaller whole number reaches
    return most;
  }
  return whole <= F(least) ? least : I(whole);
}

// Converts a number that is exact in Wide.
template <typename F, typename Wide>
inline F to_float(Rounding mode, Wide x) {
  const F near = F(x);
  const bool above = Wide(near) > x, below = Wide(near) < x;
  if ((mode == Rounding::Up && below) || (mode == Rounding::Zero && below && x < 0)) {
    return std::nextafter(near, std::numeric_limits<F>::infinity());
  }
  if ((mode == Rounding::Down && above) || (mode == Rounding::Zero && above && x > 0)) {
    return std::nextafter(near, -std::numeric_limits<F>::infinity());
  }
  return near;
}

}  // namespace simt

#define SIMT_IN_ALL_MODES(define, name, to, from)                        \
  define(name##_rn, Nearest, to, from) define(name##_rz, Zero, to, from) \
      define(name##_ru, Up, to, from) define(name##_rd, Down, to, from)
#define SIMT_TO_INTEGER(name, mode, I, F)                \
  inline I name(F x) {                                   \
    return simt::to_integer<I>(simt::Rounding::mode, x); \
  }
#define SIMT_TO_FLOAT(name, mode, F, I)                                          \
  inline F name(I x) {                                                           \
    return simt::to_float<F>(simt::Rounding::mode, static_cast<long double>(x)); \
  }

SIMT_IN_ALL_MODES(SIMT_TO_INTEGER, __float2int, int, float)
SIMT_IN_ALL_MODES(SIMT_TO_INTEGER, __float2uint, unsigned, float)
SIMT_IN_ALL_MODES(SIMT_TO_INTEGER, __float2ll, long long, float)
SIMT_IN_ALL_MODES(SIMT_TO_INTEGER, __float2ull, unsigned long long, float)
SIMT_IN_ALL_MODES(SIMT_TO_INTEGER, __double2int, int, double)
SIMT_IN_ALL_MODES(SIMT_TO_INTEGER, __double2uint, unsigned, double)
SIMT_IN_ALL_MODES(SIMT_TO_INTEGER, __double2ll, long long, double)
SIMT_IN_ALL_MODES(SIMT_TO_INTEGER, __double2ull, unsigned long long, double)
SIMT_IN_ALL_MODES(SIMT_TO_FLOAT, __int2float, float, int)
SIMT_IN_ALL_MODES(SIMT_TO_FLOAT, __uint2float, float, unsigned)
SIMT_IN_ALL_MODES(SIMT_TO_FLOAT, __ll2float, float, long long)
SIMT_IN_ALL_MODES(SIMT_TO_FLOAT, __ull2float, float, unsigned long long)
SIMT_IN_ALL_MODES(SIMT_TO_FLOAT, __ll2double, double, long long)
SIMT_IN_ALL_MODES(SIMT_TO_FLOAT, __ull2double, double, unsigned long long)
SIMT_IN_ALL_MODES(SIMT_TO_FLOAT, __double2float, float, double)
SIMT_TO_FLOAT(__int2double_rn, Nearest, double, int)
SIMT_TO_FLOAT(__uint2double_rn, Nearest, double, unsigned)
#undef SIMT_IN_ALL_MODES
#undef SIMT_TO_INTEGER
#undef SIMT_TO_FLOAT

namespace simt {
template <typename To, typename From>
__forceinline__ To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
}  // namespace simt

inline float __int_as_float(int x) {
  return simt::bits_as<float>(x);
}
inline int __float_as_int(float x) {
  return simt::bits_as<int>(x);
}
inline float __uint_as_float(unsigned x) {
  return simt::bits_as<float>(x);
}
inline unsigned __float_as_uint(float x) {
  return simt::bits_as<unsigned>(x);
}
inline double __longlong_as_double(long long x) {
  return simt::bits_as<double>(x);
}
inline long long __double_as_longlong(double x) {
  return simt::bits_as<long long>(x);
}
inline int __double2hiint(double x) {
  return int(__double_as_longlong(x) >> 32);
}
inline int __double2loint(double x) {
  return int(__double_as_longlong(x));
}
inline double __hiloint2double(int high, int low) {
  return simt::bits_as<double>(uint64_t(uint32_t(high)) << 32 | uint32_t(low));
}
