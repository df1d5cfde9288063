// PTX of integers and of bits.
#pragma once
#include "simt/shim/math/integers.h"
#include "simt/shim/ptx/registers.h"

namespace simt {
namespace ptx {

template <typename T>
using Twice = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;
template <typename T>
using Unsigned = std::make_unsigned_t<T>;

// Computes in twice the width and truncates. So INT_MIN / -1 is INT_MIN, as on a GPU.
#define SIMT_INTEGERS(name, expression)                       \
  template <typename T, typename R, typename A, typename B>   \
  __forceinline__ void int_##name(R& to, A first, B second) { \
    const Twice<T> a = get<T>(first), b = get<T>(second);     \
    put<T>(to, T(expression));                                \
  }
SIMT_INTEGERS(add, a + b)
SIMT_INTEGERS(sub, a - b)
SIMT_INTEGERS(min, a < b ? a : b)
SIMT_INTEGERS(max, a < b ? b : a)
SIMT_INTEGERS(div, a / b)
SIMT_INTEGERS(rem, a % b)
SIMT_INTEGERS(mul_lo, a* b)
SIMT_INTEGERS(mul_hi, (a * b) >> (sizeof(T) * 8))
#undef SIMT_INTEGERS

template <typename T, typename R, typename A, typename B, typename C>
__forceinline__ void int_mad_lo(R& to, A a, B b, C c) {
  put<T>(to, T(Twice<T>(get<T>(a)) * get<T>(b) + get<T>(c)));
}
template <typename T, typename R, typename A, typename B, typename C>
__forceinline__ void int_mad_hi(R& to, A a, B b, C c) {
  put<T>(to, T((Twice<T>(get<T>(a)) * get<T>(b) >> (sizeof(T) * 8)) + get<T>(c)));
}
template <typename T, typename R, typename A, typename B>
__forceinline__ void int_mul_wide(R& to, A a, B b) {
  put<Twice<T>>(to, Twice<T>(get<T>(a)) * get<T>(b));
}
template <typename T, typename R, typename A, typename B, typename C>
__forceinline__ void int_mad_wide(R& to, A a, B b, C c) {
  using Wide = Unsigned<Twice<T>>;
  put<Wide>(to, Wide(Twice<T>(get<T>(a)) * get<T>(b)) + get<Wide>(c));
}
template <typename T, typename R, typename A>
__forceinline__ void int_neg(R& to, A a) {
  put<T>(to, T(-Twice<T>(get<T>(a))));
}
template <typename T, typename R, typename A>
__forceinline__ void int_abs(R& to, A a) {
  const Twice<T> value = get<T>(a);
  put<T>(to, T(value < 0 ? -value : value));
}
// 32 bits, from bit FROM on, of the product of the lowest 24 bits.
template <typename T, unsigned FROM, typename R, typename A, typename B>
__forceinline__ void int_mul24(R& to, A a, B b) {
  const auto low = [](T x) { return Twice<T>(T(Unsigned<T>(x) << 8) >> 8); };
  put<T>(to, T((low(get<T>(a)) * low(get<T>(b))) >> FROM));
}
template <typename T, unsigned FROM, typename R, typename A, typename B, typename C>
__forceinline__ void int_mad24(R& to, A a, B b, C c) {
  T product{};
  int_mul24<T, FROM>(product, a, b);
  put<T>(to, T(Unsigned<T>(product) + Unsigned<T>(get<T>(c))));
}

// Two numbers of 16 bits.
#define SIMT_HALVES(name, expression)                                   \
  template <typename T, bool RELU, typename R>                          \
  __forceinline__ void halves_##name(R& to, uint32_t a, uint32_t b) {   \
    uint32_t result = 0;                                                \
    for (unsigned bit = 0; bit < 32; bit += 16) {                       \
      const T x = T(a >> bit), y = T(b >> bit);                         \
      const T z = T(expression);                                        \
      result |= uint32_t(uint16_t(RELU && z < T(0) ? T(0) : z)) << bit; \
    }                                                                   \
    put<uint32_t>(to, result);                                          \
  }
