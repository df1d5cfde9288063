#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "tests/functions/halves.h"

namespace halves {

#define TO_ALL(h, i)                                                                     \
  *to++ = __##h##2##i##_rn(x), *to++ = __##h##2##i##_rz(x), *to++ = __##h##2##i##_ru(x), \
  *to++ = __##h##2##i##_rd(x);
#define TO_INTEGERS(h)                                                                        \
  TO_ALL(h, int)                                                                              \
  TO_ALL(h, uint)                                                                             \
  TO_ALL(h, short) TO_ALL(h, ushort) TO_ALL(h, ll) TO_ALL(h, ull)* to++ = __##h##2char_rz(x); \
  *to++ = __##h##2uchar_rz(x);                                                                \
  *to++ = __##h##_as_short(x);                                                                \
  *to++ = __##h##_as_ushort(__ushort_as_##h(__##h##_as_ushort(x)));                           \
  *to++ = __##h##_as_short(__short_as_##h(__##h##_as_short(x)));                              \
  *to++ = int(__##h##2float(x)*4);

__global__ void to_integers_kernel(int kind, const float* a, long long* out, int count) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  long long* to = out + i * kInteger;
  if (kind == 0) {
    const __half x = __float2half_rn(a[i]);
    TO_INTEGERS(half)
  } else {
    const __nv_bfloat16 x = __float2bfloat16_rn(a[i]);
    TO_INTEGERS(bfloat16)
  }
}

void to_integers(int kind, const float* a, long long* out, int count) {
  to_integers_kernel<<<1, 256>>>(kind, a, out, count);
}

#define FROM(h, i, T)                                \
  *to++ = __##h##_as_ushort(__##i##2##h##_rn(T(x))); \
  *to++ = __##h##_as_ushort(__##i##2##h##_rz(T(x))); \
  *to++ = __##h##_as_ushort(__##i##2##h##_ru(T(x))); \
  *to++ = __##h##_as_ushort(__##i##2##h##_rd(T(x)));
typedef unsigned long long Unsigned64;
#define FROM_INTEGERS(h)  \
  FROM(h, int, int)       \
  FROM(h, uint, unsigned) \
  FROM(h, short, short) FROM(h, ushort, ushort) FROM(h, ll, long) FROM(h, ull, Unsigned64)

__global__ void from_integers_kernel(int kind, const long long* a, unsigned short* out, int count) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  unsigned short* to = out + i * kInteger;
  const long long x = a[i];
  if (kind == 0) {
    FROM_INTEGERS(half)
  } else {
    FROM_INTEGERS(bfloat16)
  }
}

void from_integers(int kind, const long long* a, unsigned short* out, int count) {
  from_integers_kernel<<<1, 256>>>(kind, a, out, count);
}

__global__ void from_floats_kernel(int kind, const float* a, unsigned short* out, int count) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  unsigned short* to = out + i * 5;
  const float x = a[i];
  if (kind == 0) {
    FROM(half, float, float)
    *to++ = __half_as_ushort(__double2half(x));
  } else {
    FROM(bfloat16, float, float)
    *to++ = __bfloat16_as_ushort(__double2bfloat16(x));
  }
}

void from_floats(int kind, const float* a, unsigned short* out, int count) {
  from_floats_kernel<<<1, 256>>>(kind, a, out, count);
}

__global__ void eights_kernel(const float* a, float* out, int count) {
  const int i = int(threadIdx.x);
  if (i >= count) return;
  const float x = a[i];
  float* to = out + i * 8;
  *to++ = float(__nv_fp8_e4m3(x));
  *to++ = float(__nv_fp8_e5m2(double(x)));
  const auto back = [](unsigned char bits, __nv_fp8_interpretation_t kind) {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(bits, kind)));
  };
  *to++ = back(__nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3), __NV_E4M3);
  *to++ = back(__nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E5M2), __NV_E5M2);
  const float2 two = float2(__nv_fp8x2_e4m3(make_float2(x, -x)));
  *to++ = two.x == -two.y || x != x ? two.x : -77;
  const float4 four = float4(__nv_fp8x4_e5m2(make_float4(x, 1, 2, x)));
  *to++ = (four.x == four.w && four.y == 1 && four.z == 2) || x != x ? four.x : -77;
  const __half2 halves = __floats2half2_rn(x, 1);
  const __nv_fp8x2_e4m3 eights(halves);
  const __half2 again = __half2(__nv_cvt_fp8x2_to_halfraw2(eights.__x, __NV_E4M3));
  *to++ =
      __nv_cvt_halfraw_to_fp8(__low2half(halves), __NV_SATFINITE, __NV_E4M3) == (eights.__x & 255)
          ? __low2float(again)
          : -77;
  *to++ =
      back(__nv_cvt_bfloat16raw_to_fp8(__float2bfloat16(x), __NV_SATFINITE, __NV_E5M2), __NV_E5M2);
}

void eights(const float* a, float* out, int count) {
  eights_kernel<<<1, 256>>>(a, out, count);
}

}  // namespace halves
