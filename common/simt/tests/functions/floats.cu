#include <math_constants.h>

#include "tests/functions/floats.h"

namespace floats {

#define ALL_MODES(name, ...)                                      \
  *to++ = name##_rn(__VA_ARGS__), *to++ = name##_rz(__VA_ARGS__); \
  *to++ = name##_ru(__VA_ARGS__), *to++ = name##_rd(__VA_ARGS__);

__global__ void float_kernel(const float* a, const float* b, const float* c, float* out,
                             int count) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  float* to = out + i * 28;
  const float x = a[i], y = b[i], z = c[i];
  ALL_MODES(__fadd, x, y)
  ALL_MODES(__fsub, x, y)
  ALL_MODES(__fmul, x, y)
  ALL_MODES(__fdiv, x, y)
  ALL_MODES(__frcp, y)
  ALL_MODES(__fsqrt, fabsf(x))
  ALL_MODES(__fmaf, x, y, z)
}

void arithmetic(const float* a, const float* b, const float* c, float* out, int count) {
  float_kernel<<<1, 64>>>(a, b, c, out, count);
}

__global__ void double_kernel(const double* a, const double* b, const double* c, double* out,
                              int count) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  double* to = out + i * 28;
  const double x = a[i], y = b[i], z = c[i];
  ALL_MODES(__dadd, x, y)
  ALL_MODES(__dsub, x, y)
  ALL_MODES(__dmul, x, y)
  ALL_MODES(__ddiv, x, y)
  ALL_MODES(__drcp, y)
  ALL_MODES(__dsqrt, fabs(x))
  ALL_MODES(__fma, x, y, z)
}

void arithmetic(const double* a, const double* b, const double* c, double* out, int count) {
  double_kernel<<<1, 64>>>(a, b, c, out, count);
}

__global__ void unfused_kernel(float x, float y, float* out) {
  const float product = __fmul_rn(x, y);
  *out++ = __fadd_rn(x * y, -product);
  *out++ = __fadd_rn(-product, x * y);
  *out++ = __fsub_rn(x * y, product);
  *out++ = __fsub_rn(product, x * y);
  *out++ = __fmul_rn(x, y) - product;
  *out++ = __fmaf_rn(x, y, -product);
}

void unfused(float x, float y, float* out) {
  unfused_kernel<<<1, 1>>>(x, y, out);
}

__global__ void fast_kernel(float x, float y, float* out) {
  *out++ = __expf(x);
  *out++ = __exp10f(x);
  *out++ = __logf(x);
  *out++ = __log2f(x);
  *out++ = __log10f(x);
  *out++ = __sinf(x);
  *out++ = __cosf(x);
  *out++ = __tanf(x);
  *out++ = __tanhf(x);
  *out++ = __powf(x, y);
  *out++ = __fdividef(x, y);
  *out++ = fdividef(x, y);
  *out++ = __saturatef(x) + __saturatef(-x) + __saturatef(5) + __saturatef(nanf(""));
  __sincosf(x, &out[0], &out[1]);
  out += 2;
  *out++ = __frsqrt_rn(x);
  *out++ = rsqrtf(x);
}

void fast(float x, float y, float* out) {
  fast_kernel<<<1, 1>>>(x, y, out);
}

#define BOTH(name) *out++ = name(x), *out++ = name##f(float(x));

__global__ void special_kernel(double x, double* out) {
  *out++ = rsqrt(x);
  BOTH(rcbrt)
  BOTH(normcdf)
  BOTH(normcdfinv)
  BOTH(erfinv)
  BOTH(erfcinv)
  BOTH(erfcx)
  BOTH(sinpi)
  BOTH(cospi)
  BOTH(cyl_bessel_i0)
  BOTH(cyl_bessel_i1)
  float sine, cosine;
  sincospi(x, &out[0], &out[1]);
  sincospif(float(x), &sine, &cosine);
  out[2] = sine;
  out[3] = cosine;
}

void special(double x, double* out) {
  special_kernel<<<1, 1>>>(x, out);
}

__global__ void lengths_kernel(float* out) {
  const float f[4] = {1, 2, 4, 10};
  const double d[4] = {1, 2, 4, 10};
  *out++ = float(rhypot(3.0, 4.0) * 5);
  *out++ = rhypotf(3, 4) * 5;
  *out++ = float(norm3d(2.0, 3.0, 6.0));
  *out++ = norm3df(2, 3, 6);
  *out++ = float(rnorm3d(2.0, 3.0, 6.0) * 7);
  *out++ = rnorm3df(2, 3, 6) * 7;
  *out++ = float(norm4d(1.0, 2.0, 4.0, 10.0));
  *out++ = norm4df(1, 2, 4, 10);
  *out++ = float(rnorm4d(1.0, 2.0, 4.0, 10.0) * 11);
  *out++ = rnorm4df(1, 2, 4, 10) * 11;
  *out++ = float(norm(4, d));
  *out++ = normf(4, f);
  *out++ = float(rnorm(4, d) * 11);
  *out++ = rnormf(4, f) * 11;
}

__global__ void constants_kernel(float* out) {
  *out++ = CUDART_INF_F;
  *out++ = CUDART_MAX_NORMAL_F;
  *out++ = CUDART_PI_F;
  *out++ = float(CUDART_PI * CUDART_LN2);
}

void constants(float* out) {
  constants_kernel<<<1, 1>>>(out);
}

void lengths(float* out) {
  lengths_kernel<<<1, 1>>>(out);
}

}  // namespace floats
