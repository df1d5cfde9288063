// CUDA's functions that the C++ library lacks. Those of floats compute in double and round once.
#pragma once
#include <math.h>

#include <cmath>

#include "simt/api/qualifiers.h"

namespace simt {

constexpr double kPi = 3.141592653589793238462643383279502884;

// The value whose distribution function is p.
double normal_quantile(double p);
// erfc(x) * exp(x * x)
double scaled_erfc(double x);
double erf_inverse(double x);
double erfc_inverse(double x);
// Modified Bessel functions of order 0 and 1.
double bessel_i(int order, double x);

// The sine of pi * x, exact where it is 0, 1 or -1: x is first reduced to -1/2 ... 1/2.
inline double sine_pi(double x) {
  const double rest = std::remainder(x, 2.0);  // -1 ... 1
  const double folded = rest > 0.5 ? 1 - rest : rest < -0.5 ? -1 - rest : rest;
  return std::sin(kPi * folded);
}
inline double cosine_pi(double x) {
  return sine_pi(0.5 - std::fabs(std::remainder(x, 2.0)));
}

}  // namespace simt

// Newer C libraries have some of these.
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 41)
#define SIMT_HAS_SINPI
#endif
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 42)
#define SIMT_HAS_RSQRT
#endif

#ifndef SIMT_HAS_RSQRT
inline float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
inline double rsqrt(double x) {
  return 1 / sqrt(x);
}
#endif
// NAME of doubles and NAMEf of floats, from an expression of x in double.
#define SIMT_BOTH(name, expression) \
  inline double name(double x) {    \
    return expression;              \
  }                                 \
  inline float name##f(float v) {   \
    const double x = double(v);     \
    return float(expression);       \
  }
SIMT_BOTH(rcbrt, 1 / cbrt(x))
SIMT_BOTH(normcdf, erfc(-x * 0.70710678118654752440) / 2)
SIMT_BOTH(normcdfinv, simt::normal_quantile(x))
SIMT_BOTH(erfinv, simt::erf_inverse(x))
SIMT_BOTH(erfcinv, simt::erfc_inverse(x))
SIMT_BOTH(erfcx, simt::scaled_erfc(x))
#ifndef SIMT_HAS_SINPI
SIMT_BOTH(sinpi, simt::sine_pi(x))
SIMT_BOTH(cospi, simt::cosine_pi(x))
#endif
SIMT_BOTH(cyl_bessel_i0, simt::bessel_i(0, x))
SIMT_BOTH(cyl_bessel_i1, simt::bessel_i(1, x))
#undef SIMT_BOTH
#undef SIMT_HAS_SINPI
#undef SIMT_HAS_RSQRT
inline void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}

// Lengths of vectors, and their reciprocals.
inline double rhypot(double x, double y) {
  return 1 / hypot(x, y);
}
inline float rhypotf(float x, float y) {
  return float(1 / hypot(double(x), double(y)));
}
inline double norm3d(double x, double y, double z) {
  return std::hypot(x, y, z);
}
inline float norm3df(float x, float y, float z) {
  return float(std::hypot(double(x), double(y), double(z)));
}
inline double rnorm3d(double x, double y, double z) {
  return 1 / norm3d(x, y, z);
}
inline float rnorm3df(float x, float y, float z) {
  return float(1 / std::hypot(double(x), double(y), double(z)));
}
inline double norm4d(double x, double y, double z, double w) {
  return hypot(std::hypot(x, y, z), w);
}
inline float norm4df(float x, float y, float z, float w) {
  return float(norm4d(double(x), double(y), double(z), double(w)));
}
inline double rnorm4d(double x, double y, double z, double w) {
  return 1 / norm4d(x, y, z, w);
}
inline float rnorm4df(float x, float y, float z, float w) {
  return float(1 / norm4d(double(x), double(y), double(z), double(w)));
}
__forceinline__ double norm(int count, const double* x) {
  double length = 0;
  for (int i = 0; i < count; ++i) length = hypot(length, x[i]);
  return length;
}
__forceinline__ float normf(int count, const float* x) {
  double length = 0;
  for (int i = 0; i < count; ++i) length = hypot(length, double(x[i]));
  return float(length);
}
__forceinline__ double rnorm(int count, const double* x) {
  return 1 / norm(count, x);
}
__forceinline__ float rnormf(int count, const float* x) {
  return 1 / normf(count, x);
}
