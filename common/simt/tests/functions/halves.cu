#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "tests/functions/halves.h"

namespace halves {

// What the functions of the two types are called.
template <typename H>
struct Kind;
template <>
struct Kind<__half> {
  using Pair = __half2;
  static __device__ Pair pair(__half x, __half y) { return __halves2half2(x, y); }
  static __device__ __half low(Pair v) { return __low2half(v); }
  static __device__ __half high(Pair v) { return __high2half(v); }
  static __device__ unsigned short bits(__half x) { return __half_as_ushort(x); }
  static __device__ __half of(float x) { return __float2half(x); }
};
template <>
struct Kind<__nv_bfloat16> {
  using Pair = __nv_bfloat162;
  static __device__ Pair pair(__nv_bfloat16 x, __nv_bfloat16 y) { return __halves2bfloat162(x, y); }
  static __device__ __nv_bfloat16 low(Pair v) { return __low2bfloat16(v); }
  static __device__ __nv_bfloat16 high(Pair v) { return __high2bfloat16(v); }
  static __device__ unsigned short bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
  static __device__ __nv_bfloat16 of(float x) { return __float2bfloat16(x); }
};

// A result of single numbers, or of pairs, of which both parts are written one after the other.
template <typename H>
struct Writer {
  unsigned short* to;
  __device__ void operator()(H x) { *to++ = Kind<H>::bits(x); }
  __device__ void operator()(bool x) { *to++ = x; }
  __device__ void operator()(int x) { *to++ = static_cast<unsigned short>(x); }
};
template <typename H>
struct PairWriter {
  unsigned short *low, *high;
  __device__ void operator()(typename Kind<H>::Pair v) {
    *low++ = Kind<H>::bits(Kind<H>::low(v));
    *high++ = Kind<H>::bits(Kind<H>::high(v));
  }
  __device__ void operator()(unsigned mask) {
    *low++ = mask & 0xffff;
    *high++ = mask >> 16;
  }
};

template <typename H>
__global__ void of_one_kernel(const float* a, unsigned short* out, int count) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  Writer<H> write{out + i * kOfOne};
  const H x = Kind<H>::of(a[i]);
  write(__hneg(x)), write(__habs(x)), write(__hisnan(x)), write(__hisinf(x));
  write(hceil(x)), write(hfloor(x)), write(htrunc(x)), write(hrint(x)), write(hsqrt(x));
  write(hrsqrt(x)), write(hrcp(x)), write(hexp(x)), write(hexp2(x)), write(hexp10(x));
  write(hlog(x)), write(hlog2(x)), write(hlog10(x)), write(hsin(x)), write(hcos(x));
  write(htanh(x)), write(htanh_approx(x)), write(-x), write(+x);
  H y = x, z = x;
  ++y, --z;
  write(y), write(z);
  write(H(y++ - z--));
}

template <typename H>
__global__ void of_one_pair_kernel(const float* a, unsigned short* out, int count) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  PairWriter<H> write{out + 2 * i * kOfOne, out + (2 * i + 1) * kOfOne};
  const auto x = Kind<H>::pair(Kind<H>::of(a[i]), Kind<H>::of(-a[i]));
  write(__hneg2(x)), write(__habs2(x)), write(__hisnan2(x)), write(x);
  write(h2ceil(x)), write(h2floor(x)), write(h2trunc(x)), write(h2rint(x)), write(h2sqrt(x));
  write(h2rsqrt(x)), write(h2rcp(x)), write(h2exp(x)), write(h2exp2(x)), write(h2exp10(x));
  write(h2log(x)), write(h2log2(x)), write(h2log10(x)), write(h2sin(x)), write(h2cos(x));
  write(h2tanh(x)), write(h2tanh_approx(x)), write(-x), write(+x);
  auto y = x, z = x;
  ++y, --z;
  write(y), write(z), write(__lowhigh2highlow(x));
}

