// PTX of video: arithmetic on a whole register, on its halves or on its bytes, with saturation and a second operation.
#pragma once
#include <limits>

#include "simt/shim/ptx/integers.h"

namespace simt {
namespace ptx {

enum class Video { add, sub, absdiff, min, max, avrg };
enum class Then { none, sum, least, most };  // what becomes of the result and the operand c

template <Video OP>
__forceinline__ int64_t video_of(int64_t a, int64_t b) {
  switch (OP) {
    case Video::add:
      return a + b;
    case Video::sub:
      return a - b;
    case Video::absdiff:
      return a < b ? b - a : a - b;
    case Video::min:
      return a < b ? a : b;
    case Video::max:
      return a < b ? b : a;
    default:
      return (a + b + 1 - (a + b < 0 ? 1 : 0)) >> 1;
  }
}

// The nearest number that `bits` bits can hold, with T's sign.
template <typename T>
__forceinline__ int64_t clamped(int64_t value, unsigned bits) {
  const int64_t low = std::is_signed_v<T> ? -(int64_t(1) << (bits - 1)) : 0;
  const int64_t high = low + (int64_t(1) << bits) - 1;
  return value < low ? low : value > high ? high : value;
}

// D, T and U: types of the result, of a and of b. PARTS: 1, 2 or 4 of each register.
template <Video OP, unsigned PARTS, typename D, typename T, typename U, bool SATURATES, Then THEN,
          typename R, typename A, typename B, typename C>
__forceinline__ void video(R& to, A a, B b, C c) {
  constexpr unsigned BITS = 32 / PARTS;
  constexpr uint64_t MASK = (uint64_t(1) << BITS) - 1;
  const int64_t third = int64_t(get<D>(c));
  int64_t sum = THEN == Then::sum ? third : 0;
  for (unsigned i = 0; i < PARTS; ++i) {
    const int64_t x = PARTS == 1 ? int64_t(get<T>(a)) : part_of<T>(get<uint32_t>(a), i, BITS & 31);
    const int64_t y = PARTS == 1 ? int64_t(get<U>(b)) : part_of<U>(get<uint32_t>(b), i, BITS & 31);
    const int64_t exact = video_of<OP>(x, y);
    const int64_t value = SATURATES ? clamped<D>(exact, BITS) : exact;
    sum += THEN == Then::none ? int64_t((uint64_t(value) & MASK) << i * BITS) : value;
  }
  const int64_t other = int64_t(D(sum));
  put<uint32_t>(to, uint32_t(THEN == Then::least  ? (other < third ? other : third)
                             : THEN == Then::most ? (other < third ? third : other)
                                                  : sum));
}
template <Video OP, unsigned PARTS, typename D, typename T, typename U, bool SATURATES, Then THEN,
          typename R, typename A, typename B>
__forceinline__ void video(R& to, A a, B b) {
  video<OP, PARTS, D, T, U, SATURATES, THEN>(to, a, b, uint32_t(0));
}

// The whole product, c and 1 (PLUS_ONE: the form .po), shifted right, of which 32 bits remain. The operation is signed
// if a or b is.
template <typename T, typename U, bool PLUS_ONE, bool SATURATES, unsigned SHIFT, typename R,
          typename A, typename B, typename C>
__forceinline__ void video_mad(R& to, A a, B b, C c) {
  using Final = std::conditional_t<std::is_signed_v<T> || std::is_signed_v<U>, int32_t, uint32_t>;
  const __int128 product = __int128(get<T>(a)) * get<U>(b);
  const __int128 shifted = (product + get<Final>(c) + PLUS_ONE) >> SHIFT;
  const __int128 low = std::numeric_limits<Final>::min(), high = std::numeric_limits<Final>::max();
  put<uint32_t>(to, uint32_t(!SATURATES       ? shifted
                             : shifted < low  ? low
                             : shifted > high ? high
                                              : shifted));
}

}  // namespace ptx
}  // namespace simt
