// Functions of pairs of 16-bit numbers; arithmetic.h has those of single ones. SIMT_H is the type of a number, SIMT_H2
// of a pair, SIMT_RAW2 of a pair's bits.

// The bits alone.
struct alignas(4) SIMT_RAW2 {
  unsigned short x, y;
};

struct alignas(4) SIMT_H2 {
  SIMT_H x, y;
  SIMT_COPY(SIMT_H2, simt::Bytes4, "+r")
  SIMT_H2(SIMT_H x_, SIMT_H y_) : x(x_), y(y_) {}
  SIMT_H2(SIMT_RAW2 raw) {
    x.bits = raw.x;
    y.bits = raw.y;
  }
  operator SIMT_RAW2() const { return {x.bits, y.bits}; }
};

#define SIMT_BY_PARTS(name2, name)                  \
  inline SIMT_H2 name2(SIMT_H2 a, SIMT_H2 b) {      \
    return SIMT_H2(name(a.x, b.x), name(a.y, b.y)); \
  }
SIMT_BY_PARTS(__hadd2, __hadd)
SIMT_BY_PARTS(__hsub2, __hsub)
SIMT_BY_PARTS(__hmul2, __hmul)
SIMT_BY_PARTS(__h2div, __hdiv)
SIMT_BY_PARTS(__hadd2_rn, __hadd)
SIMT_BY_PARTS(__hsub2_rn, __hsub)
SIMT_BY_PARTS(__hmul2_rn, __hmul)
SIMT_BY_PARTS(__hadd2_sat, __hadd_sat)
SIMT_BY_PARTS(__hsub2_sat, __hsub_sat)
SIMT_BY_PARTS(__hmul2_sat, __hmul_sat)
SIMT_BY_PARTS(__hmax2, __hmax)
SIMT_BY_PARTS(__hmin2, __hmin)
SIMT_BY_PARTS(__hmax2_nan, __hmax_nan)
SIMT_BY_PARTS(__hmin2_nan, __hmin_nan)
#undef SIMT_BY_PARTS
#define SIMT_BY_PARTS(name2, name)                            \
  inline SIMT_H2 name2(SIMT_H2 a, SIMT_H2 b, SIMT_H2 c) {     \
    return SIMT_H2(name(a.x, b.x, c.x), name(a.y, b.y, c.y)); \
  }
SIMT_BY_PARTS(__hfma2, __hfma)
SIMT_BY_PARTS(__hfma2_sat, __hfma_sat)
SIMT_BY_PARTS(__hfma2_relu, __hfma_relu)
#undef SIMT_BY_PARTS
// a * b + c of complex numbers
inline SIMT_H2 __hcmadd(SIMT_H2 a, SIMT_H2 b, SIMT_H2 c) {
  const SIMT_H real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
  return SIMT_H2(__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary));
}

#define SIMT_BY_PARTS(name2, name)        \
  inline SIMT_H2 name2(SIMT_H2 a) {       \
    return SIMT_H2(name(a.x), name(a.y)); \
  }
SIMT_BY_PARTS(__hneg2, __hneg)
SIMT_BY_PARTS(__habs2, __habs)
SIMT_BY_PARTS(h2ceil, hceil)
SIMT_BY_PARTS(h2floor, hfloor)
SIMT_BY_PARTS(h2trunc, htrunc)
SIMT_BY_PARTS(h2rint, hrint)
SIMT_BY_PARTS(h2sqrt, hsqrt)
SIMT_BY_PARTS(h2rsqrt, hrsqrt)
SIMT_BY_PARTS(h2rcp, hrcp)
SIMT_BY_PARTS(h2exp, hexp)
SIMT_BY_PARTS(h2exp2, hexp2)
SIMT_BY_PARTS(h2exp10, hexp10)
SIMT_BY_PARTS(h2log, hlog)
SIMT_BY_PARTS(h2log2, hlog2)
SIMT_BY_PARTS(h2log10, hlog10)
SIMT_BY_PARTS(h2sin, hsin)
SIMT_BY_PARTS(h2cos, hcos)
SIMT_BY_PARTS(h2tanh, htanh)
SIMT_BY_PARTS(h2tanh_approx, htanh_approx)
#undef SIMT_BY_PARTS

// Comparisons: 1 or 0 for each part, whether both hold (b), or all bits of each part (_mask).
#define SIMT_COMPARISON(name)                                                               \
  inline SIMT_H2 __h##name##2(SIMT_H2 a, SIMT_H2 b) {                                       \
    return SIMT_H2(SIMT_H(float(__h##name(a.x, b.x))), SIMT_H(float(__h##name(a.y, b.y)))); \
  }                                                                                         \
  inline bool __hb##name##2(SIMT_H2 a, SIMT_H2 b) {                                         \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                      \
  }                                                                                         \
  inline unsigned __h##name##2_mask(SIMT_H2 a, SIMT_H2 b) {                                 \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);   \
  }
SIMT_COMPARISON(eq)
SIMT_COMPARISON(ne)
SIMT_COMPARISON(lt)
SIMT_COMPARISON(le)
SIMT_COMPARISON(gt)
SIMT_COMPARISON(ge)
SIMT_COMPARISON(equ)
SIMT_COMPARISON(neu)
SIMT_COMPARISON(ltu)
SIMT_COMPARISON(leu)
SIMT_COMPARISON(gtu)
SIMT_COMPARISON(geu)
#undef SIMT_COMPARISON
inline SIMT_H2 __hisnan2(SIMT_H2 a) {
  return SIMT_H2(SIMT_H(float(__hisnan(a.x))), SIMT_H(float(__hisnan(a.y))));
}

inline float __low2float(SIMT_H2 v) {
  return float(v.x);
}
inline float __high2float(SIMT_H2 v) {
  return float(v.y);
}
inline SIMT_H2 __lowhigh2highlow(SIMT_H2 v) {
  return SIMT_H2(v.y, v.x);
}

#define SIMT_OPERATOR(op)                                 \
  inline SIMT_H2 operator op(SIMT_H2 a, SIMT_H2 b) {      \
    return SIMT_H2(a.x op b.x, a.y op b.y);               \
  }                                                       \
  inline SIMT_H2& operator op##=(SIMT_H2& a, SIMT_H2 b) { \
    return a = SIMT_H2(a.x op b.x, a.y op b.y);           \
  }
#define SIMT_COMPARE(op)                          \
  inline bool operator op(SIMT_H2 a, SIMT_H2 b) { \
    return a.x op b.x && a.y op b.y;              \
  }
SIMT_OPERATOR(+)
SIMT_OPERATOR(-)
SIMT_OPERATOR(*)
SIMT_OPERATOR(/)
SIMT_COMPARE(==)
SIMT_COMPARE(<)
SIMT_COMPARE(<=)
SIMT_COMPARE(>)
SIMT_COMPARE(>=)
#undef SIMT_OPERATOR
#undef SIMT_COMPARE
// As in CUDA: true if both parts differ. A NaN differs from everything.
inline bool operator!=(SIMT_H2 a, SIMT_H2 b) {
  return __hbneu2(a, b);
}
inline SIMT_H2 operator-(SIMT_H2 a) {
  return __hneg2(a);
}
inline SIMT_H2 operator+(SIMT_H2 a) {
  return a;
}
inline SIMT_H2& operator++(SIMT_H2& a) {
  return a = SIMT_H2(a.x + SIMT_H(1.0f), a.y + SIMT_H(1.0f));
}
inline SIMT_H2& operator--(SIMT_H2& a) {
  return a = SIMT_H2(a.x - SIMT_H(1.0f), a.y - SIMT_H(1.0f));
}
