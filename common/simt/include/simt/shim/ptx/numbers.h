// PTX of floats: of 32 and 64 bits, and halves and bfloat16, one or two to a register. Approximations have the full
// precision of what they approximate.
#pragma once
#include <math.h>

#include "simt/shim/math/rounding.h"
#include "simt/shim/ptx/registers.h"

namespace simt {
namespace ptx {

enum class Round { to, to_rn, to_rz, to_rm, to_rp, to_rni, to_rzi, to_rmi, to_rpi };
constexpr Rounding direction_of(Round round) {
  return round == Round::to_rz || round == Round::to_rzi   ? Rounding::Zero
         : round == Round::to_rm || round == Round::to_rmi ? Rounding::Down
         : round == Round::to_rp || round == Round::to_rpi ? Rounding::Up
                                                           : Rounding::Nearest;
}

// .ftz: a subnormal number becomes a zero with its sign.
template <bool FTZ, typename T>
__forceinline__ T flushed(T value) {
  if constexpr (FTZ && sizeof(T) == 4) {
    return fabsf(value) < 0x1p-126f ? copysignf(0, value) : value;
  }
  return value;
}
template <bool SAT, typename T>
__forceinline__ T within_one(T value) {
  if constexpr (SAT) {
    return value > 0 ? (value < 1 ? value : T(1)) : T(0);
  }
  return value;
}

template <Arithmetic OP, typename T>
__forceinline__ T to_nearest(T a, T b, T c) {
  switch (OP) {
    case Arithmetic::Add:
      return opaque(opaque(a) + b);
    case Arithmetic::Subtract:
      return opaque(opaque(a) - b);
    case Arithmetic::Multiply:
      return opaque(a * b);
    case Arithmetic::Divide:
      return a / b;
    case Arithmetic::Fma:
      return sizeof(T) == 4 ? T(fmaf(float(a), float(b), float(c))) : T(fma(a, b, c));
    default:
      return sizeof(T) == 4 ? T(sqrtf(float(a))) : T(sqrt(a));
  }
}
template <Arithmetic OP, typename T, Round ROUND, bool FTZ, bool SAT, typename R>
__forceinline__ void float_op(R& to, T a, T b, T c) {
  constexpr Rounding DIRECTION = direction_of(ROUND);
  a = flushed<FTZ>(a), b = flushed<FTZ>(b), c = flushed<FTZ>(c);
  const T result =
      DIRECTION == Rounding::Nearest ? to_nearest<OP>(a, b, c) : compute(OP, DIRECTION, a, b, c);
  put<T>(to, within_one<SAT>(flushed<FTZ>(result)));
}
#define SIMT_FLOATS(name, operation)                                                         \
  template <typename T, Round ROUND, bool FTZ, bool SAT, typename R, typename A, typename B> \
  __forceinline__ void float_##name(R& to, A a, B b) {                                       \
    float_op<Arithmetic::operation, T, ROUND, FTZ, SAT>(to, get<T>(a), get<T>(b), T(0));     \
  }
SIMT_FLOATS(add, Add)
SIMT_FLOATS(sub, Subtract)
SIMT_FLOATS(mul, Multiply)
SIMT_FLOATS(div, Divide)
#undef SIMT_FLOATS
template <typename T, Round ROUND, bool FTZ, bool SAT, typename R, typename A, typename B,
          typename C>
__forceinline__ void float_fma(R& to, A a, B b, C c) {
  float_op<Arithmetic::Fma, T, ROUND, FTZ, SAT>(to, get<T>(a), get<T>(b), get<T>(c));
}
template <typename T, Round ROUND, bool FTZ, bool SAT, typename R, typename A>
__forceinline__ void float_sqrt(R& to, A a) {
  float_op<Arithmetic::Root, T, ROUND, FTZ, SAT>(to, get<T>(a), T(0), T(0));
}
template <typename T, Round ROUND, bool FTZ, bool SAT, typename R, typename A>
__forceinline__ void float_rcp(R& to, A a) {
  float_op<Arithmetic::Divide, T, ROUND, FTZ, SAT>(to, T(1), get<T>(a), T(0));
}

#define SIMT_APPROXIMATION(name, expression)              \
  template <typename T, bool FTZ, typename R, typename A> \
  __forceinline__ void approx_##name(R& to, A a) {        \
    const T x = flushed<FTZ>(get<T>(a));                  \
    put<T>(to, flushed<FTZ>(T(expression)));              \
  }
SIMT_APPROXIMATION(sqrt, sizeof(T) == 4 ? T(sqrtf(float(x))) : T(sqrt(x)))
SIMT_APPROXIMATION(rcp, 1 / x)
SIMT_APPROXIMATION(rsqrt, 1 / (sizeof(T) == 4 ? T(sqrtf(float(x))) : T(sqrt(x))))
SIMT_APPROXIMATION(sin, sinf(float(x)))
SIMT_APPROXIMATION(cos, cosf(float(x)))
SIMT_APPROXIMATION(lg2, log2f(float(x)))
SIMT_APPROXIMATION(ex2, exp2f(float(x)))
#undef SIMT_APPROXIMATION

