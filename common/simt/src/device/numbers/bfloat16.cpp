// Conversions between bfloat16 and float.
#include "simt/api/bfloat16.h"

#include <cstring>

namespace simt {
namespace {

constexpr uint16_t kNaN = 0x7fff;  // CUDA converts every NaN to this

uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

uint16_t bfloat16_bits(float value) {
  const uint32_t bits = bits_of(value);
  return value != value ? kNaN : uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// Rounds once: the intermediate float is rounded to odd, so its last bit keeps the information that rounding lost.
uint16_t bfloat16_bits(double value) {
  const float rounded = float(value);
  uint32_t bits = bits_of(rounded);
  const double size = value < 0 ? -value : value, rounded_size = rounded < 0 ? -rounded : rounded;
  if (size == rounded_size || value != value) {
    return bfloat16_bits(rounded);
  }
  bits = (bits - (rounded_size > size ? 1 : 0)) | 1;
  float odd;
  std::memcpy(&odd, &bits, sizeof odd);
  return bfloat16_bits(odd);
}

uint16_t bfloat16_bits_to_zero(float value) {
  return value != value ? kNaN : uint16_t(bits_of(value) >> 16);
}

float bfloat16_value(uint16_t bits) {
  const uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

}  // namespace simt
