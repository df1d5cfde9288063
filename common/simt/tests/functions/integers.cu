#include "tests/functions/integers.h"

namespace integers {

__global__ void bits_kernel(unsigned long long* out, unsigned x, unsigned long long wide) {
  *out++ = __popc(x);
  *out++ = __popcll(wide);
  *out++ = __clz(int(x));
  *out++ = __clzll(static_cast<long long>(wide));
  *out++ = __clz(0) + __clzll(0);
  *out++ = __ffs(int(x));
  *out++ = __ffsll(static_cast<long long>(wide));
  *out++ = __ffs(0) + __ffsll(0);
  *out++ = __brev(x);
  *out++ = __brevll(wide);
  *out++ = __byte_perm(x, 0x80c0e0f0, 0x7310);
  *out++ = __byte_perm(x, 0x80c0e0f0, 0xcb98);
  *out++ = __funnelshift_l(x, 0xf0000001, 36);
  *out++ = __funnelshift_lc(x, 0xf0000001, 36);
  *out++ = __funnelshift_r(x, 0xf0000001, 36);
  *out++ = __funnelshift_rc(x, 0xf0000001, 36);
  *out++ = __funnelshift_l(x, 0xf0000001, 0);
  *out++ = __fns(x, 2, 1);
  *out++ = __fns(x, 31, -2);
  *out++ = __fns(x, 0, 33);
}

void bits(unsigned long long* out, unsigned x, unsigned long long wide) {
  bits_kernel<<<1, 1>>>(out, x, wide);
}

__global__ void products_kernel(long long* out, int x, int y, long long wide) {
  *out++ = __mul24(x, y);
  *out++ = __umul24(unsigned(x), unsigned(y));
  *out++ = __mulhi(x, y);
  *out++ = __umulhi(unsigned(x), unsigned(y));
  *out++ = __mul64hi(wide, x);
  *out++ = static_cast<long long>(__umul64hi(static_cast<unsigned long long>(wide), ~0ull));
  *out++ = __sad(x, y, 5u);
  *out++ = __usad(unsigned(x), unsigned(y), 5u);
  *out++ = __hadd(x, y);
  *out++ = __rhadd(x, y);
  *out++ = __uhadd(unsigned(x), unsigned(y));
  *out++ = __urhadd(unsigned(x), unsigned(y));
}

void products(long long* out, int x, int y, long long wide) {
  products_kernel<<<1, 1>>>(out, x, y, wide);
}

__global__ void dots_kernel(int* out, unsigned a, unsigned b, int c) {
  *out++ = __dp4a(int(a), int(b), c);
  *out++ = int(__dp4a(a, b, unsigned(c)));
  *out++ = __dp2a_lo(int(a), int(b), c);
  *out++ = __dp2a_hi(int(a), int(b), c);
  *out++ = int(__dp2a_lo(a, b, unsigned(c)));
  *out++ = int(__dp2a_hi(a, b, unsigned(c)));
  *out++ = __dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, 7, 8), c);
  *out++ = int(__dp4a(make_uchar4(1, 2, 3, 255), make_uchar4(5, 6, 7, 255), unsigned(c)));
  *out++ = __dp2a_lo(make_short2(1000, -2), make_char4(5, 6, 7, 8), c);
  *out++ = int(__dp2a_hi(make_ushort2(1000, 65535), make_uchar4(5, 6, 7, 8), unsigned(c)));
}

void dots(int* out, unsigned a, unsigned b, int c) {
  dots_kernel<<<1, 1>>>(out, a, b, c);
}

