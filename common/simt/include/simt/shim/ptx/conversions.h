// PTX conversions between types of numbers, and comparisons.
#pragma once
#include "simt/api/bfloat16.h"
#include "simt/api/half.h"
#include "simt/shim/ptx/numbers.h"

namespace simt {
namespace ptx {

// 16-bit floats as bits.
struct number_f16 {
  uint16_t bits;
};
struct number_bf16 {
  uint16_t bits;
};
using number_b8 = uint8_t;
using number_u8 = uint8_t;
using number_s8 = int8_t;
using number_b16 = uint16_t;
using number_u16 = uint16_t;
using number_s16 = int16_t;
using number_b32 = uint32_t;
using number_u32 = uint32_t;
using number_s32 = int32_t;
using number_b64 = uint64_t;
using number_u64 = uint64_t;
using number_s64 = int64_t;
using number_f32 = float;
using number_f64 = double;

template <typename T>
constexpr bool is_half = std::is_same_v<T, number_f16> || std::is_same_v<T, number_bf16>;

// For arithmetic: converts 16-bit floats to float.
template <typename T>
__forceinline__ auto value_of(T number) {
  if constexpr (std::is_same_v<T, number_f16>) {
    return half_value(number.bits);
  } else if constexpr (std::is_same_v<T, number_bf16>) {
    return bfloat16_value(number.bits);
  } else {
    return number;
  }
}

__forceinline__ double to_integer(double value, Rounding to) {
  return to == Rounding::Zero   ? trunc(value)
         : to == Rounding::Down ? floor(value)
         : to == Rounding::Up   ? ceil(value)
                                : nearbyint(value);
}
// The nearest number of an integer type. A NaN becomes 0 or, from or to 64 bits, the highest bit alone.
template <typename D, typename S>
__forceinline__ D integer_of(double value) {
  constexpr int BITS = int(sizeof(D) * 8) - (std::is_signed_v<D> ? 1 : 0);
  const double end = BITS == 64 ? 0x1p64 : BITS == 63 ? 0x1p63 : double(uint64_t(1) << (BITS & 63));
  const D most = D(~D(0)) < D(0) ? D(~(D(1) << (BITS & 63))) : D(~D(0));
  if (value != value) {
    return sizeof(D) == 8 || sizeof(S) == 8 ? D(std::make_unsigned_t<D>(1) << (sizeof(D) * 8 - 1))
                                            : D(0);
  }
  if (value >= end) return most;
  if (std::is_signed_v<D> ? value < -end : value < 0)
    return std::is_signed_v<D> ? D(-most - 1) : D(0);
  return D(value);
}
template <typename D, typename S>
__forceinline__ D saturated(S value) {
  constexpr __int128 LEAST = std::is_signed_v<D> ? -(__int128(1) << (sizeof(D) * 8 - 1)) : 0;
  constexpr __int128 MOST = (__int128(1) << (sizeof(D) * 8 - (std::is_signed_v<D> ? 1 : 0))) - 1;
  const __int128 wide = value;
  return D(wide < LEAST ? LEAST : wide > MOST ? MOST : wide);
}

// A value as the float type D.
template <typename D, Round ROUND, typename S>
__forceinline__ D float_of(S value) {
  constexpr Rounding TO = direction_of(ROUND);
  if constexpr (is_half<D>) {
    return D{narrow_half(double(value), std::is_same_v<D, number_bf16>, TO)};
  } else if constexpr (std::is_same_v<D, double> || TO == Rounding::Nearest) {
    return D(value);
  } else {
    return narrow((long double)(value), TO);
  }
}
template <typename D, bool SAT, bool FTZ>
__forceinline__ D limited(D number) {
  if constexpr (SAT && is_half<D>) {
    const float value = value_of(number);
    return value > 0 ? (value < 1 ? number : float_of<D, Round::to_rn>(1.0f)) : D{0};
  } else {
    return within_one<SAT>(flushed<FTZ>(number));
  }
}

template <typename D, typename S, Round ROUND, bool FTZ, bool SAT, typename R, typename A>
__forceinline__ void convert(R& to, A from) {
  constexpr bool TO_INTEGER = std::is_integral_v<D>, FROM_INTEGER = std::is_integral_v<S>;
  constexpr bool FLUSH_TO = FTZ && std::is_same_v<D, float>;
  constexpr bool FLUSH_FROM = FTZ && std::is_same_v<S, float>;
  const auto value = flushed<FLUSH_FROM>(value_of(get<S>(from)));
  if constexpr (TO_INTEGER && FROM_INTEGER) {
    put<D>(to, SAT ? saturated<D>(value) : D(value));
  } else if constexpr (TO_INTEGER) {
    put<D>(to, integer_of<D, S>(to_integer(double(value), direction_of(ROUND))));
  } else if constexpr (FROM_INTEGER || ROUND < Round::to_rni) {
    put<D>(to, limited<D, SAT, FLUSH_TO>(float_of<D, ROUND>(value)));
  } else {
    put<D>(to, limited<D, SAT, FLUSH_TO>(
                   float_of<D, Round::to_rn>(to_integer(double(value), direction_of(ROUND)))));
  }
}

// Two floats; the first becomes the upper half. .relu: negative numbers become 0. .satfinite: numbers that are too
// large become the largest number.
template <typename H, Round ROUND, bool RELU, bool SATFINITE>
__forceinline__ uint16_t half_of(float value) {
  constexpr bool BFLOAT = std::is_same_v<H, number_bf16>;
  const uint16_t infinity = BFLOAT ? 0x7f80 : 0x7c00;
  uint16_t bits = narrow_half(double(value), BFLOAT, direction_of(ROUND));
  if (RELU && value <= 0) return 0;
  if (SATFINITE && (bits & 0x7fff) == infinity) bits = uint16_t(bits - 1);
  return bits;
}
template <typename H, Round ROUND, bool RELU, bool SATFINITE, typename R>
__forceinline__ void convert_pair(R& to, float upper, float lower) {
  put<uint32_t>(to, uint32_t(half_of<H, ROUND, RELU, SATFINITE>(upper)) << 16 |
                        half_of<H, ROUND, RELU, SATFINITE>(lower));
}
template <typename H, Round ROUND, bool RELU, bool SATFINITE, typename R>
__forceinline__ void convert_half(R& to, float value) {
  put<uint16_t>(to, half_of<H, ROUND, RELU, SATFINITE>(value));
}

// Floats of 8 bits, two to a register.
template <Fragment TYPE, bool RELU, typename R>
__forceinline__ void to_bytes(R& to, float upper, float lower) {
  const auto byte = [](float x) { return byte_float_bits(TYPE, RELU && x <= 0 ? 0 : double(x)); };
  put<uint16_t>(to, uint16_t(byte(upper) << 8 | byte(lower)));
}
template <Fragment TYPE, bool RELU, typename R, typename A>
__forceinline__ void to_bytes(R& to, A pair) {
  const uint32_t bits = get<uint32_t>(pair);
  to_bytes<TYPE, RELU>(to, half_value(uint16_t(bits >> 16)), half_value(uint16_t(bits)));
}
template <Fragment TYPE, bool RELU, typename R, typename A>
__forceinline__ void from_bytes(R& to, A pair) {
  const uint16_t bits = get<uint16_t>(pair);
  const auto half = [](unsigned byte) {
    const float value = byte_float_value(TYPE, uint8_t(byte));
    return uint32_t(half_bits(RELU && value <= 0 ? 0.0f : value));
  };
  put<uint32_t>(to, half(bits >> 8) << 16 | half(bits & 255u));
}

// A float whose lowest 13 bits are zeros.
template <bool RELU, typename R>
__forceinline__ void put_tf32(R& to, float x, uint32_t add) {
  const uint32_t bits = get<uint32_t>(x), kept = x != x ? 0x7fffe000u : (bits + add) & ~0x1fffu;
  put<uint32_t>(to, RELU && x <= 0 ? 0 : kept);
}
template <bool RELU, typename R>
__forceinline__ void to_tf32_rna(R& to, float x) {
  put_tf32<RELU>(to, x, 0x1000);
}
template <bool RELU, typename R>
__forceinline__ void to_tf32_rn(R& to, float x) {
  put_tf32<RELU>(to, x, 0xfff + (get<uint32_t>(x) >> 13 & 1));
}
template <bool RELU, typename R>
__forceinline__ void to_tf32_rz(R& to, float x) {
  put_tf32<RELU>(to, x, 0);
}

// Two integers as parts of a register: b in the lowest bits, then a, then c shifted left.
template <typename T, typename R, typename A, typename B>
__forceinline__ void pack_saturated(R& to, A a, B b, uint32_t c = 0) {
  using U = std::make_unsigned_t<T>;
  constexpr unsigned BITS = sizeof(T) * 8;
  const uint32_t pair =
      uint32_t(U(saturated<T>(get<int32_t>(a)))) << BITS | U(saturated<T>(get<int32_t>(b)));
  put<uint32_t>(to, BITS == 16 ? pair : c << 16 | pair);
}

// Comparisons. With a NaN, those of floats without a u are false, and those with a u are true.
enum class Relation {
  is_eq,
  is_ne,
  is_lt,
  is_le,
  is_gt,
  is_ge,
  is_lo,
  is_ls,
  is_hi,
  is_hs,
  is_equ,
  is_neu,
  is_ltu,
  is_leu,
  is_gtu,
  is_geu,
  is_num,
  is_nan
};
enum class Logic { with_, with_and, with_or, with_xor };

// a if c >= 0, else b.
template <typename T, typename Sign, bool FTZ, typename R, typename A, typename B, typename C>
__forceinline__ void slct(R& to, A a, B b, C c) {
  put<T>(to, flushed<FTZ>(get<Sign>(c)) >= Sign(0) ? get<T>(a) : get<T>(b));
}
#define SIMT_TEST(name, expression)                  \
  template <typename A>                              \
  __forceinline__ void testp_##name(bool& is, A a) { \
    is = expression;                                 \
  }
SIMT_TEST(finite, __builtin_isfinite(a))
SIMT_TEST(infinite, __builtin_isinf(a) != 0)
SIMT_TEST(number, a == a)
SIMT_TEST(notanumber, a != a)
SIMT_TEST(normal, a == 0 || __builtin_isnormal(a))
SIMT_TEST(subnormal, a != 0 && __builtin_isfinite(a) && !__builtin_isnormal(a))
#undef SIMT_TEST

template <typename T, Relation RELATION, Logic LOGIC, bool FTZ>
class Compare {
 public:
  template <typename A, typename B>
  __forceinline__ void operator()(bool& to, A a, B b) const {
    to = holds(a, b);
  }
  template <typename A, typename B>
  __forceinline__ void operator()(bool& to, bool& other, A a, B b) const {
    const bool is = holds(a, b);
    to = is, other = !is;
  }
  template <typename A, typename B>
  __forceinline__ void operator()(bool& to, A a, B b, bool c) const {
    to = with(holds(a, b), c);
  }
  template <typename A, typename B>
  __forceinline__ void operator()(bool& to, bool& other, A a, B b, bool c) const {
    const bool is = holds(a, b);
    to = with(is, c), other = with(!is, c);
  }
  template <typename A, typename B>
  __forceinline__ void opposite(bool& to, A a, B b) const {
    to = !holds(a, b);
  }
  template <typename A, typename B>
  __forceinline__ void opposite(bool& to, A a, B b, bool c) const {
    to = with(!holds(a, b), c);
  }
  template <typename A, typename B>
  __forceinline__ void halves(bool& low, bool& high, A first, B second, bool c = false) const {
    const uint32_t a = get<uint32_t>(first), b = get<uint32_t>(second);
    low = with(holds(uint16_t(a), uint16_t(b)), c);
    high = with(holds(uint16_t(a >> 16), uint16_t(b >> 16)), c);
  }
  template <typename R, typename A, typename B>
  __forceinline__ void mask(R& to, A a, B b, bool c = false) const {
    put<uint32_t>(to, with(holds(a, b), c) ? ~0u : 0);
  }
  template <typename R, typename A, typename B>
  __forceinline__ void one(R& to, A a, B b, bool c = false) const {
    put<float>(to, with(holds(a, b), c) ? 1.0f : 0.0f);
  }

