// The type half: 16 bits, with conversions that round to nearest even, and assignments.
#pragma once
#include <cstdint>

namespace simt {
// Out of line and pure. They use the CPU's conversion instructions if it has them.
__attribute__((const)) uint16_t half_bits(float value);
__attribute__((const)) uint16_t half_bits(double value);
__attribute__((const)) float half_value(uint16_t bits);
}  // namespace simt

// The bits alone.
struct __half_raw {
  unsigned short x;
};

struct __half {
  uint16_t bits;

  __half() = default;
  __half(float value) : bits(simt::half_bits(value)) {}
  __half(double value) : bits(simt::half_bits(value)) {}
  __half(int value) : bits(simt::half_bits(double(value))) {}
  __half(unsigned value) : bits(simt::half_bits(double(value))) {}
  __half(long value) : bits(simt::half_bits(double(value))) {}
  __half(unsigned long value) : bits(simt::half_bits(double(value))) {}
  __half(long long value) : bits(simt::half_bits(double(value))) {}
  __half(unsigned long long value) : bits(simt::half_bits(double(value))) {}
  __half(__half_raw raw) : bits(raw.x) {}
  __half(const __half&) = default;
  // A member function, so that `to = found ? *from : half(0)` is one store after both cases, as on a GPU.
  __half& operator=(const __half& other) {
    bits = other.bits;
    return *this;
  }
  operator float() const { return simt::half_value(bits); }
  operator __half_raw() const { return {bits}; }

  __half& operator+=(__half other) { return *this = __half(float(*this) + float(other)); }
  __half& operator-=(__half other) { return *this = __half(float(*this) - float(other)); }
  __half& operator*=(__half other) { return *this = __half(float(*this) * float(other)); }
  __half& operator/=(__half other) { return *this = __half(float(*this) / float(other)); }
};
typedef __half half;
