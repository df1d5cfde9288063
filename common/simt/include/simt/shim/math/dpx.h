// DPX: minima and maxima of two or three numbers, or of a sum and a number, optionally clamped at 0 (relu), for words
// and for both halves of a word. Sums wrap around.
#pragma once
#include <cstdint>

#include "simt/api/qualifiers.h"

namespace simt {

template <typename T>
inline T dpx_max(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
inline T dpx_min(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
inline T dpx_sum(T a, T b) {
  return T(unsigned(a) + unsigned(b));
}

// The operation on both halves, as numbers of type T.
template <typename T, typename Operation>
inline unsigned dpx_halves(unsigned a, unsigned b, unsigned c, Operation operation) {
  const unsigned low = uint16_t(operation(T(a), T(b), T(c)));
  const unsigned high = uint16_t(operation(T(a >> 16), T(b >> 16), T(c >> 16)));
  return low | high << 16;
}

}  // namespace simt

// Operations of a, b and c, and of a and b.
#define SIMT_DPX3(name, T, expression) \
  inline T name(T a, T b, T c) {       \
    return expression;                 \
  }
#define SIMT_DPX3_HALVES(name, T, expression)                                           \
  inline unsigned name(unsigned a, unsigned b, unsigned c) {                            \
    return simt::dpx_halves<T>(a, b, c, [](T a, T b, T c) -> T { return expression; }); \
  }
#define SIMT_DPX2(name, T, expression) \
  inline T name(T a, T b) {            \
    return expression;                 \
  }
#define SIMT_DPX2_HALVES(name, T, expression)                                         \
  inline unsigned name(unsigned a, unsigned b) {                                      \
    return simt::dpx_halves<T>(a, b, 0, [](T a, T b, T) -> T { return expression; }); \
  }
// *first: whether the result is a (also if a == b).
#define SIMT_DPX_BOTH(op, sign, T, H, tag)                                                 \
  inline T __vib##op##_##tag##32(T a, T b, bool* first) {                                  \
    *first = a sign b;                                                                     \
    return *first ? a : b;                                                                 \
  }                                                                                        \
  inline unsigned __vib##op##_##tag##16x2(unsigned a, unsigned b, bool* high, bool* low) { \
    *high = H(a >> 16) sign H(b >> 16);                                                    \
    *low = H(a) sign H(b);                                                                 \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                   \
  }
#define SIMT_DPX_ALL(op, sign, T, H, tag)                                                \
  SIMT_DPX3(__viadd##op##_##tag##32, T, simt::dpx_##op(simt::dpx_sum(a, b), c))          \
  SIMT_DPX3_HALVES(__viadd##op##_##tag##16x2, H, simt::dpx_##op(simt::dpx_sum(a, b), c)) \
  SIMT_DPX3(__vi##op##3_##tag##32, T, simt::dpx_##op(simt::dpx_##op(a, b), c))           \
  SIMT_DPX3_HALVES(__vi##op##3_##tag##16x2, H, simt::dpx_##op(simt::dpx_##op(a, b), c))  \
  SIMT_DPX_BOTH(op, sign, T, H, tag)
#define SIMT_DPX_RELU(op)                                                                          \
  SIMT_DPX3(__viadd##op##_s32_relu, int, simt::dpx_max(simt::dpx_##op(simt::dpx_sum(a, b), c), 0)) \
  SIMT_DPX3_HALVES(__viadd##op##_s16x2_relu, int16_t,                                              \
                   simt::dpx_max(simt::dpx_##op(simt::dpx_sum(a, b), c), int16_t(0)))              \
  SIMT_DPX3(__vi##op##3_s32_relu, int, simt::dpx_max(simt::dpx_##op(simt::dpx_##op(a, b), c), 0))  \
  SIMT_DPX3_HALVES(__vi##op##3_s16x2_relu, int16_t,                                                \
                   simt::dpx_max(simt::dpx_##op(simt::dpx_##op(a, b), c), int16_t(0)))             \
  SIMT_DPX2(__vi##op##_s32_relu, int, simt::dpx_max(simt::dpx_##op(a, b), 0))                      \
  SIMT_DPX2_HALVES(__vi##op##_s16x2_relu, int16_t, simt::dpx_max(simt::dpx_##op(a, b), int16_t(0)))

SIMT_DPX_ALL(max, >=, int, int16_t, s)
SIMT_DPX_ALL(max, >=, unsigned, uint16_t, u)
SIMT_DPX_ALL(min, <=, int, int16_t, s)
SIMT_DPX_ALL(min, <=, unsigned, uint16_t, u)
SIMT_DPX_RELU(max)
SIMT_DPX_RELU(min)

#undef SIMT_DPX2
#undef SIMT_DPX2_HALVES
#undef SIMT_DPX3
#undef SIMT_DPX3_HALVES
#undef SIMT_DPX_ALL
#undef SIMT_DPX_BOTH
#undef SIMT_DPX_RELU
