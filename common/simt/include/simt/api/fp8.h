// 8-bit floats as bits. E4M3 has one NaN and no infinities. E5M2 has NaNs and infinities, like half.
#pragma once
#include <cstdint>

namespace simt {

// Rounds to nearest even. A number that is too large becomes the largest one (saturates); otherwise an infinity, or in
// E4M3 a NaN.
__attribute__((const)) uint8_t fp8_bits(double value, bool e4m3, bool saturates);
__attribute__((const)) float fp8_value(uint8_t bits, bool e4m3);

}  // namespace simt
