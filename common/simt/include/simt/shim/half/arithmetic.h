// Functions of 16-bit numbers, for each of their types: cuda_fp16.h and cuda_bf16.h include this file, each with SIMT_H
// for its type. Arithmetic is done in float, or for multiply-adds in double, and rounded once to nearest even.

inline SIMT_H __hadd(SIMT_H a, SIMT_H b) {
  return SIMT_H(float(a) + float(b));
}
inline SIMT_H __hsub(SIMT_H a, SIMT_H b) {
  return SIMT_H(float(a) - float(b));
}
inline SIMT_H __hmul(SIMT_H a, SIMT_H b) {
  return SIMT_H(float(a) * float(b));
}
inline SIMT_H __hdiv(SIMT_H a, SIMT_H b) {
  return SIMT_H(float(a) / float(b));
}
// CUDA never fuses these; here, no operation is fused.
inline SIMT_H __hadd_rn(SIMT_H a, SIMT_H b) {
  return __hadd(a, b);
}
inline SIMT_H __hsub_rn(SIMT_H a, SIMT_H b) {
  return __hsub(a, b);
}
inline SIMT_H __hmul_rn(SIMT_H a, SIMT_H b) {
  return __hmul(a, b);
}
// The product is exact in double, so only the last rounding matters.
inline SIMT_H __hfma(SIMT_H a, SIMT_H b, SIMT_H c) {
  return SIMT_H(double(float(a)) * double(float(b)) + double(float(c)));
}

namespace simt {
// Clamps to 0 ... 1. A NaN becomes 0.
inline SIMT_H saturate(SIMT_H a) {
  return float(a) > 0 ? (float(a) < 1 ? a : SIMT_H(1.0f)) : SIMT_H(0.0f);
}
inline bool is_nan(SIMT_H a) {
  return float(a) != float(a);
}
inline SIMT_H not_a_number(SIMT_H) {
  SIMT_H result;
  result.bits = 0x7fff;
  return result;
}
// -0 lies below 0.
inline bool is_less(SIMT_H a, SIMT_H b) {
  return float(a) < float(b) || (float(a) == float(b) && a.bits >> 15 > b.bits >> 15);
}
}  // namespace simt

inline SIMT_H __hadd_sat(SIMT_H a, SIMT_H b) {
  return simt::saturate(__hadd(a, b));
}
inline SIMT_H __hsub_sat(SIMT_H a, SIMT_H b) {
  return simt::saturate(__hsub(a, b));
}
inline SIMT_H __hmul_sat(SIMT_H a, SIMT_H b) {
  return simt::saturate(__hmul(a, b));
}
inline SIMT_H __hfma_sat(SIMT_H a, SIMT_H b, SIMT_H c) {
  return simt::saturate(__hfma(a, b, c));
}
// A negative result becomes 0.
inline SIMT_H __hfma_relu(SIMT_H a, SIMT_H b, SIMT_H c) {
  const SIMT_H result = __hfma(a, b, c);
  return simt::is_nan(result) ? simt::not_a_number(a) : float(result) > 0 ? result : SIMT_H(0.0f);
}
inline SIMT_H __hneg(SIMT_H a) {
  a.bits ^= 0x8000;
  return a;
}
inline SIMT_H __habs(SIMT_H a) {
  a.bits &= 0x7fff;
  return a;
}
inline bool __hisnan(SIMT_H a) {
  return simt::is_nan(a);
}
// 1 or -1 for the infinities, else 0.
inline int __hisinf(SIMT_H a) {
  return std::isinf(float(a)) ? (float(a) > 0 ? 1 : -1) : 0;
}

