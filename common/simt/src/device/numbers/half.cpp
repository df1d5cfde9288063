// Conversions between half and float, by F16C or ARM instructions or else by arithmetic.
#include "simt/api/half.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <cmath>
#include <cstring>

namespace simt {
namespace {

uint64_t bits_of(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}

}  // namespace

// Rounds once to nearest even, directly from double. A detour through float would round twice.
uint16_t half_bits(double value) {
  const uint64_t bits = bits_of(value);
  const uint16_t sign = uint16_t(bits >> 48 & 0x8000);
  const double size = std::fabs(value);
  if (!(size == size)) {
    return uint16_t(sign | 0x7e00);
  }
  if (size >= 65520.0) {  // halfway between the largest half and 2^16
    return uint16_t(sign | 0x7c00);
  }
  int exponent = size == 0 ? -100 : std::ilogb(size);
  if (exponent < -14) {
    exponent = -14;  // subnormal halves share the smallest exponent
  }
  // In units of the last place, the value is below 2048. nearbyint() rounds to even.
  const uint16_t units = uint16_t(std::nearbyint(std::ldexp(size, 10 - exponent)));
  // A carry out of the fraction correctly increments the exponent.
  return uint16_t(sign | (units + ((exponent + 14) << 10)));
}

#ifdef __aarch64__
uint16_t half_bits(float value) {
  const __fp16 half = __fp16(value);
  uint16_t bits;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

float half_value(uint16_t bits) {
  __fp16 half;
  std::memcpy(&half, &bits, sizeof half);
  return half;
}
#else
__attribute__((target("f16c"))) static uint16_t half_bits_f16c(float value) {
  typedef float Floats __attribute__((vector_size(16)));
  typedef short Halves __attribute__((vector_size(16)));
  const Halves halves = __builtin_ia32_vcvtps2ph(Floats{value, 0, 0, 0}, 0);
  return uint16_t(halves[0]);
}

__attribute__((target("f16c"))) static float half_value_f16c(uint16_t bits) {
  typedef short Halves __attribute__((vector_size(16)));
  return __builtin_ia32_vcvtph2ps(Halves{short(bits), 0, 0, 0, 0, 0, 0, 0})[0];
}

// Some compilers' __builtin_cpu_supports() does not know "f16c".
static const bool has_f16c = [] {
  unsigned a, b, c, d;
  return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) != 0 &&
         (c & bit_F16C) != 0;
}();

uint16_t half_bits(float value) {
  return has_f16c ? half_bits_f16c(value) : half_bits(double(value));
}

float half_value(uint16_t bits) {
  if (has_f16c) {
    return half_value_f16c(bits);
  }
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 0x3ff;
  float size;
  if (exponent == 31) {
    size = fraction != 0 ? NAN : INFINITY;
  } else {
    size = exponent == 0 ? std::ldexp(float(fraction), -24)
                         : std::ldexp(float(fraction + 1024), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -size : size;
}
#endif

}  // namespace simt