 private:
  __forceinline__ static bool with(bool is, bool c) {
    return LOGIC == Logic::with_and   ? is && c
           : LOGIC == Logic::with_or  ? is || c
           : LOGIC == Logic::with_xor ? is != c
                                      : is;
  }
  template <typename A, typename B>
  __forceinline__ static bool holds(A first, B second) {
    const auto a = flushed<FTZ>(value_of(get<T>(first))),
               b = flushed<FTZ>(value_of(get<T>(second)));
    const bool nan = a != a || b != b;
    switch (RELATION) {
      case Relation::is_eq:
        return a == b;
      case Relation::is_ne:
        return !nan && a != b;
      case Relation::is_lt:
      case Relation::is_lo:
        return a < b;
      case Relation::is_le:
      case Relation::is_ls:
        return a <= b;
      case Relation::is_gt:
      case Relation::is_hi:
        return a > b;
      case Relation::is_ge:
      case Relation::is_hs:
        return a >= b;
      case Relation::is_equ:
        return nan || a == b;
      case Relation::is_neu:
        return nan || a != b;
      case Relation::is_ltu:
        return nan || a < b;
      case Relation::is_leu:
        return nan || a <= b;
      case Relation::is_gtu:
        return nan || a > b;
      case Relation::is_geu:
        return nan || a >= b;
      case Relation::is_num:
        return !nan;
      default:
        return nan;
    }
  }
};

template <typename T, typename R, typename A, typename B>
__forceinline__ void select(R& to, A yes, B no, bool which) {
  put<T>(to, which ? get<T>(yes) : get<T>(no));
}

}  // namespace ptx
}  // namespace simt