SIMT_HALVES(min, x < y ? x : y)
SIMT_HALVES(max, x > y ? x : y)
SIMT_HALVES(add, x + y)
#undef SIMT_HALVES
template <typename R, typename A, typename B>
__forceinline__ void int_min_relu(R& to, A a, B b) {
  const int32_t x = get<int32_t>(a), y = get<int32_t>(b), least = x < y ? x : y;
  put<int32_t>(to, least < 0 ? 0 : least);
}
template <typename R, typename A, typename B>
__forceinline__ void int_max_relu(R& to, A a, B b) {
  const int32_t x = get<int32_t>(a), y = get<int32_t>(b), most = x > y ? x : y;
  put<int32_t>(to, most < 0 ? 0 : most);
}
template <typename T, typename R, typename A>
__forceinline__ void bit_cnot(R& to, A a) {
  put<T>(to, T(get<T>(a) == 0));
}
template <typename T, typename R, typename A, typename B, typename C>
__forceinline__ void int_sad(R& to, A a, B b, C c) {
  const Twice<T> difference = Twice<T>(get<T>(a)) - Twice<T>(get<T>(b));
  put<T>(to, T((difference < 0 || get<T>(a) < get<T>(b) ? -difference : difference) + get<T>(c)));
}
__forceinline__ int32_t saturated_to_int(int64_t value) {
  return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : int32_t(value);
}
template <typename R, typename A, typename B>
__forceinline__ void int_add_sat(R& to, A a, B b) {
  put<int32_t>(to, saturated_to_int(int64_t(get<int32_t>(a)) + get<int32_t>(b)));
}
template <typename R, typename A, typename B>
__forceinline__ void int_sub_sat(R& to, A a, B b) {
  put<int32_t>(to, saturated_to_int(int64_t(get<int32_t>(a)) - get<int32_t>(b)));
}
template <typename R, typename A, typename B, typename C>
__forceinline__ void int_mad_hi_sat(R& to, A a, B b, C c) {
  const int64_t high = int64_t(get<int32_t>(a)) * get<int32_t>(b) >> 32;
  put<int32_t>(to, saturated_to_int(high + get<int32_t>(c)));
}
template <typename R, typename A, typename B, typename C>
__forceinline__ void int_mad24_hi_sat(R& to, A a, B b, C c) {
  int32_t high{};
  int_mul24<int32_t, 16>(high, a, b);
  put<int32_t>(to, saturated_to_int(int64_t(high) + get<int32_t>(c)));
}

// Addition and subtraction with carry or borrow. Flag: bool& with .cc; bool without, which sets no carry.
template <typename T, bool TAKES, typename Flag, typename R, typename A, typename B>
__forceinline__ void carry_add(Flag&& carry, R& to, A a, B b) {
  using U = Unsigned<T>;
  const Twice<U> sum = Twice<U>(get<U>(a)) + get<U>(b) + (TAKES && carry ? 1 : 0);
  carry = (sum >> (sizeof(U) * 8)) != 0;
  put<U>(to, U(sum));
}
template <typename T, bool TAKES, typename Flag, typename R, typename A, typename B>
__forceinline__ void carry_sub(Flag&& carry, R& to, A a, B b) {
  using U = Unsigned<T>;
  const Twice<U> difference = Twice<U>(get<U>(a)) - get<U>(b) - (TAKES && carry ? 1 : 0);
  carry = (difference >> (sizeof(U) * 8)) != 0;
  put<U>(to, U(difference));
}
template <typename T, bool TAKES, typename Flag, typename R, typename A, typename B, typename C>
__forceinline__ void carry_mad_lo(Flag&& carry, R& to, A a, B b, C c) {
  using U = Unsigned<T>;
  carry_add<T, TAKES>(carry, to, U(Twice<U>(get<U>(a)) * get<U>(b)), get<U>(c));
}
template <typename T, bool TAKES, typename Flag, typename R, typename A, typename B, typename C>
__forceinline__ void carry_mad_hi(Flag&& carry, R& to, A a, B b, C c) {
  using U = Unsigned<T>;
  const U product = U((Twice<T>(get<T>(a)) * get<T>(b)) >> (sizeof(T) * 8));
  carry_add<T, TAKES>(carry, to, product, get<U>(c));
}

// Byte or half number i of a register, with the sign of a signed type.
template <typename T>
__forceinline__ int64_t part_of(uint32_t bits, unsigned i, unsigned size) {
  const uint32_t part = bits >> i * size & ((1u << size) - 1);
  return std::is_signed_v<T> && (part >> (size - 1)) != 0 ? int64_t(part) - (int64_t(1) << size)
                                                          : int64_t(part);
}
template <typename T, typename U, typename R, typename A, typename B, typename C>
__forceinline__ void dp4a(R& to, A a, B b, C c) {
  int64_t sum = get<int32_t>(c);
  for (unsigned i = 0; i < 4; ++i) {
    sum += part_of<T>(get<uint32_t>(a), i, 8) * part_of<U>(get<uint32_t>(b), i, 8);
  }
  put<uint32_t>(to, uint32_t(sum));
}
template <typename T, typename U, typename R, typename A, typename B, typename C>
__forceinline__ void dot_halves(R& to, A a, B b, C c, unsigned first) {
  int64_t sum = get<int32_t>(c);
  for (unsigned i = 0; i < 2; ++i) {
    sum += part_of<T>(get<uint32_t>(a), i, 16) * part_of<U>(get<uint32_t>(b), first + i, 8);
  }
  put<uint32_t>(to, uint32_t(sum));
}
template <typename T, typename U, typename R, typename A, typename B, typename C>
__forceinline__ void dp2a_lo(R& to, A a, B b, C c) {
  dot_halves<T, U>(to, a, b, c, 0);
}
template <typename T, typename U, typename R, typename A, typename B, typename C>
__forceinline__ void dp2a_hi(R& to, A a, B b, C c) {
  dot_halves<T, U>(to, a, b, c, 2);
}

