// Intrinsics of integers.
#pragma once
#include <cstdint>

#include "simt/api/qualifiers.h"
#include "simt/shim/vector_types.h"

inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
inline int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(unsigned(x));
}
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
// The bits in reverse order.
inline unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return uint64_t(__brev(unsigned(x))) << 32 | __brev(unsigned(x >> 32));
}
// The position of the |offset|-th set bit from base on, upwards, or downwards if offset is negative; all ones if there
// is none.
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) {
    return (mask >> base & 1) != 0 ? base : ~0u;
  }
  const int step = offset > 0 ? 1 : -1;
  for (int i = int(base); i >= 0 && i < 32; i += step) {
    offset -= (mask >> i & 1) != 0 ? step : 0;
    if (offset == 0) return unsigned(i);
  }
  return ~0u;
}
// Each hexadecimal digit of selector picks one of the eight bytes of x and y. Its highest bit replicates that byte's
// sign instead.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const uint64_t all = uint64_t(y) << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned digit = selector >> 4 * i & 15;
    const unsigned byte = unsigned(all >> 8 * (digit & 7)) & 255;
    result |= ((digit & 8) == 0 ? byte : (byte & 128) != 0 ? 255u : 0u) << 8 * i;
  }
  return result;
}
// Shifts high and low together, by the lowest five bits of shift, or by at most 32 (c).
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return unsigned(((uint64_t(high) << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return unsigned((uint64_t(high) << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// Products: of the lowest 24 bits, and the upper halves.
inline int __mul24(int x, int y) {
  const auto low = [](int v) { return int64_t(int32_t(uint32_t(v) << 8) >> 8); };
  return int(low(x) * low(y));
}
inline unsigned __umul24(unsigned x, unsigned y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
inline int __mulhi(int x, int y) {
  return int(int64_t(x) * y >> 32);
}
inline unsigned __umulhi(unsigned x, unsigned y) {
  return unsigned(uint64_t(x) * y >> 32);
}
inline long long __mul64hi(long long x, long long y) {
  __extension__ typedef __int128 Wide;
  return static_cast<long long>(Wide(x) * y >> 64);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  __extension__ typedef unsigned __int128 Wide;
  return static_cast<unsigned long long>(Wide(x) * y >> 64);
}

// |x - y| + z
inline unsigned __sad(int x, int y, unsigned z) {
  return (x < y ? unsigned(y) - unsigned(x) : unsigned(x) - unsigned(y)) + z;
}
inline unsigned __usad(unsigned x, unsigned y, unsigned z) {
  return (x < y ? y - x : x - y) + z;
}
// Averages, rounded down (__hadd) and up (__rhadd).
inline int __hadd(int x, int y) {
  return int((int64_t(x) + y) >> 1);
}
inline int __rhadd(int x, int y) {
  return int((int64_t(x) + y + 1) >> 1);
}
inline unsigned __uhadd(unsigned x, unsigned y) {
  return unsigned((uint64_t(x) + y) >> 1);
}
inline unsigned __urhadd(unsigned x, unsigned y) {
  return unsigned((uint64_t(x) + y + 1) >> 1);
}

namespace simt {

// c plus the dot product: of four bytes each, or of a's two halves with two bytes of b from byte `first` on.
template <typename Byte>
inline unsigned dot4(unsigned a, unsigned b, unsigned c) {
  for (unsigned i = 0; i < 32; i += 8) {
    c += unsigned(int(Byte(a >> i)) * int(Byte(b >> i)));
  }
  return c;
}
template <typename Half, typename Byte>
inline unsigned dot2(unsigned a, unsigned b, unsigned c, unsigned first) {
  for (unsigned i = 0; i < 2; ++i) {
    c += unsigned(int(Half(a >> 16 * i)) * int(Byte(b >> 8 * (first + i))));
  }
  return c;
}
template <typename Vector>
inline unsigned word_of(const Vector& v) {
  static_assert(sizeof v == 4, "four bytes");
  unsigned word;
  __builtin_memcpy(&word, &v, sizeof word);
  return word;
}

}  // namespace simt

inline int __dp4a(int a, int b, int c) {
  return int(simt::dot4<int8_t>(unsigned(a), unsigned(b), unsigned(c)));
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return simt::dot4<uint8_t>(a, b, c);
}
inline int __dp4a(char4 a, char4 b, int c) {
  return int(simt::dot4<int8_t>(simt::word_of(a), simt::word_of(b), unsigned(c)));
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return simt::dot4<uint8_t>(simt::word_of(a), simt::word_of(b), c);
}
#define SIMT_DOT2(name, first)                                                                \
  inline int name(int a, int b, int c) {                                                      \
    return int(simt::dot2<int16_t, int8_t>(unsigned(a), unsigned(b), unsigned(c), first));    \
  }                                                                                           \
  inline unsigned name(unsigned a, unsigned b, unsigned c) {                                  \
    return simt::dot2<uint16_t, uint8_t>(a, b, c, first);                                     \
  }                                                                                           \
  inline int name(short2 a, char4 b, int c) {                                                 \
    return int(                                                                               \
        simt::dot2<int16_t, int8_t>(simt::word_of(a), simt::word_of(b), unsigned(c), first)); \
  }                                                                                           \
  inline unsigned name(ushort2 a, uchar4 b, unsigned c) {                                     \
    return simt::dot2<uint16_t, uint8_t>(simt::word_of(a), simt::word_of(b), c, first);       \
  }
SIMT_DOT2(__dp2a_lo, 0)
SIMT_DOT2(__dp2a_hi, 2)
#undef SIMT_DOT2
