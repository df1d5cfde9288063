// PTX floating point that C++ lacks: rounding modes, half and bfloat16 arithmetic on bits, 8-bit floats.
#include <algorithm>
#include <cfenv>
#include <cmath>

#include "simt/api/bfloat16.h"
#include "simt/api/half.h"
#include "simt/api/ptx.h"

namespace simt {
namespace {

// Sets the rounding mode. The destructor restores rounding to nearest.
class WithRounding {
 public:
  explicit WithRounding(Rounding to) {
    std::fesetround(to == Rounding::Zero   ? FE_TOWARDZERO
                    : to == Rounding::Down ? FE_DOWNWARD
                    : to == Rounding::Up   ? FE_UPWARD
                                           : FE_TONEAREST);
  }
  ~WithRounding() { std::fesetround(FE_TONEAREST); }
};

// A small floating-point format: bits of the fraction, exponent of the smallest normal number, bits of the largest
// finite number.
struct Format {
  int fraction, least, most;
};

// Returns the bits of `size` >= 0 in that format; one past the largest finite number if it is too large.
int bits_of_size(const Format& format, double size, Rounding to) {
  const int exponent = size == 0 ? format.least : std::max(std::ilogb(size), format.least);
  volatile double units = std::ldexp(size, format.fraction - exponent);
  const WithRounding rounding(to);
  units = std::nearbyint(units);
  return std::min(int(units) + ((exponent - format.least) << format.fraction), format.most + 1);
}

double value_of_half(bool bfloat, uint16_t bits) {
  return bfloat ? bfloat16_value(bits) : half_value(bits);
}

uint16_t half_of(bool bfloat, double value) {
  if (value != value) return 0x7fff;
  return bfloat ? bfloat16_bits(value) : half_bits(value);
}

// min and max: a number wins over a NaN, unless nan_wins. Negative zero is less than positive zero.
uint16_t extreme_of(bool bfloat, uint16_t a, uint16_t b, bool least, bool nan_wins) {
  const double x = value_of_half(bfloat, a), y = value_of_half(bfloat, b);
  if (x != x && y != y) return 0x7fff;
  if (x != x || y != y) return nan_wins ? 0x7fff : x != x ? b : a;
  const bool first = x == y ? ((a & 0x8000) != 0) == least : (x < y) == least;
  return first ? a : b;
}

Format format_of(Fragment type) {
  return type == Fragment::e4m3 ? Format{3, -6, 0x7e} : Format{2, -14, 0x7b};
}

}  // namespace

float narrow(long double value, Rounding to) {
  volatile long double wide = value;
  const WithRounding rounding(to);
  volatile float result = float(wide);
  return result;
}

uint16_t narrow_half(double value, bool bfloat, Rounding to) {
  if (to == Rounding::Nearest || value != value || std::isinf(value)) return half_of(bfloat, value);
  const bool negative = std::signbit(value);
  const Rounding of_size = to == Rounding::Zero                 ? to
                           : (to == Rounding::Down) == negative ? Rounding::Up
                                                                : Rounding::Zero;
  const Format format = bfloat ? Format{7, -126, 0x7f7f} : Format{10, -14, 0x7bff};
  int bits;
  if (std::fabs(value) >= (bfloat ? 0x1p128 : 65536.0)) {
    bits = format.most + 1;
  } else {
    bits = bits_of_size(format, std::fabs(value), of_size);
  }
  if (of_size == Rounding::Zero) bits = std::min(bits, format.most);
  return uint16_t(bits | (negative ? 0x8000 : 0));
}

uint16_t half_arithmetic(HalfOp op, bool bfloat, uint16_t a, uint16_t b, uint16_t c) {
  const auto value = [=](uint16_t bits) { return value_of_half(bfloat, bits); };
  switch (op) {
    case HalfOp::add:
      return half_of(bfloat, value(a) + value(b));
    case HalfOp::sub:
      return half_of(bfloat, value(a) - value(b));
    case HalfOp::mul:
      return half_of(bfloat, value(a) * value(b));
    case HalfOp::fma:
      return half_of(bfloat, std::fma(value(a), value(b), value(c)));
    case HalfOp::min:
    case HalfOp::min_nan:
      return extreme_of(bfloat, a, b, true, op == HalfOp::min_nan);
    case HalfOp::max:
    case HalfOp::max_nan:
      return extreme_of(bfloat, a, b, false, op == HalfOp::max_nan);
    case HalfOp::neg:
      return value(a) != value(a) ? 0x7fff : uint16_t(a ^ 0x8000);
    case HalfOp::abs:
      return value(a) != value(a) ? 0x7fff : uint16_t(a & 0x7fff);
    case HalfOp::ex2:
      return half_of(bfloat, std::exp2(value(a)));
    case HalfOp::tanh:
      return half_of(bfloat, std::tanh(value(a)));
  }
  return 0;
}

uint8_t byte_float_bits(Fragment type, double value) {
  if (value != value) return 0x7f;
  const Format format = format_of(type);
  const double most = type == Fragment::e4m3 ? 448 : 57344;
  const int bits = bits_of_size(format, std::min(std::fabs(value), most), Rounding::Nearest);
  return uint8_t(std::min(bits, format.most) | (std::signbit(value) ? 0x80 : 0));
}

float byte_float_value(Fragment type, uint8_t bits) {
  const Format format = format_of(type);
  const int size = bits & 0x7f, exponent = size >> format.fraction,
            fraction = size & ((1 << format.fraction) - 1);
  float value = exponent == 0 ? std::ldexp(float(fraction), format.least - format.fraction)
                              : std::ldexp(float(fraction + (1 << format.fraction)),
                                           exponent - 1 + format.least - format.fraction);
  if (size > format.most) value = type == Fragment::e4m3 || size != 0x7c ? NAN : INFINITY;
  return (bits & 0x80) != 0 ? -value : value;
}

}  // namespace simt
