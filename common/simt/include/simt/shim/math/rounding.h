// Arithmetic with the rounding mode in the name: to nearest even (rn), to zero (rz), up (ru), down (rd). The compiler
// never fuses it with other operations.
#pragma once
#include <cmath>

#include "simt/api/qualifiers.h"
#include "simt/api/rounding.h"

namespace simt {

// The asm hides the origin of a value, so that the compiler does not fuse a product with a sum.
template <typename T>
__forceinline__ T opaque(T value) {
  __asm__("" : SIMT_FLOAT_REGISTER(value));
  return value;
}

}  // namespace simt

#define SIMT_DIRECTED(name, T, what, mode, parameters, a, b, c)                           \
  inline T name parameters {                                                              \
    return simt::compute(simt::Arithmetic::what, simt::Rounding::mode, T(a), T(b), T(c)); \
  }
// The three directions other than to nearest, which each type defines below.
#define SIMT_DIRECTIONS(name, T, what, parameters, a, b, c)    \
  SIMT_DIRECTED(name##_rz, T, what, Zero, parameters, a, b, c) \
  SIMT_DIRECTED(name##_ru, T, what, Up, parameters, a, b, c)   \
  SIMT_DIRECTED(name##_rd, T, what, Down, parameters, a, b, c)
#define SIMT_ARITHMETIC(letter, T, fma_name, fma_function)           \
  inline T __##letter##add_rn(T a, T b) {                            \
    return simt::opaque(a) + simt::opaque(b);                        \
  }                                                                  \
  inline T __##letter##sub_rn(T a, T b) {                            \
    return simt::opaque(a) - simt::opaque(b);                        \
  }                                                                  \
  inline T __##letter##mul_rn(T a, T b) {                            \
    return simt::opaque(a * b);                                      \
  }                                                                  \
  inline T __##letter##div_rn(T a, T b) {                            \
    return a / b;                                                    \
  }                                                                  \
  inline T __##letter##rcp_rn(T a) {                                 \
    return 1 / a;                                                    \
  }                                                                  \
  inline T __##letter##sqrt_rn(T a) {                                \
    return std::sqrt(a);                                             \
  }                                                                  \
  inline T fma_name##_rn(T a, T b, T c) {                            \
    return fma_function(a, b, c);                                    \
  }                                                                  \
  SIMT_DIRECTIONS(__##letter##add, T, Add, (T a, T b), a, b, 0)      \
  SIMT_DIRECTIONS(__##letter##sub, T, Subtract, (T a, T b), a, b, 0) \
  SIMT_DIRECTIONS(__##letter##mul, T, Multiply, (T a, T b), a, b, 0) \
  SIMT_DIRECTIONS(__##letter##div, T, Divide, (T a, T b), a, b, 0)   \
  SIMT_DIRECTIONS(__##letter##rcp, T, Divide, (T a), 1, a, 0)        \
  SIMT_DIRECTIONS(__##letter##sqrt, T, Root, (T a), a, 0, 0)         \
  SIMT_DIRECTIONS(fma_name, T, Fma, (T a, T b, T c), a, b, c)

SIMT_ARITHMETIC(f, float, __fmaf, fmaf)
SIMT_ARITHMETIC(d, double, __fma, fma)

#undef SIMT_DIRECTED
#undef SIMT_DIRECTIONS
#undef SIMT_ARITHMETIC

inline float __frsqrt_rn(float x) {
  return float(1 / std::sqrt(double(x)));
}