// Without .NaN, a number wins over a NaN. -0 is less than +0. .xorsign.abs: compares absolute values; the sign is the
// XOR of both signs.
template <typename T, bool FTZ, bool NAN_WINS, bool XORSIGN, typename R>
__forceinline__ void pick(R& to, T a, T b, bool least) {
  const bool negative = __builtin_signbit(a) != __builtin_signbit(b);
  a = flushed<FTZ>(a), b = flushed<FTZ>(b);
  if (XORSIGN) a = T(__builtin_fabs(a)), b = T(__builtin_fabs(b));
  const bool first = a == b ? (__builtin_signbit(a) != 0) == least : (a < b) == least;
  T number = a != a ? b : b != b || first ? a : b;
  if (XORSIGN) number = negative ? -number : number;
  put<T>(to, NAN_WINS && (a != a || b != b) ? T(NAN) : number);
}
template <typename T, bool FTZ, bool NAN_WINS, bool XORSIGN, typename R, typename A, typename B>
__forceinline__ void float_min(R& to, A a, B b) {
  pick<T, FTZ, NAN_WINS, XORSIGN>(to, get<T>(a), get<T>(b), true);
}
template <typename T, bool FTZ, bool NAN_WINS, bool XORSIGN, typename R, typename A, typename B>
__forceinline__ void float_max(R& to, A a, B b) {
  pick<T, FTZ, NAN_WINS, XORSIGN>(to, get<T>(a), get<T>(b), false);
}
template <typename T, bool FTZ, typename R, typename A>
__forceinline__ void float_neg(R& to, A a) {
  put<T>(to, -flushed<FTZ>(get<T>(a)));
}
template <typename T, bool FTZ, typename R, typename A>
__forceinline__ void float_abs(R& to, A a) {
  put<T>(to, T(__builtin_fabs(flushed<FTZ>(get<T>(a)))));
}
// The sign of the first operand and the absolute value of the second.
template <typename T, typename R, typename A, typename B>
__forceinline__ void float_copysign(R& to, A sign, B size) {
  put<T>(to, T(__builtin_copysign(get<T>(size), get<T>(sign))));
}

// The 16-bit floats in a register: half or bfloat16, one or two.
template <bool BFLOAT, bool TWO>
struct HalfPair {
  static constexpr bool bfloat = BFLOAT, two = TWO;
  using Word = std::conditional_t<TWO, uint32_t, uint16_t>;
};
using pair_f16 = HalfPair<false, false>;
using pair_bf16 = HalfPair<true, false>;
using pair_f16x2 = HalfPair<false, true>;
using pair_bf16x2 = HalfPair<true, true>;

template <HalfOp OP, typename Pair, bool SAT, bool RELU>
class Halves {
  using Word = typename Pair::Word;

 public:
  template <typename R, typename A>
  __forceinline__ void operator()(R& to, A a) const {
    run(to, get<Word>(a), 0, 0);
  }
  template <typename R, typename A, typename B>
  __forceinline__ void operator()(R& to, A a, B b) const {
    run(to, get<Word>(a), get<Word>(b), 0);
  }
  template <typename R, typename A, typename B, typename C>
  __forceinline__ void operator()(R& to, A a, B b, C c) const {
    run(to, get<Word>(a), get<Word>(b), get<Word>(c));
  }

 private:
  // The result for one number. .relu: a negative result becomes 0. .sat: clamps to 0 ... 1, and a NaN becomes 0.
  __forceinline__ static uint16_t one(uint32_t a, uint32_t b, uint32_t c) {
    const uint16_t bits = half_arithmetic(OP, Pair::bfloat, uint16_t(a), uint16_t(b), uint16_t(c));
    const uint16_t infinity = Pair::bfloat ? 0x7f80 : 0x7c00, unit = Pair::bfloat ? 0x3f80 : 0x3c00;
    const bool nan = (bits & 0x7fff) > infinity;
    if ((SAT && nan) || ((SAT || RELU) && !nan && (bits & 0x8000) != 0)) return 0;
    return SAT && bits > unit ? unit : bits;
  }
  template <typename R>
  __forceinline__ static void run(R& to, Word a, Word b, Word c) {
    if constexpr (Pair::two) {
      put<Word>(to, uint32_t(one(a >> 16, b >> 16, c >> 16)) << 16 | one(a, b, c));
    } else {
      put<Word>(to, one(a, b, c));
    }
  }
};

}  // namespace ptx
}  // namespace simt
