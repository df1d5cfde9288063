#include "simt/api/fp8.h"

#include <array>
#include <cmath>

namespace simt {
namespace {

float computed_value(unsigned bits, bool e4m3) {
  const int fraction_bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const int exponent = int(bits & 0x7f) >> fraction_bits;
  const int fraction = int(bits) & ((1 << fraction_bits) - 1);
  float size = exponent == 0 ? std::ldexp(float(fraction), 1 - bias - fraction_bits)
                             : std::ldexp(float(fraction + (1 << fraction_bits)),
                                          exponent - bias - fraction_bits);
  if (e4m3 ? (bits & 0x7f) == 0x7f : exponent == 31) {
    size = e4m3 || fraction != 0 ? NAN : INFINITY;
  }
  return (bits & 0x80) != 0 ? -size : size;
}

// The value of each byte as e5m2, then as e4m3.
std::array<float, 512> all_values() {
  std::array<float, 512> values{};
  for (unsigned i = 0; i < values.size(); ++i) values[i] = computed_value(i & 255, i > 255);
  return values;
}

}  // namespace

uint8_t fp8_bits(double value, bool e4m3, bool saturates) {
  const int fraction = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const unsigned most = e4m3 ? 0x7e : 0x7b;  // the largest finite number
  const unsigned sign = std::signbit(value) ? 0x80 : 0;
  const double size = std::fabs(value);
  if (!(size == size)) {
    return 0x7f;
  }
  unsigned bits = most + 1;
  if (size < 1e6) {
    // Numbers below the smallest normal one share its exponent. A carry out of the fraction increments the exponent.
    const int exponent = std::fmax(size == 0 ? -100 : std::ilogb(size), 1 - bias);
    const unsigned units = unsigned(std::nearbyint(std::ldexp(size, fraction - exponent)));
    bits = units + (unsigned(exponent + bias - 1) << fraction);
  }
  if (bits > most) {
    bits = saturates ? most : e4m3 ? 0x7f : 0x7c;
  }
  return uint8_t(sign | bits);
}

float fp8_value(uint8_t bits, bool e4m3) {
  static const std::array<float, 512> values = all_values();
  return values[bits + (e4m3 ? 256u : 0u)];
}

}  // namespace simt
