// Four bytes or two halves of a word at once: sums, differences, comparisons.
#pragma once
#include <cstdint>

#include "simt/api/qualifiers.h"

namespace simt {

// The operation on each part of a and b, as numbers of type T. The lowest bits of its result count.
template <typename T, typename Operation>
inline unsigned by_parts(unsigned a, unsigned b, Operation operation) {
  constexpr unsigned bits = 8 * sizeof(T), all = (1u << bits) - 1;
  unsigned result = 0;
  for (unsigned i = 0; i < 32; i += bits) {
    result |= (unsigned(operation(int(T(a >> i)), int(T(b >> i)))) & all) << i;
  }
  return result;
}
template <typename T>
inline int saturated(int value) {
  constexpr int most = T(-1) > 0 ? (1 << 8 * sizeof(T)) - 1 : (1 << (8 * sizeof(T) - 1)) - 1;
  constexpr int least = T(-1) > 0 ? 0 : -most - 1;
  return value < least ? least : value > most ? most : value;
}
template <typename T>
inline unsigned sum_of_distances(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 32; i += 8 * sizeof(T)) {
    const int difference = int(T(a >> i)) - int(T(b >> i));
    sum += unsigned(difference < 0 ? -difference : difference);
  }
  return sum;
}

}  // namespace simt

#define SIMT_PARTS(name, T, expression)                                             \
  inline unsigned name(unsigned a, unsigned b) {                                    \
    return simt::by_parts<T>(a, b, [](int x, int y) -> int { return expression; }); \
  }
#define SIMT_PARTS_OF_ONE(name, T, expression)                                    \
  inline unsigned name(unsigned a) {                                              \
    return simt::by_parts<T>(a, 0, [](int x, int) -> int { return expression; }); \
  }
// A true comparison sets all bits of a part (__vcmp), or the lowest one (__vset).
#define SIMT_COMPARISON(name, n, T, op)     \
  SIMT_PARTS(__vcmp##name##n, T, -(x op y)) \
  SIMT_PARTS(__vset##name##n, T, x op y)
#define SIMT_SIMD(n, S, U)                                              \
  SIMT_PARTS(__vadd##n, S, x + y)                                       \
  SIMT_PARTS(__vsub##n, S, x - y)                                       \
  SIMT_PARTS(__vaddss##n, S, simt::saturated<S>(x + y))                 \
  SIMT_PARTS(__vaddus##n, U, simt::saturated<U>(x + y))                 \
  SIMT_PARTS(__vsubss##n, S, simt::saturated<S>(x - y))                 \
  SIMT_PARTS(__vsubus##n, U, simt::saturated<U>(x - y))                 \
  SIMT_PARTS(__vavgs##n, S, (x + y + (x + y >= 0)) >> 1)                \
  SIMT_PARTS(__vavgu##n, U, (x + y + 1) >> 1)                           \
  SIMT_PARTS(__vhaddu##n, U, (x + y) >> 1)                              \
  SIMT_PARTS(__vmaxs##n, S, x > y ? x : y)                              \
  SIMT_PARTS(__vmaxu##n, U, x > y ? x : y)                              \
  SIMT_PARTS(__vmins##n, S, x < y ? x : y)                              \
  SIMT_PARTS(__vminu##n, U, x < y ? x : y)                              \
  SIMT_PARTS(__vabsdiffs##n, S, x > y ? x - y : y - x)                  \
  SIMT_PARTS(__vabsdiffu##n, U, x > y ? x - y : y - x)                  \
  SIMT_PARTS_OF_ONE(__vabs##n, S, x < 0 ? -x : x)                       \
  SIMT_PARTS_OF_ONE(__vabsss##n, S, simt::saturated<S>(x < 0 ? -x : x)) \
  SIMT_PARTS_OF_ONE(__vneg##n, S, -x)                                   \
  SIMT_PARTS_OF_ONE(__vnegss##n, S, simt::saturated<S>(-x))             \
  SIMT_COMPARISON(eq, n, U, ==)                                         \
  SIMT_COMPARISON(ne, n, U, !=)                                         \
  SIMT_COMPARISON(ges, n, S, >=)                                        \
  SIMT_COMPARISON(geu, n, U, >=)                                        \
  SIMT_COMPARISON(gts, n, S, >)                                         \
  SIMT_COMPARISON(gtu, n, U, >)                                         \
  SIMT_COMPARISON(les, n, S, <=)                                        \
  SIMT_COMPARISON(leu, n, U, <=)                                        \
  SIMT_COMPARISON(lts, n, S, <)                                         \
  SIMT_COMPARISON(ltu, n, U, <)                                         \
  inline unsigned __vsads##n(unsigned a, unsigned b) {                  \
    return simt::sum_of_distances<S>(a, b);                             \
  }                                                                     \
  inline unsigned __vsadu##n(unsigned a, unsigned b) {                  \
    return simt::sum_of_distances<U>(a, b);                             \
  }

SIMT_SIMD(2, int16_t, uint16_t)
SIMT_SIMD(4, int8_t, uint8_t)

#undef SIMT_PARTS
#undef SIMT_PARTS_OF_ONE
#undef SIMT_COMPARISON
#undef SIMT_SIMD
