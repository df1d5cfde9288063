// Complex numbers of float and of double.
#pragma once
#include "simt/names/begin.h"

#include <math.h>

#include "simt/shim/vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// suffix: f or nothing. The quotient and the absolute value are scaled, so that squares do not overflow.
#define SIMT_COMPLEX(C, T, suffix, Name)                                        \
  inline T cuCreal##suffix(C x) {                                               \
    return x.x;                                                                 \
  }                                                                             \
  inline T cuCimag##suffix(C x) {                                               \
    return x.y;                                                                 \
  }                                                                             \
  inline C make_##Name(T real, T imaginary) {                                   \
    return C(real, imaginary);                                                  \
  }                                                                             \
  inline C cuConj##suffix(C x) {                                                \
    return C(x.x, -x.y);                                                        \
  }                                                                             \
  inline C cuCadd##suffix(C x, C y) {                                           \
    return C(x.x + y.x, x.y + y.y);                                             \
  }                                                                             \
  inline C cuCsub##suffix(C x, C y) {                                           \
    return C(x.x - y.x, x.y - y.y);                                             \
  }                                                                             \
  inline C cuCmul##suffix(C x, C y) {                                           \
    return C(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                     \
  }                                                                             \
  inline C cuCdiv##suffix(C x, C y) {                                           \
    const T scale = 1 / (fabs##suffix(y.x) + fabs##suffix(y.y));                \
    const T a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale; \
    const T size = 1 / (c * c + d * d);                                         \
    return C((a * c + b * d) * size, (b * c - a * d) * size);                   \
  }                                                                             \
  inline T cuCabs##suffix(C x) {                                                \
    return hypot##suffix(x.x, x.y);                                             \
  }                                                                             \
  inline C cuCfma##suffix(C x, C y, C z) {                                      \
    return C((x.x * y.x + z.x) - x.y * y.y, (x.x * y.y + z.y) + x.y * y.x);     \
  }
SIMT_COMPLEX(cuFloatComplex, float, f, cuFloatComplex)
SIMT_COMPLEX(cuDoubleComplex, double, , cuDoubleComplex)
#undef SIMT_COMPLEX

inline cuComplex make_cuComplex(float real, float imaginary) {
  return cuComplex(real, imaginary);
}
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return cuDoubleComplex(x.x, x.y);
}
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return cuFloatComplex(float(x.x), float(x.y));
}

#include "simt/names/end.h"