template <typename H>
__global__ void of_two_kernel(const float* a, const float* b, unsigned short* out, int count) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  Writer<H> write{out + i * kOfTwo};
  const H x = Kind<H>::of(a[i]), y = Kind<H>::of(b[i]);
  write(__hadd(x, y)), write(__hsub(x, y)), write(__hmul(x, y)), write(__hdiv(x, y));
  write(__hadd_rn(x, y)), write(__hsub_rn(x, y)), write(__hmul_rn(x, y));
  write(__hadd_sat(x, y)), write(__hsub_sat(x, y)), write(__hmul_sat(x, y));
  write(__hmax(x, y)), write(__hmin(x, y)), write(__hmax_nan(x, y)), write(__hmin_nan(x, y));
  write(__heq(x, y)), write(__hne(x, y)), write(__hlt(x, y)), write(__hle(x, y));
  write(__hgt(x, y)), write(__hge(x, y)), write(__hequ(x, y)), write(__hneu(x, y));
  write(__hltu(x, y)), write(__hleu(x, y)), write(__hgtu(x, y)), write(__hgeu(x, y));
  write(x + y), write(x - y), write(x * y), write(x / y);
  write(x == y), write(x != y), write(x < y), write(x <= y), write(x > y), write(x >= y);
  H sum = x, difference = x, product = x, quotient = x;
  sum += y, difference -= y, product *= y, quotient /= y;
  write(sum), write(difference), write(product), write(quotient);
}

template <typename H>
__global__ void of_two_pair_kernel(const float* a, const float* b, unsigned short* out, int count) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  PairWriter<H> write{out + 2 * i * kOfTwo, out + (2 * i + 1) * kOfTwo};
  const auto x = Kind<H>::pair(Kind<H>::of(a[i]), Kind<H>::of(-a[i]));
  const auto y = Kind<H>::pair(Kind<H>::of(b[i]), Kind<H>::of(-b[i]));
  write(__hadd2(x, y)), write(__hsub2(x, y)), write(__hmul2(x, y)), write(__h2div(x, y));
  write(__hadd2_rn(x, y)), write(__hsub2_rn(x, y)), write(__hmul2_rn(x, y));
  write(__hadd2_sat(x, y)), write(__hsub2_sat(x, y)), write(__hmul2_sat(x, y));
  write(__hmax2(x, y)), write(__hmin2(x, y)), write(__hmax2_nan(x, y));
  write(__hmin2_nan(x, y));
  write(__heq2_mask(x, y)), write(__hne2_mask(x, y)), write(__hlt2_mask(x, y));
  write(__hle2_mask(x, y)), write(__hgt2_mask(x, y)), write(__hge2_mask(x, y));
  write(__hequ2_mask(x, y)), write(__hneu2_mask(x, y)), write(__hltu2_mask(x, y));
  write(__hleu2_mask(x, y)), write(__hgtu2_mask(x, y)), write(__hgeu2_mask(x, y));
  write(x + y), write(x - y), write(x * y), write(x / y);
  write(__heq2(x, y)), write(__hne2(x, y)), write(__hltu2(x, y)), write(__hle2(x, y));
  write(__hgt2(x, y)), write(__hgeu2(x, y));
  auto sum = x, difference = x;
  sum += y, difference -= y;
  write(sum), write(difference);
  const unsigned both = __hbeq2(x, y) | __hbne2(x, y) << 1 | __hblt2(x, y) << 2 |
                        __hble2(x, y) << 3 | __hbgt2(x, y) << 4 | __hbge2(x, y) << 5;
  const unsigned either = __hbequ2(x, y) | __hbneu2(x, y) << 1 | __hbltu2(x, y) << 2 |
                          __hbleu2(x, y) << 3 | __hbgtu2(x, y) << 4 | __hbgeu2(x, y) << 5;
  const unsigned operators =
      (x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 | (x >= y) << 5;
  write(both | either << 16), write(operators);
}

