// DPX functions and PTX forms, each with its value in plain C++, for edge values and random ones. edges.cu computes the
// forms, edges_test.cpp the values.
#pragma once
#include <cstdint>

namespace edges {

// Each element: a call, and its value for the words a, b and c.
#define DPX_OF_WORDS(X, op, tag, T, relation)                                    \
  X(__viadd##op##_##tag##32(T(a), T(b), T(c)), std::op(T(a + b), T(c)))          \
  X(__vi##op##3_##tag##32(T(a), T(b), T(c)), std::op(std::op(T(a), T(b)), T(c))) \
  X(__vib##op##_##tag##32(T(a), T(b), &high), std::op(T(a), T(b)))               \
  X((__vib##op##_##tag##32(T(a), T(b), &high), high), T(a) relation T(b))
#define DPX_OF_PAIRS(X, op, tag, T, relation)                                       \
  X(__viadd##op##_##tag##16x2(a, b, c),                                             \
    each_half<T>(a, b, c, [](T x, T y, T z) { return std::op(T(x + y), z); }))      \
  X(__vi##op##3_##tag##16x2(a, b, c),                                               \
    each_half<T>(a, b, c, [](T x, T y, T z) { return std::op(std::op(x, y), z); })) \
  X(__vib##op##_##tag##16x2(a, b, &high, &low),                                     \
    each_half<T>(a, b, c, [](T x, T y, T) { return std::op(x, y); }))               \
  X((__vib##op##_##tag##16x2(a, b, &high, &low), high * 2 + low),                   \
    (T(a >> 16) relation T(b >> 16)) * 2 + (T(a) relation T(b)))
#define DPX_RELU(X, op)                                                                       \
  X(__viadd##op##_s32_relu(int(a), int(b), int(c)), std::max(std::op(int(a + b), int(c)), 0)) \
  X(__vi##op##3_s32_relu(int(a), int(b), int(c)),                                             \
    std::max(std::op(std::op(int(a), int(b)), int(c)), 0))                                    \
  X(__vi##op##_s32_relu(int(a), int(b)), std::max(std::op(int(a), int(b)), 0))                \
  X(__viadd##op##_s16x2_relu(a, b, c),                                                        \
    each_half<int16_t>(a, b, c, [](int16_t x, int16_t y, int z) {                             \
      return std::max(std::op(int(int16_t(x + y)), z), 0);                                    \
    }))                                                                                       \
  X(__vi##op##3_s16x2_relu(a, b, c), each_half<int16_t>(a, b, c, [](int x, int y, int z) {    \
      return std::max(std::op(std::op(x, y), z), 0);                                          \
    }))                                                                                       \
  X(__vi##op##_s16x2_relu(a, b),                                                              \
    each_half<int16_t>(a, b, c, [](int x, int y, int) { return std::max(std::op(x, y), 0); }))
#define DPX_FUNCTIONS(X)                \
  DPX_OF_WORDS(X, max, s, int, >=)      \
  DPX_OF_WORDS(X, max, u, unsigned, >=) \
  DPX_OF_WORDS(X, min, s, int, <=)      \
  DPX_OF_WORDS(X, min, u, unsigned, <=) \
  DPX_OF_PAIRS(X, max, s, int16_t, >=)  \
  DPX_OF_PAIRS(X, max, u, uint16_t, >=) \
  DPX_OF_PAIRS(X, min, s, int16_t, <=)  \
  DPX_OF_PAIRS(X, min, u, uint16_t, <=) \
  DPX_RELU(X, max)                      \
  DPX_RELU(X, min)

// A text that writes %0, and what it writes. %1 to %3 are a, b and c; %4 and %5 are x and y, the bits of a and b as
// floats. s() makes a word signed, limited() saturates it.
#define WORD_FORMS(X)                                                                              \
  X("mul24.lo.s32 %0, %1, %2;", low24(a) * low24(b))                                               \
  X("mul24.hi.s32 %0, %1, %2;", low24(a) * low24(b) >> 16)                                         \
  X("mul24.hi.u32 %0, %1, %2;", uint64_t(a & 0xffffff) * (b & 0xffffff) >> 16)                     \
  X("mad24.lo.s32 %0, %1, %2, %3;", low24(a) * low24(b) + c)                                       \
  X("mad24.lo.u32 %0, %1, %2, %3;", (a & 0xffffff) * (b & 0xffffff) + c)                           \
  X("mad24.hi.s32 %0, %1, %2, %3;", (low24(a) * low24(b) >> 16) + c)                               \
  X("mad24.hi.u32 %0, %1, %2, %3;", (uint64_t(a & 0xffffff) * (b & 0xffffff) >> 16) + c)           \
  X("mad24.hi.sat.s32 %0, %1, %2, %3;", limited((low24(a) * low24(b) >> 16) + s(c)))               \
  X("mad.hi.s32 %0, %1, %2, %3;", (s(a) * s(b) >> 32) + c)                                         \
  X("mad.hi.sat.s32 %0, %1, %2, %3;", limited((s(a) * s(b) >> 32) + s(c)))                         \
  X("sad.s32 %0, %1, %2, %3;", std::abs(s(a) - s(b)) + c)                                          \
  X("sad.u32 %0, %1, %2, %3;", std::max(a, b) - std::min(a, b) + c)                                \
  X("{ .reg .b8 p, q, r, t; mov.b32 {p, q, r, t}, %1; mov.b32 %0, {t, r, q, p}; }",                \
    __builtin_bswap32(a))                                                                          \
  X("cnot.b32 %0, %1;", a == 0)                                                                    \
  X("slct.u32.s32 %0, %1, %2, %3;", s(c) >= 0 ? a : b)                                             \
  X("slct.b32.f32 %0, %2, %3, %4;", x >= 0 ? b : c)                                                \
  X("slct.ftz.s32.f32 %0, %2, %3, %4;", x > -0x1p-126f ? b : c)                                    \
  X("min.s32.relu %0, %1, %2;", std::max(std::min(s(a), s(b)), int64_t(0)))                        \
  X("max.relu.s32 %0, %1, %2;", std::max({s(a), s(b), int64_t(0)}))                                \
  X("min.s16x2.relu %0, %1, %2;",                                                                  \
    each_half<int16_t>(a, b, c, [](int x, int y, int) { return std::max(std::min(x, y), 0); }))    \
  X("max.relu.s16x2 %0, %1, %2;", each_half<int16_t>(a, b, c, [](int x, int y, int) {              \
      return std::max({x, y, 0});                                                                  \
    }))                                                                                            \
  X("min.u16x2 %0, %1, %2;",                                                                       \
    each_half<uint16_t>(a, b, c, [](int x, int y, int) { return std::min(x, y); }))                \
  X("add.s16x2 %0, %1, %2;", each_half<int16_t>(a, b, c, [](int x, int y, int) { return x + y; })) \
  X("add.sat.s32 %0, %1, %2;", limited(s(a) + s(b)))                                               \
  X("sub.sat.s32 %0, %1, %2;", limited(s(a) - s(b)))                                               \
  X("{ .reg .b32 t; or.b32 t, %2, 1; div.s32 %0, %1, t; }", s(a) / s(b | 1))                       \
  X("{ .reg .b32 t; or.b32 t, %2, 1; rem.s32 %0, %1, t; }", s(a) % s(b | 1))                       \
  X("{ .reg .b32 t; or.b32 t, %2, 1; div.u32 %0, %1, t; }", a / (b | 1))                           \
  X("abs.s32 %0, %1;", std::abs(s(a)))                                                             \
  X("shl.b32 %0, %1, %3;", c > 31 ? 0 : a << c)                                                    \
  X("shr.u32 %0, %1, %3;", c > 31 ? 0 : a >> c)                                                    \
  X("shr.s32 %0, %1, %3;", s(a) >> std::min(c, 31u))                                               \
  X("shf.l.clamp.b32 %0, %1, %2, %3;", (uint64_t(b) << 32 | a) << std::min(c, 32u) >> 32)          \
  X("shf.l.wrap.b32 %0, %1, %2, %3;", (uint64_t(b) << 32 | a) << (c & 31) >> 32)                   \
  X("shf.r.clamp.b32 %0, %1, %2, %3;", (uint64_t(b) << 32 | a) >> std::min(c, 32u))                \
  X("shf.r.wrap.b32 %0, %1, %2, %3;", (uint64_t(b) << 32 | a) >> (c & 31))                         \
  X("bfe.u32 %0, %1, %2, %3;", field(a, b, c))                                                     \
  X("bfe.s32 %0, %1, %2, %3;", signed_field(a, b, c))                                              \
  X("bfi.b32 %0, %1, %2, 20, %3;", (b & ~(ones(c & 255) << 20)) | (a & ones(c & 255)) << 20)       \
  X("bmsk.clamp.b32 %0, %1, %2;", ones(b) << std::min(a, 32u))                                     \
  X("bmsk.wrap.b32 %0, %1, %2;", ones(b & 31) << (a & 31))                                         \
  X("szext.clamp.u32 %0, %1, %2;", a& ones(b))                                                     \
  X("szext.wrap.u32 %0, %1, %2;", a& ones(b & 31))                                                 \
  X("szext.clamp.s32 %0, %1, %2;", signed_field(a, 0, std::min(b, 32u)))                           \
  X("szext.wrap.s32 %0, %1, %2;", signed_field(a, 0, b & 31))                                      \
  X("fns.b32 %0, %1, 3, 2;", second_bit(a, 3))                                                     \
  X("bfind.s32 %0, %1;", a + 1 < 2 ? ~0 : 31 - __builtin_clz(a >> 31 != 0 ? ~a : a))               \
  X("bfind.shiftamt.s32 %0, %1;", a + 1 < 2 ? ~0 : __builtin_clz(a >> 31 != 0 ? ~a : a))           \
  X("prmt.b32 %0, %1, %2, %3;", bytes(a, b, [&](int i) { return c >> 4 * i & 15; }))               \
  X("prmt.b32.f4e %0, %1, %2, %3;", bytes(a, b, [&](int i) { return (c & 3) + i; }))               \
  X("prmt.b32.b4e %0, %1, %2, %3;", bytes(a, b, [&](int i) { return ((c & 3) - i) & 7; }))         \
  X("prmt.b32.rc8 %0, %1, %2, %3;", bytes(a, b, [&](int) { return c & 3; }))                       \
  X("prmt.b32.ecl %0, %1, %2, %3;", bytes(a, b, [&](int i) { return std::max(int(c & 3), i); }))   \
  X("prmt.b32.ecr %0, %1, %2, %3;", bytes(a, b, [&](int i) { return std::min(int(c & 3), i); }))   \
  X("prmt.b32.rc16 %0, %1, %2, %3;", bytes(a, b, [&](int i) { return (c & 1) * 2 + i % 2; }))      \
  X("{ .reg .pred p; setp.eq.s32 p, %2, %3; lop3.or.b32 %0|p, %1, %2, %3, 0x80, p; @p add.u32 "    \
    "%0, "                                                                                         \
    "%0, 1; }",                                                                                    \
    (a & b & c) + ((a & b & c) != 0 || b == c))                                                    \
  X("{ .reg .pred p; setp.ne.s32 p, %2, %3; lop3.and.b32 _|p, %1, %2, %3, 0xfe, p; selp.u32 %0, "  \
    "1, 0, p; }",                                                                                  \
    (a | b | c) != 0 && b != c)                                                                    \
  X("dp4a.s32.u32 %0, %1, %2, %3;", (dot<int8_t, uint8_t, 4>(a, b) + c))                           \
  X("dp4a.u32.u32 %0, %1, %2, %3;", (dot<uint8_t, uint8_t, 4>(a, b) + c))                          \
  X("dp4a.s32.s32 %0, %1, %2, %3;", (dot<int8_t, int8_t, 4>(a, b) + c))                            \
  X("dp2a.lo.s32.u32 %0, %1, %2, %3;", (dot<int16_t, uint8_t, 2>(a, b) + c))                       \
  X("dp2a.hi.u32.s32 %0, %1, %2, %3;", (dot<uint16_t, int8_t, 2>(a, b >> 16) + c))                 \
  X("set.lt.u32.s32 %0, %1, %2;", s(a) < s(b) ? -1 : 0)                                            \
  X("{ .reg .pred p; setp.hs.u32 p, %1, %2; set.gt.xor.u32.f32 %0, %4, %5, p; }",                  \
    (x > y) != (a >= b) ? -1 : 0)                                                                  \
  X("set.neu.s32.f32 %0, %4, %5;", x != y ? -1 : 0)                                                \
  X("{ .reg .pred p; setp.ne.f32 p, %4, %5; selp.u32 %0, 1, 0, p; }", x<y || x> y)                 \
  X("{ .reg .pred p; setp.leu.f32 p, %4, %5; selp.u32 %0, 1, 0, p; }", !(x > y))                   \
  X("{ .reg .pred p; setp.eq.ftz.f32 p, %4, 0f00000000; selp.u32 %0, 1, 0, p; }", flushed(x) == 0) \
  X("{ .reg .pred p; testp.finite.f32 p, %4; selp.u32 %0, 1, 0, p; }", std::isfinite(x))           \
  X("{ .reg .pred p; testp.infinite.f32 p, %4; selp.u32 %0, 1, 0, p; }", std::isinf(x))            \
  X("{ .reg .pred p; testp.number.f32 p, %4; selp.u32 %0, 1, 0, p; }", !std::isnan(x))             \
  X("{ .reg .pred p; testp.notanumber.f32 p, %4; selp.u32 %0, 1, 0, p; }", std::isnan(x))          \
  X("{ .reg .pred p; testp.normal.f32 p, %4; selp.u32 %0, 1, 0, p; }", x == 0 || std::isnormal(x)) \
  X("{ .reg .pred p; testp.subnormal.f32 p, %4; selp.u32 %0, 1, 0, p; }",                          \
    flushed(x) != x && x == x)                                                                     \
  X("cvt.rpi.ftz.s32.f32 %0, %4;", limited(std::ceil(std::isnan(x) ? 0.0 : flushed(x))))

// The result is a float. Any NaN is as good as another.
#define FLOAT_FORMS(X)                                                            \
  X("neg.ftz.f32 %0, %4;", -flushed(x))                                           \
  X("abs.ftz.f32 %0, %4;", std::fabs(flushed(x)))                                 \
  X("abs.f32 %0, %4;", std::fabs(x))                                              \
  X("copysign.f32 %0, %4, %5;", std::copysign(y, x))                              \
  X("min.ftz.f32 %0, %4, %5;", least(flushed(x), flushed(y)))                     \
  X("max.f32 %0, %4, %5;", -least(-x, -y))                                        \
  X("min.NaN.f32 %0, %4, %5;", x != x || y != y ? NAN : least(x, y))              \
  X("min.xorsign.abs.f32 %0, %4, %5;",                                            \
    std::copysign(least(std::fabs(x), std::fabs(y)),                              \
                  std::signbit(x) == std::signbit(y) ? 1.0f : -1.0f))             \
  X("cvt.ftz.f32.f32 %0, %4;", flushed(x))                                        \
  X("{ .reg .pred p; setp.hi.u32 p, %1, %2; set.le.and.f32.f32 %0, %4, %5, p; }", \
    x <= y && a > b ? 1.0f : 0.0f)

// %1 to %3 are k, l and m, %4 is a; sk and sl are k and l with their signs.
#define LONG_FORMS(X)                                                                            \
  X("{ .reg .f32 t; mov.b32 t, %4; cvt.rzi.s64.f32 %0, t; }", truncated(x))                      \
  X("{ .reg .f64 t; .reg .b32 r; mov.b64 t, %1; cvt.rzi.s32.f64 r, t; cvt.u64.u32 %0, r; }",     \
    truncated_word(k))                                                                           \
  X("cnot.b64 %0, %1;", k == 0)                                                                  \
  X("slct.u64.s32 %0, %1, %2, %4;", s(a) >= 0 ? k : l)                                           \
  X("sad.u64 %0, %1, %2, %3;", std::max(k, l) - std::min(k, l) + m)                              \
  X("sad.s64 %0, %1, %2, %3;", (sk < sl ? l - k : k - l) + m)                                    \
  X("mul.hi.s64 %0, %1, %2;", uint64_t(Wide(sk) * sl >> 64))                                     \
  X("mad.hi.s64 %0, %1, %2, %3;", uint64_t(Wide(sk) * sl >> 64) + m)                             \
  X("{ .reg .b64 t; or.b64 t, %2, 1; div.s64 %0, %1, t; }", uint64_t(Wide(sk) / int64_t(l | 1))) \
  X("{ .reg .b64 t; or.b64 t, %2, 1; rem.u64 %0, %1, t; }", k % (l | 1))                         \
  X("abs.s64 %0, %1;", sk < 0 ? 0 - k : k)                                                       \
  X("min.s64 %0, %1, %2;", uint64_t(std::min(sk, sl)))                                           \
  X("shl.b64 %0, %1, %4;", a > 63 ? 0 : k << a)                                                  \
  X("shr.u64 %0, %1, %4;", a > 63 ? 0 : k >> a)                                                  \
  X("shr.s64 %0, %1, %4;", uint64_t(sk >> std::min(a, 63u)))                                     \
  X("mul.wide.s32 %0, %4, %4;", uint64_t(s(a) * s(a)))                                           \
  X("mad.wide.s32 %0, %4, %4, %1;", uint64_t(s(a) * s(a)) + k)

// %1 to %3 are h, i and j, the lower halves of a, b and c; %4 is c.
#define HALF_FORMS(X)                                                                    \
  X("{ .reg .b8 p, q; mov.b16 {p, q}, %1; mov.b16 %0, {q, p}; }", h << 8 | h >> 8)       \
  X("cnot.b16 %0, %1;", h == 0)                                                          \
  X("slct.b16.s32 %0, %1, %2, %4;", s(c) >= 0 ? h : i)                                   \
  X("sad.s16 %0, %1, %2, %3;", std::abs(int16_t(h) - int16_t(i)) + j)                    \
  X("sad.u16 %0, %1, %2, %3;", std::abs(h - i) + j)                                      \
  X("mul.hi.s16 %0, %1, %2;", int16_t(h) * int16_t(i) >> 16)                             \
  X("mul.lo.u16 %0, %1, %2;", unsigned(h) * i)                                           \
  X("mad.hi.u16 %0, %1, %2, %3;", (unsigned(h) * i >> 16) + j)                           \
  X("{ .reg .b16 t; or.b16 t, %2, 1; div.s16 %0, %1, t; }", int16_t(h) / int16_t(i | 1)) \
  X("abs.s16 %0, %1;", std::abs(int16_t(h)))                                             \
  X("min.s16 %0, %1, %2;", std::min(int16_t(h), int16_t(i)))                             \
  X("max.u16 %0, %1, %2;", std::max(h, i))                                               \
  X("shr.s16 %0, %1, %4;", int16_t(h) >> std::min(c, 15u))                               \
  X("shl.b16 %0, %1, %4;", c > 15 ? 0 : h << c)

// For words[3 * i] to words[3 * i + 2]: results[n * count + i] is the value of form number n, in the order of the
// lists. count: a multiple of 32.
void compute(const uint32_t* words, uint64_t* results, unsigned count);

}  // namespace edges
