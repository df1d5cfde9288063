// 16-bit numbers as their definition has them, to compare functions with.
#pragma once
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace halves {

typedef long double Exact;
enum Direction { kNearest, kZero, kUp, kDown };

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

inline float value_of(int kind, unsigned short bits) {
  if (kind == 0) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent == 31  ? (fraction != 0 ? kNan : kInfinity)
                       : exponent == 0 ? std::ldexp(float(fraction), -24)
                                       : std::ldexp(float(fraction + 1024), exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
  }
  const unsigned wide = unsigned(bits) << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

// The bits of the number that x is rounded to.
inline unsigned short rounded(int kind, Exact x, Direction direction = kNearest) {
  const unsigned short infinity = kind == 0 ? 0x7c00 : 0x7f80;
  if (x != x) return 0x7fff;
  const bool negative = std::signbit(x);
  const Exact size = std::fabs(x);
  // The last number that is not larger.
  unsigned low = 0, high = infinity;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (Exact(value_of(kind, static_cast<unsigned short>(middle))) <= size ? low : high) = middle;
  }
  if (std::isinf(size)) low = infinity;
  const Exact below = value_of(kind, static_cast<unsigned short>(low));
  bool up = false;
  if (low != infinity && below != size) {
    // Where infinity lies for nearest rounding: one step of the last exponent further.
    const Exact step = Exact(value_of(kind, static_cast<unsigned short>(low))) -
                       Exact(value_of(kind, static_cast<unsigned short>(low == 0 ? 0 : low - 1)));
    const Exact above = low + 1 == infinity
                            ? below + step
                            : Exact(value_of(kind, static_cast<unsigned short>(low + 1)));
    const Exact middle = below + (above - below) / 2;
    up = direction == kNearest ? size > middle || (size == middle && (low & 1) != 0)
         : direction == kZero  ? false
                               : (direction == kUp) != negative;
  }
  return static_cast<unsigned short>((low + unsigned(up)) | (negative ? 0x8000 : 0));
}

// Equal, as far as a NaN is one; by so many steps of the last place otherwise.
inline bool same(int kind, unsigned short a, unsigned short b, int steps = 0) {
  const float x = value_of(kind, a), y = value_of(kind, b);
  if (x != x || y != y) return x != x && y != y;
  return a == b || (steps > 0 && std::abs(int(a) - int(b)) <= steps);
}

inline const std::vector<float> kValues = {
    0,     -0.0f,     1,          -1,    0.5f,     -2.5f, 3.25f, 1e-7f,   -6e-8f,
    65504, -65504,    1.001f,     0.1f,  -0.3333f, 255,   2049,  -127.5f, 7,
    kNan,  kInfinity, -kInfinity, 1e-5f, 0.999f,   11.5f, -3.5f, 33000};

using Bits = std::vector<unsigned short>;

}  // namespace halves
