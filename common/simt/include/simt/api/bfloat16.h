// The type __nv_bfloat16: the upper 16 bits of a float, with conversions that round to nearest even.
#pragma once
#include <cstdint>

namespace simt {
// Out of line and pure, like those of half.
__attribute__((const)) uint16_t bfloat16_bits(float value);
__attribute__((const)) uint16_t bfloat16_bits(double value);
__attribute__((const)) uint16_t bfloat16_bits_to_zero(float value);
__attribute__((const)) float bfloat16_value(uint16_t bits);
}  // namespace simt

// The bits alone.
struct __nv_bfloat16_raw {
  unsigned short x;
};

struct __nv_bfloat16 {
  uint16_t bits;

  __nv_bfloat16() = default;
  __nv_bfloat16(float value) : bits(simt::bfloat16_bits(value)) {}
  __nv_bfloat16(double value) : bits(simt::bfloat16_bits(value)) {}
  __nv_bfloat16(int value) : bits(simt::bfloat16_bits(double(value))) {}
  __nv_bfloat16(unsigned value) : bits(simt::bfloat16_bits(double(value))) {}
  __nv_bfloat16(long value) : bits(simt::bfloat16_bits(double(value))) {}
  __nv_bfloat16(unsigned long value) : bits(simt::bfloat16_bits(double(value))) {}
  __nv_bfloat16(long long value) : bits(simt::bfloat16_bits(double(value))) {}
  __nv_bfloat16(unsigned long long value) : bits(simt::bfloat16_bits(double(value))) {}
  __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
  __nv_bfloat16(const __nv_bfloat16&) = default;
  // A member function, as in half.
  __nv_bfloat16& operator=(const __nv_bfloat16& other) {
    bits = other.bits;
    return *this;
  }
  operator float() const { return simt::bfloat16_value(bits); }
  operator __nv_bfloat16_raw() const { return {bits}; }

  __nv_bfloat16& operator+=(__nv_bfloat16 other) {
    return *this = __nv_bfloat16(float(*this) + float(other));
  }
  __nv_bfloat16& operator-=(__nv_bfloat16 other) {
    return *this = __nv_bfloat16(float(*this) - float(other));
  }
  __nv_bfloat16& operator*=(__nv_bfloat16 other) {
    return *this = __nv_bfloat16(float(*this) * float(other));
  }
  __nv_bfloat16& operator/=(__nv_bfloat16 other) {
    return *this = __nv_bfloat16(float(*this) / float(other));
  }
};
typedef __nv_bfloat16 nv_bfloat16;