#define SIMT_LOGIC(name, op)                                \
  template <typename T, typename R, typename A, typename B> \
  __forceinline__ void logic_##name(R& to, A a, B b) {      \
    put<T>(to, T(get<T>(a) op get<T>(b)));                  \
  }
SIMT_LOGIC(and, &)
SIMT_LOGIC(or, |)
SIMT_LOGIC(xor, ^)
#undef SIMT_LOGIC
__forceinline__ void logic_not(bool& to, bool a) {
  to = !a;
}
template <typename T, typename R, typename A>
__forceinline__ void bit_not(R& to, A a) {
  put<T>(to, T(~get<T>(a)));
}
// A shift beyond the width leaves zeros, or signs.
template <typename T, typename R, typename A>
__forceinline__ void shift_left(R& to, A a, uint32_t by) {
  put<T>(to, by >= sizeof(T) * 8 ? T(0) : T(Unsigned<T>(get<T>(a)) << by));
}
template <typename T, typename R, typename A>
__forceinline__ void shift_right(R& to, A a, uint32_t by) {
  const T value = get<T>(a);
  put<T>(to, by >= sizeof(T) * 8 ? T(value < 0 ? -1 : 0) : T(value >> by));
}
template <typename T, typename R, typename A>
__forceinline__ void bit_count(R& to, A a) {
  put<uint32_t>(to, uint32_t(__builtin_popcountll(get<T>(a))));
}
template <typename T, typename R, typename A>
__forceinline__ void leading_zeros(R& to, A a) {
  const T value = get<T>(a);
  const uint32_t above = 64 - sizeof(T) * 8;
  put<uint32_t>(to, value == 0 ? uint32_t(sizeof(T) * 8)
                               : uint32_t(__builtin_clzll(uint64_t(value))) - above);
}
template <typename T, typename R, typename A>
__forceinline__ void reversed(R& to, A a) {
  const T value = get<T>(a);
  T result = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i)
    result |= T((value >> i & 1) << (sizeof(T) * 8 - 1 - i));
  put<T>(to, result);
}
// The position of the highest set bit, or of a negative number's highest clear bit; all ones if there is none. SHIFT:
// its distance from the highest position.
template <typename T, bool SHIFT, typename R, typename A>
__forceinline__ void highest_bit(R& to, A a) {
  const T value = get<T>(a);
  const Unsigned<T> bits = Unsigned<T>(value < 0 ? ~value : value);
  const uint32_t at = bits == 0 ? ~0u : 63 - uint32_t(__builtin_clzll(uint64_t(bits)));
  put<uint32_t>(to, bits == 0 || !SHIFT ? at : uint32_t(sizeof(T) * 8 - 1) - at);
}
template <typename T, typename R, typename A>
__forceinline__ void extract(R& to, A a, uint32_t at, uint32_t length) {
  using U = Unsigned<T>;
  constexpr uint32_t LAST = sizeof(T) * 8 - 1;
  const T value = get<T>(a);
  at &= 255, length &= 255;
  const uint32_t sign_at = at + length - 1 > LAST ? LAST : at + length - 1;
  const bool sign = std::is_signed_v<T> && length != 0 && (U(value) >> sign_at & 1) != 0;
  U result = 0;
  for (uint32_t i = 0; i <= LAST; ++i) {
    const bool inside = i < length && at + i <= LAST;
    result |= U(U(inside ? U(value) >> (at + i) & 1 : U(sign)) << i);
  }
  put<T>(to, T(result));
}
template <typename T, typename R, typename A, typename B>
__forceinline__ void insert(R& to, A a, B b, uint32_t at, uint32_t length) {
  constexpr uint32_t LAST = sizeof(T) * 8 - 1;
  const T from = get<T>(a);
  T result = get<T>(b);
  at &= 255, length &= 255;
  for (uint32_t i = 0; i < length && at + i <= LAST; ++i) {
    result = T((result & ~(T(1) << (at + i))) | (from >> i & 1) << (at + i));
  }
  put<T>(to, result);
}

// Bit 4 a + 2 b + c of the table is the result for the bits a, b and c.
template <typename R, typename A, typename B, typename C>
__forceinline__ void lop3(R& to, A first, B second, C third, uint32_t table) {
  const uint32_t a = get<uint32_t>(first), b = get<uint32_t>(second), c = get<uint32_t>(third);
  uint32_t result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const uint32_t fits = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    result |= table >> i & 1 ? fits : 0;
  }
  put<uint32_t>(to, result);
}