// A NaN loses, or wins (_nan).
inline SIMT_H __hmax(SIMT_H a, SIMT_H b) {
  return simt::is_nan(a)                          ? (simt::is_nan(b) ? simt::not_a_number(a) : b)
         : simt::is_nan(b) || simt::is_less(b, a) ? a
                                                  : b;
}
inline SIMT_H __hmin(SIMT_H a, SIMT_H b) {
  return simt::is_nan(a)                          ? (simt::is_nan(b) ? simt::not_a_number(a) : b)
         : simt::is_nan(b) || simt::is_less(a, b) ? a
                                                  : b;
}
inline SIMT_H __hmax_nan(SIMT_H a, SIMT_H b) {
  return simt::is_nan(a) || simt::is_nan(b) ? simt::not_a_number(a) : __hmax(a, b);
}
inline SIMT_H __hmin_nan(SIMT_H a, SIMT_H b) {
  return simt::is_nan(a) || simt::is_nan(b) ? simt::not_a_number(a) : __hmin(a, b);
}

// Comparisons. Those with a u are true for a NaN.
#define SIMT_COMPARISON(name, op)                                        \
  inline bool __h##name(SIMT_H a, SIMT_H b) {                            \
    return !simt::is_nan(a) && !simt::is_nan(b) && float(a) op float(b); \
  }                                                                      \
  inline bool __h##name##u(SIMT_H a, SIMT_H b) {                         \
    return simt::is_nan(a) || simt::is_nan(b) || float(a) op float(b);   \
  }
SIMT_COMPARISON(eq, ==)
SIMT_COMPARISON(ne, !=)
SIMT_COMPARISON(lt, <)
SIMT_COMPARISON(le, <=)
SIMT_COMPARISON(gt, >)
SIMT_COMPARISON(ge, >=)
#undef SIMT_COMPARISON

#define SIMT_FUNCTION(name, expression) \
  inline SIMT_H name(SIMT_H value) {    \
    const float x = float(value);       \
    return SIMT_H(expression);          \
  }
SIMT_FUNCTION(hceil, ceilf(x))
SIMT_FUNCTION(hfloor, floorf(x))
SIMT_FUNCTION(htrunc, truncf(x))
SIMT_FUNCTION(hrint, nearbyintf(x))
SIMT_FUNCTION(hsqrt, sqrtf(x))
SIMT_FUNCTION(hrsqrt, 1 / std::sqrt(double(x)))
SIMT_FUNCTION(hrcp, 1 / x)
SIMT_FUNCTION(hexp, expf(x))
SIMT_FUNCTION(hexp2, exp2f(x))
SIMT_FUNCTION(hexp10, exp10f(x))
SIMT_FUNCTION(hlog, logf(x))
SIMT_FUNCTION(hlog2, log2f(x))
SIMT_FUNCTION(hlog10, log10f(x))
SIMT_FUNCTION(hsin, sinf(x))
SIMT_FUNCTION(hcos, cosf(x))
SIMT_FUNCTION(htanh, tanhf(x))
SIMT_FUNCTION(htanh_approx, tanhf(x))
#undef SIMT_FUNCTION

#define SIMT_OPERATOR(op)                         \
  inline SIMT_H operator op(SIMT_H a, SIMT_H b) { \
    return SIMT_H(float(a) op float(b));          \
  }
#define SIMT_COMPARE(op)                        \
  inline bool operator op(SIMT_H a, SIMT_H b) { \
    return float(a) op float(b);                \
  }
SIMT_OPERATOR(+)
SIMT_OPERATOR(-)
SIMT_OPERATOR(*)
SIMT_OPERATOR(/)
SIMT_COMPARE(==)
SIMT_COMPARE(!=)
SIMT_COMPARE(<)
SIMT_COMPARE(<=)
SIMT_COMPARE(>)
SIMT_COMPARE(>=)
#undef SIMT_OPERATOR
#undef SIMT_COMPARE
inline SIMT_H operator-(SIMT_H a) {
  return __hneg(a);
}
inline SIMT_H operator+(SIMT_H a) {
  return a;
}
inline SIMT_H& operator++(SIMT_H& a) {
  return a = a + SIMT_H(1.0f);
}
inline SIMT_H& operator--(SIMT_H& a) {
  return a = a - SIMT_H(1.0f);
}
inline SIMT_H operator++(SIMT_H& a, int) {
  const SIMT_H old = a;
  ++a;
  return old;
}
inline SIMT_H operator--(SIMT_H& a, int) {
  const SIMT_H old = a;
  --a;
  return old;
}
