// Instructions of one thread's registers: each form with what it gives on the host (values.cu, values_test.cpp).
#pragma once
#include <cstdint>

namespace values {

struct Inputs {
  uint32_t a, b, c;
  uint64_t k, l, m;
  float x, y, z;
  double s, t;
  uint16_t h, i, j;  // halves
  uint32_t p, q, r;  // two halves, two bfloat16, and two halves
};

// %0 is the result, %1 to %3 are a, b and c.
#define VALUES_OF_WORDS(X)                                                                        \
  X("add.u32 %0, %1, %2;", a + b)                                                                 \
  X("sub.s32 %0, %1, %2;", a - b)                                                                 \
  X("mul.lo.u32 %0, %1, %2;", a* b)                                                               \
  X("mul.hi.u32 %0, %1, %2;", uint32_t(uint64_t(a) * b >> 32))                                    \
  X("mul.hi.s32 %0, %1, %2;", uint32_t(int64_t(int32_t(a)) * int32_t(b) >> 32))                   \
  X("mad.lo.s32 %0, %1, %2, %3;", a* b + c)                                                       \
  X("mad.hi.u32 %0, %1, %2, %3;", uint32_t(uint64_t(a) * b >> 32) + c)                            \
  X("min.s32 %0, %1, %2;", uint32_t(int32_t(a) < int32_t(b) ? a : b))                             \
  X("max.u32 %0, %1, %2;", a < b ? b : a)                                                         \
  X("div.s32 %0, %1, 7;", uint32_t(int32_t(a) / 7))                                               \
  X("rem.u32 %0, %1, %3;", a % c)                                                                 \
  X("neg.s32 %0, %1;", 0 - a)                                                                     \
  X("abs.s32 %0, %1;", int32_t(a) < 0 ? 0 - a : a)                                                \
  X("vabsdiff4.u32.u32.u32.add %0, 0x01ff0305, 0x02000403, 7;", 7 + 1 + 255 + 1 + 2)              \
  X("vabsdiff4.u32.u32.u32 %0, 0x01ff0305, 0x02000403, %3;", 0x01ff0102)                          \
  X("vabsdiff2.s32.s32.s32.sat %0, 0x80000003, 0x7fff0005, 0;", 0x7fff0002)                       \
  X("vadd4.u32.u32.u32.sat %0, 0x01ff80f0, 0x01018011, 0;", 0x02ffffff)                           \
  X("vadd2.s32.s32.s32 %0, 0x7fff0001, 0x0001ffff, 0;", 0x80000000)                               \
  X("vsub4.s32.u32.u32 %0, 0x01020304, 0x02020202, 0;", 0xff000102)                               \
  X("vavrg4.u32.u32.u32 %0, 0x01ff0304, 0x02ff0407, 0;", 0x02ff0406)                              \
  X("vmin2.s32.s32.s32.add %0, 0xffff0003, 0x00050002, 9;", 9 - 1 + 2)                            \
  X("vmax.s32.s32.u32 %0, -3, %3;", c)                                                            \
  X("vsub.s32.u32.u32.sat %0, 0, 0xffffffff;", 0x80000000)                                        \
  X("vabsdiff.u32.s32.s32.max %0, 5, -7, %3;", c < 12 ? 12 : c)                                   \
  X("vadd.u32.u32.u32.min %0, 3, 4, 9;", 7)                                                       \
  X("vmad.u32.u32.u32 %0, %1, %2, %3;", a* b + c)                                                 \
  X("vmad.s32.s32.s32 %0, -3, 5, 7;", uint32_t(-8))                                               \
  X("vmad.s32.s32.u32.sat %0, -3, 0xffffffff, 7;", 0x80000000)                                    \
  X("vmad.u32.u32.u32.sat %0, 0xffffffff, 2, %3;", 0xffffffff)                                    \
  X("vmad.u32.u32.u32.shr15 %0, 0xffff0000, 0x10000, 0;", 0xfffe0000)                             \
  X("vmad.s32.s32.s32.po.shr7 %0, -127, 1, -2;", 0xffffffff)                                      \
  X("and.b32 %0, %1, %2;", a& b)                                                                  \
  X("or.b32 %0, %1, 0x30;", a | 0x30)                                                             \
  X("xor.b32 %0, %1, %2;", a ^ b)                                                                 \
  X("not.b32 %0, %1;", ~a)                                                                        \
  X("shl.b32 %0, %1, %3;", c > 31 ? 0 : a << c)                                                   \
  X("shl.b32 %0, %1, 40;", 0)                                                                     \
  X("shr.u32 %0, %1, 5;", a >> 5)                                                                 \
  X("shr.s32 %0, %1, 50;", int32_t(a) < 0 ? ~0u : 0)                                              \
  X("popc.b32 %0, %1;", uint32_t(__builtin_popcount(a)))                                          \
  X("clz.b32 %0, %3;", uint32_t(__builtin_clz(c)))                                                \
  X("clz.b32 %0, 0;", 32)                                                                         \
  X("brev.b32 %0, 0x80000003;", 0xc0000001)                                                       \
  X("bfind.u32 %0, %3;", 31 - uint32_t(__builtin_clz(c)))                                         \
  X("bfind.shiftamt.u32 %0, %3;", uint32_t(__builtin_clz(c)))                                     \
  X("bfind.s32 %0, -5;", 2)                                                                       \
  X("bfind.u32 %0, 0;", ~0u)                                                                      \
  X("bfe.u32 %0, %1, 4, 7;", a >> 4 & 127)                                                        \
  X("bfe.s32 %0, 0x750, 4, 7;", 0xfffffff5)                                                       \
  X("bfe.s32 %0, 0x80000000, 28, 9;", 0xfffffff8)                                                 \
  X("bfi.b32 %0, %1, %2, 8, 12;", (b & ~0xfff00u) | (a & 0xfff) << 8)                             \
  X("lop3.b32 %0, %1, %2, %3, 0xe8;", (a & b) | (a & c) | (b & c))                                \
  X("lop3.b32 %0, %1, %2, %3, 0xd2;", a ^ (c & ~b))                                               \
  X("prmt.b32 %0, 0x33221100, 0x77665544, 0x7250;", 0x77225500)                                   \
  X("prmt.b32 %0, 0x338211f0, 0x77665544, 0x89a4;", 0xff00ff44)                                   \
  X("prmt.b32.f4e %0, 0x33221100, 0x77665544, 3;", 0x66554433)                                    \
  X("prmt.b32.b4e %0, 0x33221100, 0x77665544, 1;", 0x66770011)                                    \
  X("prmt.b32.rc8 %0, 0x33221100, 0x77665544, 2;", 0x22222222)                                    \
  X("prmt.b32.ecl %0, 0x33221100, 0x77665544, 1;", 0x33221111)                                    \
  X("prmt.b32.ecr %0, 0x33221100, 0x77665544, 2;", 0x22221100)                                    \
  X("prmt.b32.rc16 %0, 0x33221100, 0x77665544, 1;", 0x33223322)                                   \
  X("shf.l.wrap.b32 %0, %1, %2, 36;", b << 4 | a >> 28)                                           \
  X("shf.r.wrap.b32 %0, %1, %2, 8;", b << 24 | a >> 8)                                            \
  X("shf.l.clamp.b32 %0, %1, %2, 99;", a)                                                         \
  X("shf.r.clamp.b32 %0, %1, %2, 32;", b)                                                         \
  X("sad.u32 %0, %1, %2, %3;", (a < b ? b - a : a - b) + c)                                       \
  X("mul24.lo.u32 %0, %1, %2;", (a & 0xffffff) * (b & 0xffffff))                                  \
  X("add.sat.s32 %0, 0x7fffffff, 5;", 0x7fffffff)                                                 \
  X("dp4a.u32.s32 %0, 0x01020304, 0xff020301, %3;", c + 4 + 3 * 3 + 2 * 2 - 1)                    \
  X("dp2a.hi.s32.u32 %0, 0xffff0002, 0x03ff0000, %3;", c + 510 - 3)                               \
  X("{ .reg .b32 t<2>; mov.b32 t0, %1; { .reg .b32 t1; add.u32 t1, t0, 1; mov.b32 t0, t1; } "     \
    "mov.u32 t1, 3; add.u32 %0, t0, t1; }",                                                       \
    a + 4)                                                                                        \
  X("{ // a comment; with a semicolon\n .reg .pred p, q; setp.lt.and.u32 p|q, %1, %2, 1; }", 0)   \
  X("{ .reg .pred p; .reg .u32 i; mov.u32 i, 0; mov.u32 %0, 0; L%=: add.u32 %0, %0, %3; "         \
    "add.u32 i, i, 1; setp.lt.u32 p, i, 4; @p bra L%=; bra.uni DONE; mov.u32 %0, 1; DONE: }",     \
    c * 4)                                                                                        \
  X("{ .reg .pred p; setp.gt.s32 p, %1, %2; selp.b32 %0, %1, %2, p; }",                           \
    uint32_t(int32_t(a) > int32_t(b) ? a : b))                                                    \
  X("{ .reg .pred p, q; setp.eq.u32 p|q, %1, %1; @!q mov.u32 %0, 7; @q mov.u32 %0, 8; }", 7)      \
  X("{ .reg .pred p; setp.eq.u32 p, %1, %1; setp.ne.or.u32 p, %1, %1, !p; "                       \
    "selp.u32 %0, 1, 2, p; }",                                                                    \
    2)                                                                                            \
  X("{ .reg .pred p, q; setp.lo.u32 p, 1, 2; not.pred q, p; xor.pred p, p, q; and.pred p, p, p; " \
    "selp.u32 %0, 1, 2, p; }",                                                                    \
    1)                                                                                            \
  X("set.lt.u32.s32 %0, -1, %3;", ~0u)                                                            \
  X("{ .reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.b32 %0, {hi, lo}; }", a << 16 | a >> 16)       \
  X("{ .reg .b16 hi; mov.b32 {_, hi}, %1; cvt.u32.u16 %0, hi; }", a >> 16)                        \
  X("cvt.pack.sat.u8.s32.b32 %0, 300, -4, 0x7;", 0x7ff00)                                         \
  X("cvt.pack.sat.s16.s32 %0, 40000, -40000;", 0x7fff8000)                                        \
  X("cvt.s32.s8 %0, %1;", uint32_t(int8_t(a)))                                                    \
  X("{ .reg .u8 t; cvt.u8.u32 t, %1; cvt.u32.u8 %0, t; }", a & 255)                               \
  X("{ .reg .b32 t; add.cc.u32 t, %1, 0x80000000; addc.u32 %0, %2, 0; }", b + 1)                  \
  X("{ .reg .b32 t; sub.cc.u32 t, %3, %1; subc.cc.u32 t, 0, 0; subc.u32 %0, 5, 0; }", 4)          \
  X("{ .reg .b32 t; mad.lo.cc.u32 t, %1, %2, 0xffffffff; madc.hi.u32 %0, %1, %2, 0; }",           \
    uint32_t((uint64_t(a) * b + 0xffffffff) >> 32))                                               \
  X("mov.b32 %0, 0f3f800000;", 0x3f800000)                                                        \
  X("lop3.b32 %0, %1, %2, %3, 0b11000000;", a& b)                                                 \
  X("cvt.u32.u16 %0, 0x12345;", 0x2345)                                                           \
  X("cvt.sat.u8.s32 %0, -3;", 0)                                                                  \
  X("cvt.sat.s8.s32 %0, 500;", 127)

// %1 to %3 are k, l and m, %4 is c.
#define VALUES_OF_LONGS(X)                                                                   \
  X("add.s64 %0, %1, %2;", k + l)                                                            \
  X("mul.lo.u64 %0, %1, %2;", k* l)                                                          \
  X("mul.hi.u64 %0, %1, %2;", uint64_t((unsigned __int128)k* l >> 64))                       \
  X("mad.lo.u64 %0, %1, %2, %3;", k* l + m)                                                  \
  X("mul.wide.u32 %0, %4, 0xffffffff;", uint64_t(c) * 0xffffffffu)                           \
  X("mul.wide.s32 %0, -3, %4;", uint64_t(int64_t(-3) * int32_t(c)))                          \
  X("mad.wide.u32 %0, %4, %4, %1;", uint64_t(c) * c + k)                                     \
  X("shl.b64 %0, %1, %4;", c > 63 ? 0 : k << c)                                              \
  X("shr.s64 %0, %1, 60;", uint64_t(int64_t(k) >> 60))                                       \
  X("and.b64 %0, %1, 0xff00;", k & 0xff00)                                                   \
  X("min.u64 %0, %1, %2;", k < l ? k : l)                                                    \
  X("brev.b64 %0, 1;", uint64_t(1) << 63)                                                    \
  X("bfe.u64 %0, %1, 8, 40;", k >> 8 & 0xffffffffff)                                         \
  X("mov.b64 %0, {%4, 5};", uint64_t(5) << 32 | c)                                           \
  X("mov.u64 %0, 12;", 12)                                                                   \
  X("{ .reg .pred p; setp.ltu.f64 p, 0d3ff0000000000000, 2.5; selp.u64 %0, %1, %2, p; }", k) \
  X("{ .reg .b32 x, y; mov.b64 {x, y}, %1; mov.b64 %0, {y, x}; }", k << 32 | k >> 32)        \
  X("cvt.u64.u32 %0, %4;", c)                                                                \
  X("cvt.s64.s32 %0, -7;", uint64_t(-7))                                                     \
  X("cvt.rzi.s64.f64 %0, 1e300;", uint64_t(INT64_MAX))                                       \
  X("cvt.rzi.u64.f64 %0, -5.0;", 0)

// %1 to %3 are x, y and z.
#define VALUES_OF_FLOATS(X)                                                          \
  X("add.f32 %0, %1, %2;", x + y)                                                    \
  X("sub.rn.f32 %0, %1, %2;", x - y)                                                 \
  X("mul.ftz.f32 %0, %1, %2;", x* y)                                                 \
  X("mul.rn.f32 %0, %1, 0f3fc00000;", x * 1.5f)                                      \
  X("fma.rn.f32 %0, %1, %2, %3;", fmaf(x, y, z))                                     \
  X("fma.rn.ftz.sat.f32 %0, %1, %2, %3;", fminf(fmaxf(fmaf(x, y, z), 0), 1))         \
  X("mad.rn.f32 %0, %1, %2, %3;", fmaf(x, y, z))                                     \
  X("add.rz.f32 %0, 0f3f800000, 0f33c00000;", 1.0f)                                  \
  X("add.rp.f32 %0, 0f3f800000, 0f00800000;", 1 + 0x1p-23f)                          \
  X("add.rm.f32 %0, 0fbf800000, 0f80800000;", -1 - 0x1p-23f)                         \
  X("mul.ftz.f32 %0, 0f00800000, 0f3f000000;", 0.0f)                                 \
  X("mul.f32 %0, 0f00800000, 0f3f000000;", 0x1p-127f)                                \
  X("div.rn.f32 %0, %1, %2;", x / y)                                                 \
  X("div.approx.f32 %0, %1, 4.0;", x / 4)                                            \
  X("div.full.ftz.f32 %0, %1, 0.5;", x * 2)                                          \
  X("rcp.rn.f32 %0, %2;", 1 / y)                                                     \
  X("sqrt.rn.f32 %0, 2.25;", 1.5f)                                                   \
  X("sqrt.approx.f32 %0, 6.25;", 2.5f)                                               \
  X("rsqrt.approx.ftz.f32 %0, 16.0;", 0.25f)                                         \
  X("ex2.approx.f32 %0, 3.0;", 8.0f)                                                 \
  X("lg2.approx.f32 %0, 32.0;", 5.0f)                                                \
  X("sin.approx.f32 %0, %1;", sinf(x))                                               \
  X("cos.approx.ftz.f32 %0, %1;", cosf(x))                                           \
  X("tanh.approx.f32 %0, 0.0;", 0.0f)                                                \
  X("min.f32 %0, %1, 0f7fc00000;", x)                                                \
  X("max.NaN.f32 %0, %1, %2;", fmaxf(x, y))                                          \
  X("max.f32 %0, 0f80000000, 0f00000000;", 0.0f)                                     \
  X("neg.f32 %0, %1;", -x)                                                           \
  X("abs.ftz.f32 %0, %1;", fabsf(x))                                                 \
  X("copysign.f32 %0, 0fbf800000, 2.0;", -2.0f)                                      \
  X("mov.f32 %0, 0f40400000;", 3.0f)                                                 \
  X("mov.b32 %0, %1;", x)                                                            \
  X("{ .reg .b32 t; mov.b32 t, %1; add.f32 %0, t, t; }", x + x)                      \
  X("cvt.rni.f32.f32 %0, 2.5;", 2.0f)                                                \
  X("cvt.rpi.f32.f32 %0, %1;", ceilf(x))                                             \
  X("cvt.rmi.ftz.f32.f32 %0, %1;", floorf(x))                                        \
  X("cvt.rn.f32.s32 %0, -16777217;", -16777216.0f)                                   \
  X("cvt.rz.f32.u32 %0, 0xffffffff;", 4294967040.0f)                                 \
  X("cvt.rp.f32.u64 %0, 0xffffffffffffffff;", 18446744073709551616.0f)               \
  X("cvt.rn.f32.f64 %0, 0.1;", 0.1f)                                                 \
  X("cvt.rm.f32.f64 %0, 0d3fb999999999999a;", 0x1.999998p-4f)                        \
  X("cvt.sat.f32.f32 %0, 1.75;", 1.0f)                                               \
  X("{ .reg .b16 t; mov.b16 t, 0x3e00; cvt.f32.f16 %0, t; }", 1.5f)                  \
  X("{ .reg .b16 t; mov.u16 t, 0x3fc0; cvt.f32.bf16 %0, t; }", 1.5f)                 \
  X("{ .reg .b32 t; cvt.rna.tf32.f32 t, 0f3f801000; mov.b32 %0, t; }", 1 + 0x1p-10f) \
  X("{ .reg .b32 t; cvt.rn.tf32.f32 t, 0f3f801000; mov.b32 %0, t; }", 1.0f)          \
  X("{ .reg .b32 t; cvt.rz.tf32.f32 t, 0f3f801fff; mov.b32 %0, t; }", 1.0f)

// The result is a word; %1 and %2 are x and y.
#define WORDS_OF_FLOATS(X)                                                                      \
  X("cvt.rzi.s32.f32 %0, -2.75;", uint32_t(-2))                                                 \
  X("cvt.rni.s32.f32 %0, 2.5;", 2)                                                              \
  X("cvt.rmi.s32.f32 %0, -2.25;", uint32_t(-3))                                                 \
  X("cvt.rpi.u32.f32 %0, 2.25;", 3)                                                             \
  X("cvt.rzi.u32.f32 %0, -1.5;", 0)                                                             \
  X("cvt.rzi.s32.f32 %0, 0f7fc00000;", 0)                                                       \
  X("cvt.rni.sat.s8.f32 %0, 300.0;", 127)                                                       \
  X("{ .reg .pred p, q; setp.lt.f16x2 p|q, 0x3c00bc00, 0x7e003c00; selp.u32 %0, 1, 0, p; "      \
    "@q add.u32 %0, %0, 2; }",                                                                  \
    1)                                                                                          \
  X("{ .reg .pred p, q; setp.ge.bf16x2 p|q, 0x3f803f80, 0xbf803f81; selp.u32 %0, 1, 0, p; "     \
    "@q add.u32 %0, %0, 2; }",                                                                  \
    2)                                                                                          \
  X("cvt.rn.f16x2.f32 %0, 1.5, -2.0;", 0x3e00c000)                                              \
  X("cvt.rz.f16x2.f32 %0, 0f3f803fff, 1.0;", 0x3c013c00)                                        \
  X("cvt.rn.satfinite.f16x2.f32 %0, 0f7f000000, 0fff000000;", 0x7bfffbff)                       \
  X("cvt.rn.relu.bf16x2.f32 %0, -3.0, 1.0;", 0x3f80)                                            \
  X("{ .reg .b16 t; cvt.rn.satfinite.e4m3x2.f32 t, 500.0, -1.25; cvt.u32.u16 %0, t; }", 0x7eba) \
  X("{ .reg .b16 t; cvt.rn.satfinite.e5m2x2.f32 t, 1.25, 0.0; cvt.u32.u16 %0, t; }", 0x3d00)    \
  X("{ .reg .b16 t; mov.b32 %0, 0x3c00bc00; cvt.rn.satfinite.e4m3x2.f16x2 t, %0; "              \
    "cvt.u32.u16 %0, t; }",                                                                     \
    0x38b8)                                                                                     \
  X("{ .reg .b16 t; mov.b16 t, 0x38b8; cvt.rn.f16x2.e4m3x2 %0, t; }", 0x3c00bc00)               \
  X("{ .reg .b16 t; mov.b16 t, 0x0141; cvt.rn.f16x2.e5m2x2 %0, t; }", 0x01004100)               \
  X("{ .reg .b16 t; cvt.rn.f16.s32 t, 2049; cvt.u32.u16 %0, t; }", 0x6800)                      \
  X("{ .reg .b16 t; cvt.rz.f16.f32 t, 0f3f803fff; cvt.u32.u16 %0, t; }", 0x3c01)                \
  X("{ .reg .pred p; setp.gt.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }", uint32_t(x > y))          \
  X("{ .reg .pred p; setp.ne.f32 p, %1, 0f7fc00000; selp.u32 %0, 1, 0, p; }", 0)                \
  X("{ .reg .pred p; setp.neu.ftz.f32 p, %1, 0f7fc00000; selp.u32 %0, 1, 0, p; }", 1)           \
  X("{ .reg .pred p; setp.nan.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }", 0)

// Halves, one to a register: 1.5, -0.25 and 2.
#define VALUES_OF_HALVES(X)                                     \
  X("add.f16 %0, %1, %2;", 0x3d00)                              \
  X("sub.rn.f16 %0, %1, %2;", 0x3f00)                           \
  X("mul.f16 %0, %1, %2;", 0xb600)                              \
  X("fma.rn.f16 %0, %1, %2, %1;", 0x3c80)                       \
  X("fma.rn.relu.f16 %0, %1, %2, %2;", 0)                       \
  X("min.f16 %0, %1, %2;", 0xb400)                              \
  X("max.NaN.f16 %0, %1, %2;", 0x3e00)                          \
  X("neg.f16 %0, %1;", 0xbe00)                                  \
  X("abs.f16 %0, %2;", 0x3400)                                  \
  X("ex2.approx.f16 %0, %3;", 0x4400)                           \
  X("{ .reg .b16 t; mov.b16 t, 0; tanh.approx.f16 %0, t; }", 0) \
  X("mov.b16 %0, %1;", 0x3e00)                                  \
  X("add.s16 %0, %1, 1;", 0x3e01)                               \
  X("shl.b16 %0, %1, 4;", 0xe000)

// Two to a register: p is {1.5, -0.25} as halves from the lower one on, q the same as bfloat16, r has
// ones.
#define VALUES_OF_PAIRS(X)                                              \
  X("add.f16x2 %0, %1, %1;", 0xb8004200)                                \
  X("mul.rn.f16x2 %0, %1, %1;", 0x2c004080)                             \
  X("fma.rn.f16x2 %0, %1, %1, %1;", 0xb2004380)                         \
  X("min.f16x2 %0, %1, %3;", 0xb4003c00)                                \
  X("max.f16x2 %0, %1, %3;", 0x3c003e00)                                \
  X("neg.f16x2 %0, %1;", 0x3400be00)                                    \
  X("fma.rn.bf16x2 %0, %2, %2, %2;", 0xbe404070)                        \
  X("fma.rn.relu.bf16x2 %0, %2, %2, %2;", 0x00004070)                   \
  X("add.bf16x2 %0, %2, %2;", 0xbf004040)                               \
  X("mul.bf16x2 %0, %2, %2;", 0x3d804010)                               \
  X("{ .reg .b32 t; mov.b32 t, 0; max.bf16x2 %0, %2, t; }", 0x00003fc0) \
  X("abs.bf16x2 %0, %2;", 0x3e803fc0)                                   \
  X("ex2.approx.ftz.bf16x2 %0, %2;", 0x3f574035)                        \
  X("{ .reg .b32 t; mov.b32 t, 0; tanh.approx.bf16x2 %0, t; }", 0)

// %1 and %2 are s and t.
#define VALUES_OF_DOUBLES(X)                         \
  X("add.f64 %0, %1, %2;", s + t)                    \
  X("fma.rn.f64 %0, %1, %2, %1;", fma(s, t, s))      \
  X("mul.rz.f64 %0, %1, 0d4000000000000000;", s * 2) \
  X("div.rn.f64 %0, %1, %2;", s / t)                 \
  X("max.f64 %0, %1, %2;", s > t ? s : t)            \
  X("neg.f64 %0, %1;", -s)                           \
  X("cvt.f64.f32 %0, 0f3fc00000;", 1.5)              \
  X("cvt.rn.f64.s64 %0, 3;", 3.0)                    \
  X("mov.f64 %0, %1;", s)

struct Results {
  uint32_t words[128], words_of_floats[64], pairs[32];
  uint64_t longs[64];
  float floats[64];
  double doubles[32];
  uint16_t halves[32];
};
// Of one thread.
void compute(const Inputs* inputs, Results* results);

}  // namespace values