template <typename H>
__global__ void of_three_kernel(const float* a, const float* b, const float* c, unsigned short* out,
                                int count, bool pairs) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  const H x = Kind<H>::of(a[i]), y = Kind<H>::of(b[i]), z = Kind<H>::of(c[i]);
  if (pairs) {
    PairWriter<H> write{out + 2 * i * kOfThree, out + (2 * i + 1) * kOfThree};
    const auto p = Kind<H>::pair(x, y), q = Kind<H>::pair(y, z), r = Kind<H>::pair(z, x);
    write(__hfma2(p, q, r)), write(__hfma2_sat(p, q, r)), write(__hcmadd(p, q, r));
  } else {
    Writer<H> write{out + i * kOfThree};
    write(__hfma(x, y, z)), write(__hfma_sat(x, y, z)), write(__hfma_relu(x, y, z));
  }
}

#define LAUNCH(kernel, blocks, ...)                    \
  if (kind == 0) {                                     \
    kernel<__half><<<1, blocks>>>(__VA_ARGS__);        \
  } else {                                             \
    kernel<__nv_bfloat16><<<1, blocks>>>(__VA_ARGS__); \
  }

void of_one(int kind, bool pairs, const float* a, unsigned short* out, int count) {
  if (pairs) {
    LAUNCH(of_one_pair_kernel, 256, a, out, count)
  } else {
    LAUNCH(of_one_kernel, 256, a, out, count)
  }
}

void of_two(int kind, bool pairs, const float* a, const float* b, unsigned short* out, int count) {
  if (pairs) {
    LAUNCH(of_two_pair_kernel, 256, a, b, out, count)
  } else {
    LAUNCH(of_two_kernel, 256, a, b, out, count)
  }
}

void of_three(int kind, bool pairs, const float* a, const float* b, const float* c,
              unsigned short* out,
              int count){LAUNCH(of_three_kernel, 256, a, b, c, out, count, pairs)}
#define PAIRING(h, H, H2)                                                            \
  const H one = __float2##h(1), two = __float2##h(2);                                \
  const H2 pair = make_##h##2(one, two), other = __floats2##h##2_rn(3, 4);           \
  const H2 all[] = {pair,                                                            \
                    other,                                                           \
                    __##h##2##h##2(two),                                             \
                    __float2##h##2_rn(5),                                            \
                    __float22##h##2_rn(make_float2(6, 7)),                           \
                    __low2##h##2(pair),                                              \
                    __high2##h##2(pair),                                             \
                    __lows2##h##2(pair, other),                                      \
                    __highs2##h##2(pair, other),                                     \
                    __lowhigh2highlow(other)};                                       \
  for (const H2& v : all) {                                                          \
    const float2 parts = __##h##22float2(v);                                         \
    *out++ = parts.x;                                                                \
    *out++ = parts.y == __high2float(v) && parts.x == __low2float(v) ? parts.y : -1; \
  }                                                                                  \
  *out++ = __##h##2float(__low2##h(other)) + __##h##2float(__high2##h(other));

__global__ void pairing_kernel(int kind, float* out) {
  if (kind == 0) {
    PAIRING(half, __half, __half2)
    const __half_raw raw = __float2half(1.5f);
    *out++ = __half2float(__half(raw));
    out[0] = __low2float(make_half2(__float2half(2), __float2half(3)));
  } else {
    PAIRING(bfloat16, __nv_bfloat16, __nv_bfloat162)
    const __nv_bfloat16_raw raw = __float2bfloat16(1.5f);
    *out++ = __bfloat162float(__nv_bfloat16(raw));
    out[0] = __low2float(make_bfloat162(__float2bfloat16(2), __float2bfloat16(3)));
  }
}

void pairing(int kind, float* out) {
  pairing_kernel<<<1, 1>>>(kind, out);
}

}  // namespace halves
