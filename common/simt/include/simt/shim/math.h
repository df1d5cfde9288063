// Device math that is not in <cmath>, and the overloads of min and max that CUDA puts in the global
// namespace. The fast intrinsics have the full precision of the function that they approximate.
#pragma once
#include <math.h>

#include <cmath>

#include "simt/api/qualifiers.h"

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
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
#undef SIMT_MIN_MAX

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

inline float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
inline float __expf(float x) {
  return expf(x);
}
inline float __tanhf(float x) {
  return tanhf(x);
}
inline float __logf(float x) {
  return logf(x);
}
inline float __sinf(float x) {
  return sinf(x);
}
inline float __cosf(float x) {
  return cosf(x);
}
inline float __powf(float x, float y) {
  return powf(x, y);
}
inline float __fdividef(float x, float y) {
  return x / y;
}
inline float __saturatef(float x) {
  return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
}
inline float __fmaf_rn(float a, float b, float c) {
  return fmaf(a, b, c);
}
// The asm keeps the compiler from fusing the product into a later sum.
inline float __fmul_rn(float a, float b) {
  float product = a * b;
  __asm__("" : SIMT_FLOAT_REGISTER(product));
  return product;
}
inline float __fadd_rn(float a, float b) {
  __asm__("" : SIMT_FLOAT_REGISTER(a));
  return a + b;
}
inline int __float2int_rn(float x) {
  return int(nearbyintf(x));
}
inline float __frcp_rn(float x) {
  return 1 / x;
}
inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(unsigned(x));
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
inline float __int_as_float(int x) {
  float y;
  __builtin_memcpy(&y, &x, 4);
  return y;
}
inline int __float_as_int(float x) {
  int y;
  __builtin_memcpy(&y, &x, 4);
  return y;
}
inline float __uint_as_float(unsigned x) {
  return __int_as_float(int(x));
}
inline unsigned __float_as_uint(float x) {
  return unsigned(__float_as_int(x));
}

// A load through the read-only path counts as any other load.
template <typename T>
__forceinline__ T __ldg(const T* address) {
  return *address;
}