// Also whether a bit of the result is set, combined with a predicate.
#define SIMT_LOP3(name, op)                                                                       \
  template <typename R, typename A, typename B, typename C>                                       \
  __forceinline__ void lop3_##name(R& to, bool& any, A a, B b, C c, uint32_t table, bool other) { \
    lop3(to, a, b, c, table);                                                                     \
    any = (get<uint32_t>(to) != 0) op other;                                                      \
  }                                                                                               \
  template <typename A, typename B, typename C>                                                   \
  __forceinline__ void lop3_##name(bool& any, A a, B b, C c, uint32_t table, bool other) {        \
    uint32_t to{};                                                                                \
    lop3_##name(to, any, a, b, c, table, other);                                                  \
  }
SIMT_LOP3(or, ||)
SIMT_LOP3(and, &&)
#undef SIMT_LOP3

template <typename R>
__forceinline__ void find_nth_set(R& to, uint32_t mask, uint32_t base, uint32_t offset) {
  put<uint32_t>(to, ::__fns(mask, base, int(offset)));
}
// `length` bits from bit `at` on. CLAMP: numbers from 32 on count as 32; else only their lowest five bits count.
template <bool CLAMP, typename R>
__forceinline__ void bit_mask(R& to, uint32_t at, uint32_t length) {
  const uint64_t first = CLAMP ? (at < 32 ? at : 32) : at & 31;
  const uint64_t count = CLAMP ? (length < 32 ? length : 32) : length & 31;
  put<uint32_t>(to, uint32_t(((uint64_t(1) << count) - 1) << first));
}
// The lowest `length` bits as a number of type T.
template <typename T, bool CLAMP, typename R, typename A>
__forceinline__ void extend(R& to, A a, uint32_t length) {
  extract<T>(to, a, 0, CLAMP ? (length < 32 ? length : 32) : length & 31);
}

// Bytes of two registers by numbers 0 to 7; which(i) is the number of byte i.
template <typename R, typename A, typename B, typename Which>
__forceinline__ void permute(R& to, A a, B b, Which which) {
  const uint64_t both = uint64_t(get<uint32_t>(b)) << 32 | get<uint32_t>(a);
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) result |= uint32_t(both >> (which(i) & 7) * 8 & 255) << i * 8;
  put<uint32_t>(to, result);
}
// A selector with its highest bit set replicates the sign of its byte.
template <typename R, typename A, typename B>
__forceinline__ void prmt_(R& to, A a, B b, uint32_t selectors) {
  uint32_t bytes = 0;
  permute(bytes, a, b, [&](unsigned i) { return selectors >> i * 4; });
  for (unsigned i = 0; i < 4; ++i) {
    const bool sign = (bytes >> (i * 8 + 7) & 1) != 0;
    if ((selectors >> (i * 4 + 3) & 1) != 0) {
      bytes = (bytes & ~(255u << i * 8)) | (sign ? 255u << i * 8 : 0);
    }
  }
  put<uint32_t>(to, bytes);
}
#define SIMT_PERMUTE(mode, number)                                     \
  template <typename R, typename A, typename B>                        \
  __forceinline__ void prmt_##mode(R& to, A a, B b, uint32_t select) { \
    const unsigned s = select & 3;                                     \
    permute(to, a, b, [s](unsigned i) { return number; });             \
  }
SIMT_PERMUTE(f4e, s + i)
SIMT_PERMUTE(b4e, s - i)
SIMT_PERMUTE(rc8, s + 0 * i)
SIMT_PERMUTE(ecl, i < s ? s : i)
SIMT_PERMUTE(ecr, i < s ? i : s)
SIMT_PERMUTE(rc16, (s & 1) * 2 + (i & 1))
#undef SIMT_PERMUTE

// 32 bits of two registers side by side; `low` is the lower one.
#define SIMT_FUNNEL(name, count, expression)                                        \
  template <typename R, typename A, typename B>                                     \
  __forceinline__ void funnel_##name(R& to, A low, B high, uint32_t by) {           \
    const uint64_t both = uint64_t(get<uint32_t>(high)) << 32 | get<uint32_t>(low); \
    const uint32_t n = count;                                                       \
    put<uint32_t>(to, uint32_t(expression));                                        \
  }
SIMT_FUNNEL(l_wrap, by & 31, (both << n) >> 32)
SIMT_FUNNEL(l_clamp, by < 32 ? by : 32, (both << n) >> 32)
SIMT_FUNNEL(r_wrap, by & 31, both >> n)
SIMT_FUNNEL(r_clamp, by < 32 ? by : 32, both >> n)
#undef SIMT_FUNNEL

}  // namespace ptx
}  // namespace simt
