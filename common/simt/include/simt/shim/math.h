// Device math beyond <cmath>, and CUDA's overloads of min and max in the global namespace. The fast intrinsics have the
// full precision of the function that they approximate.
//
//   math/integers.h     bits, products, dot products of bytes
//   math/simd.h         four bytes or two halves of a word at once
//   math/dpx.h          minima and maxima of sums and of three numbers
//   math/conversions.h  between numbers, and of bits
//   math/rounding.h     arithmetic with a rounding mode
//   math/special.h      functions that <cmath> lacks
#pragma once
#include <math.h>

#include <cmath>

#include "simt/api/qualifiers.h"
#include "simt/shim/math/conversions.h"
#include "simt/shim/math/dpx.h"
#include "simt/shim/math/integers.h"
#include "simt/shim/math/rounding.h"
#include "simt/shim/math/simd.h"
#include "simt/shim/math/special.h"

#define SIMT_MIN_MAX(R, A, B)                             \
  constexpr R min(A a, B b) {                             \
    return static_cast<R>(a) < static_cast<R>(b) ? a : b; \
  }                                                       \
  constexpr R max(A a, B b) {                             \
    return static_cast<R>(a) < static_cast<R>(b) ? b : a; \
  }

SIMT_MIN_MAX(int, int, int)
SIMT_MIN_MAX(unsigned, unsigned, unsigned)
SIMT_MIN_MAX(unsigned, int, unsigned)
SIMT_MIN_MAX(unsigned, unsigned, int)
SIMT_MIN_MAX(long, long, long)
SIMT_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIN_MAX(unsigned long, unsigned long, long)
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef SIMT_MIN_MAX
inline unsigned umin(unsigned a, unsigned b) {
  return a < b ? a : b;
}
inline unsigned umax(unsigned a, unsigned b) {
  return a < b ? b : a;
}
inline long long llmin(long long a, long long b) {
  return a < b ? a : b;
}
inline long long llmax(long long a, long long b) {
  return a < b ? b : a;
}
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}

// A NaN loses, as in fmin and fmax.
inline float min(float a, float b) {
  return fminf(a, b);
}
inline float max(float a, float b) {
  return fmaxf(a, b);
}
inline double min(double a, double b) {
  return fmin(a, b);
}
inline double max(double a, double b) {
  return fmax(a, b);
}
inline double min(float a, double b) {
  return fmin(double(a), b);
}
inline double min(double a, float b) {
  return fmin(a, double(b));
}
inline double max(float a, double b) {
  return fmax(double(a), b);
}
inline double max(double a, float b) {
  return fmax(a, double(b));
}

inline float __expf(float x) {
  return expf(x);
}
inline float __exp10f(float x) {
  return exp10f(x);
}
inline float __tanhf(float x) {
  return tanhf(x);
}
inline float __logf(float x) {
  return logf(x);
}
inline float __log2f(float x) {
  return log2f(x);
}
inline float __log10f(float x) {
  return log10f(x);
}
inline float __sinf(float x) {
  return sinf(x);
}
inline float __cosf(float x) {
  return cosf(x);
}
inline float __tanf(float x) {
  return tanf(x);
}
inline void __sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
inline float __powf(float x, float y) {
  return powf(x, y);
}
inline float __fdividef(float x, float y) {
  return x / y;
}
inline float fdividef(float x, float y) {
  return x / y;
}
// A NaN becomes 0.
inline float __saturatef(float x) {
  return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
}
