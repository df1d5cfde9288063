// 8-bit floats by their bits. E4M3 has no infinities, and one NaN; E5M2 has both, as half.
#pragma once
#include <cstdint>

namespace simt {

// Rounded to nearest even. What is too large becomes the largest number (saturates), else an infinity, in E4M3 a NaN.
__attribute__((const)) uint8_t fp8_bits(double value, bool e4m3, bool saturates);
__attribute__((const)) float fp8_value(uint8_t bits, bool e4m3);

}  // namespace simt