#define ALL_PARTS(n)                                                                     \
  *out++ = __vadd##n(a, b), *out++ = __vsub##n(a, b), *out++ = __vaddss##n(a, b);        \
  *out++ = __vaddus##n(a, b), *out++ = __vsubss##n(a, b), *out++ = __vsubus##n(a, b);    \
  *out++ = __vavgs##n(a, b), *out++ = __vavgu##n(a, b), *out++ = __vhaddu##n(a, b);      \
  *out++ = __vmaxs##n(a, b), *out++ = __vmaxu##n(a, b), *out++ = __vmins##n(a, b);       \
  *out++ = __vminu##n(a, b), *out++ = __vabsdiffs##n(a, b);                              \
  *out++ = __vabsdiffu##n(a, b), *out++ = __vabs##n(a), *out++ = __vabsss##n(a);         \
  *out++ = __vneg##n(a), *out++ = __vnegss##n(a), *out++ = __vcmpeq##n(a, b);            \
  *out++ = __vcmpne##n(a, b), *out++ = __vcmpges##n(a, b), *out++ = __vcmpgeu##n(a, b);  \
  *out++ = __vcmpgts##n(a, b), *out++ = __vcmpgtu##n(a, b), *out++ = __vcmples##n(a, b); \
  *out++ = __vcmpleu##n(a, b), *out++ = __vcmplts##n(a, b), *out++ = __vcmpltu##n(a, b); \
  *out++ = __vseteq##n(a, b), *out++ = __vsetgts##n(a, b), *out++ = __vsetltu##n(a, b);  \
  *out++ = __vsads##n(a, b), *out++ = __vsadu##n(a, b);

__global__ void parts_kernel(unsigned* out, unsigned a, unsigned b) {
  ALL_PARTS(2)
  ALL_PARTS(4)
}

void parts(unsigned* out, unsigned a, unsigned b) {
  parts_kernel<<<1, 1>>>(out, a, b);
}

#define ALL_MODES(to, name, x) \
  *to++ = name##_rn(x), *to++ = name##_rz(x), *to++ = name##_ru(x), *to++ = name##_rd(x);

__global__ void conversions_kernel(long long* out, float x, double wide) {
  ALL_MODES(out, __float2int, x)
  ALL_MODES(out, __float2uint, x)
  ALL_MODES(out, __float2ll, x)
  ALL_MODES(out, __float2ull, x)
  ALL_MODES(out, __double2int, wide)
  ALL_MODES(out, __double2uint, wide)
  ALL_MODES(out, __double2ll, wide)
  ALL_MODES(out, __double2ull, wide)
  *out++ = __double2hiint(wide);
  *out++ = __double2loint(wide);
  *out++ = __double_as_longlong(__hiloint2double(__double2hiint(wide), __double2loint(wide)));
  *out++ = __double_as_longlong(__longlong_as_double(77));
  *out++ = __float_as_int(__int_as_float(5)) + __float_as_uint(__uint_as_float(6));
}

void conversions(long long* out, float x, double wide) {
  conversions_kernel<<<1, 1>>>(out, x, wide);
}

__global__ void to_floats_kernel(float* out, int x, long long wide) {
  ALL_MODES(out, __int2float, x)
  ALL_MODES(out, __uint2float, unsigned(x))
  ALL_MODES(out, __ll2float, wide)
  ALL_MODES(out, __ull2float, static_cast<unsigned long long>(wide))
  ALL_MODES(out, __double2float, x + 0.125)
  *out++ = float(__int2double_rn(x) - x + __uint2double_rn(unsigned(x)) - unsigned(x));
  const double down = __ll2double_rd(wide), up = __ll2double_ru(wide);
  *out++ = float(up - down);
  *out++ = float(__ll2double_rn(wide) - __ll2double_rz(wide));
  *out++ = float(__ull2double_ru(static_cast<unsigned long long>(wide)) - down);
}

void to_floats(float* out, int x, long long wide) {
  to_floats_kernel<<<1, 1>>>(out, x, wide);
}

__global__ void extremes_kernel(long long* out, double* floats) {
  *out++ = min(3u, 4) + max(3, 4u);
  *out++ = min(-3l, 4l) + max(-3ll, 4ll);
  *out++ = static_cast<long long>(max(3ull, 9ull) + min(7ul, 8ul));
  *out++ = umin(3u, 4u) + umax(7u, 9u) + make_uint3(0, 0, 1).z;
  *out++ = llmin(-3, 4) + llmax(-3, 4);
  *out++ = static_cast<long long>(ullmin(3, 4) + ullmax(3, 4));
  *floats++ = min(1.5f, 2.5) + max(1.5, 2.5f) + min(nanf(""), 4.0f) + max(1.0f, 2.0f);
}

void extremes(long long* out, double* floats) {
  extremes_kernel<<<1, 1>>>(out, floats);
}

}  // namespace integers
