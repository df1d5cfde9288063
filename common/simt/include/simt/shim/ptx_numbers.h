// PTX of single values. simtcc turns the instructions into these calls. Approximations have the full precision of the
// function that they approximate.
#pragma once
#include <math.h>

#include <cstdint>

#include "simt/api/bfloat16.h"
#include "simt/api/half.h"
#include "simt/api/qualifiers.h"

namespace simt {
namespace ptx {

__forceinline__ void ex2_approx(float& to, float x) {
  to = exp2f(x);
}
__forceinline__ void rcp_approx(float& to, float x) {
  to = 1 / x;
}
__forceinline__ void tanh_approx(float& to, float x) {
  to = tanhf(x);
}
__forceinline__ void fma_rn(float& to, float a, float b, float c) {
  to = fmaf(a, b, c);
}

// Conversions to 16 bits, of one float, or of two, of which the first becomes the upper half of the register.
#define SIMT_CVT(name, bits_of)                                          \
  template <typename H>                                                  \
  __forceinline__ void cvt_##name(H& to, float x) {                      \
    static_assert(sizeof(H) == 2, "cvt: an \"h\" has 16 bits");          \
    to = H(bits_of(x));                                                  \
  }                                                                      \
  template <typename R>                                                  \
  __forceinline__ void cvt_two_##name(R& to, float upper, float lower) { \
    static_assert(sizeof(R) == 4, "cvt: an \"r\" has 32 bits");          \
    to = R(uint32_t(bits_of(upper)) << 16 | bits_of(lower));             \
  }
SIMT_CVT(f16_rn, half_bits)
SIMT_CVT(bf16_rn, bfloat16_bits)
SIMT_CVT(bf16_rz, bfloat16_bits_to_zero)
#undef SIMT_CVT

}  // namespace ptx
}  // namespace simt
