// ERROR marks the lines that must be reported.
#include <cuda_runtime.h>

#include "tests/asm/mma.h"

namespace mma {

// A form with so many registers of D, A and B, in words of 32 bits of the lane behind one another.
#define SUMS_2 "{%0, %1}"
#define SUMS_4 "{%0, %1, %2, %3}"
#define MMA_FLOATS(number, form, a_list, b_list, ...)                                        \
  if (FORM == number) {                                                                      \
    float f[4];                                                                              \
    for (int i = 0; i < 4; ++i) f[i] = __uint_as_float(d[i]);                                \
    asm volatile("mma.sync.aligned." form " " SUMS_4 ", " a_list ", " b_list ", " SUMS_4 ";" \
                 : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])                            \
                 : __VA_ARGS__);                                                             \
    for (int i = 0; i < 4; ++i) d[i] = __float_as_uint(f[i]);                                \
  }
#define MMA_WORDS(number, form, a_list, b_list, ...)                                         \
  if (FORM == number) {                                                                      \
    asm volatile("mma.sync.aligned." form " " SUMS_4 ", " a_list ", " b_list ", " SUMS_4 ";" \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                            \
                 : __VA_ARGS__);                                                             \
  }
#define MMA_HALVES(number, form, a_list, b_list, ...)                                        \
  if (FORM == number) {                                                                      \
    asm volatile("mma.sync.aligned." form " " SUMS_2 ", " a_list ", " b_list ", " SUMS_2 ";" \
                 : "+r"(d[0]), "+r"(d[1])                                                    \
                 : __VA_ARGS__);                                                             \
  }
#define A2_B1 "r"(a[0]), "r"(a[1]), "r"(b[0])
#define A4_B2 "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])

__device__ double double_at(const unsigned* words) {
  double value;
  asm("mov.b64 %0, {%1, %2};" : "=d"(value) : "r"(words[0]), "r"(words[1]));
  return value;
}

template <int FORM>
__global__ void multiply_kernel(const unsigned* as, const unsigned* bs, unsigned* ds) {
  const int lane = threadIdx.x;
  unsigned a[8], b[4], d[4];
  for (int i = 0; i < 8; ++i) a[i] = as[lane * 8 + i];
  for (int i = 0; i < 4; ++i) b[i] = bs[lane * 4 + i], d[i] = ds[lane * 4 + i];
  MMA_FLOATS(0, "m16n8k16.row.col.f32.f16.f16.f32", "{%4, %5, %6, %7}", "{%8, %9}", A4_B2)
  MMA_FLOATS(1, "m16n8k16.row.col.f32.bf16.bf16.f32", "{%4, %5, %6, %7}", "{%8, %9}", A4_B2)
  MMA_HALVES(2, "m16n8k16.row.col.f16.f16.f16.f16", "{%2, %3, %4, %5}", "{%6, %7}", A4_B2)
  MMA_FLOATS(3, "m16n8k8.row.col.f32.f16.f16.f32", "{%4, %5}", "{%6}", A2_B1)
  MMA_FLOATS(4, "m16n8k8.row.col.f32.bf16.bf16.f32", "{%4, %5}", "{%6}", A2_B1)
  MMA_HALVES(5, "m16n8k8.row.col.f16.f16.f16.f16", "{%2, %3}", "{%4}", A2_B1)
  MMA_FLOATS(6, "m16n8k8.row.col.f32.tf32.tf32.f32", "{%4, %5, %6, %7}", "{%8, %9}", A4_B2)
  MMA_FLOATS(7, "m16n8k4.row.col.f32.tf32.tf32.f32", "{%4, %5}", "{%6}", A2_B1)
  MMA_WORDS(8, "m16n8k32.row.col.s32.s8.s8.s32", "{%4, %5, %6, %7}", "{%8, %9}", A4_B2)
  MMA_WORDS(9, "m16n8k32.row.col.s32.u8.s8.s32", "{%4, %5, %6, %7}", "{%8, %9}", A4_B2)
  MMA_WORDS(10, "m16n8k16.row.col.s32.s8.s8.s32", "{%4, %5}", "{%6}", A2_B1)
  MMA_WORDS(11, "m16n8k16.row.col.satfinite.s32.u8.u8.s32", "{%4, %5}", "{%6}", A2_B1)
  MMA_FLOATS(12, "m16n8k32.row.col.f32.e4m3.e5m2.f32", "{%4, %5, %6, %7}", "{%8, %9}", A4_B2)
  if (FORM == 13) {
    double d0 = double_at(d), d1 = double_at(d + 2);
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d0), "+d"(d1)
                 : "d"(double_at(a)), "d"(double_at(b)));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(d[0]), "=r"(d[1]) : "d"(d0));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(d[2]), "=r"(d[3]) : "d"(d1));
  }
  for (int i = 0; i < 4; ++i) ds[lane * 4 + i] = d[i];
}

void multiply(int form, const unsigned* a, const unsigned* b, unsigned* d) {
  switch (form) {
#define FORM_CASE(n)                        \
  case n:                                   \
    multiply_kernel<n><<<1, 32>>>(a, b, d); \
    break;
    FORM_CASE(0)
    FORM_CASE(1)
    FORM_CASE(2)
    FORM_CASE(3)
    FORM_CASE(4)
    FORM_CASE(5)
    FORM_CASE(6)
    FORM_CASE(7)
    FORM_CASE(8)
    FORM_CASE(9)
    FORM_CASE(10)
    FORM_CASE(11)
    FORM_CASE(12)
    FORM_CASE(13)
  }
}

// ldmatrix in its older word order and by a generic address, and movmatrix: registers of a lane.
__global__ void move_kernel(unsigned* to, bool half_warp) {
  alignas(16) __shared__ unsigned short s[32][8];
  const int lane = threadIdx.x;
  for (int i = 0; i < 8; ++i) s[lane][i] = static_cast<unsigned short>(lane * 8 + i);
  __syncthreads();
  const unsigned address = unsigned(__cvta_generic_to_shared(&s[lane][0]));
  unsigned r[4], plain, moved, generic, near;
  asm volatile("ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%0}, [%1];"
               : "=r"(plain)
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.b16 {%0}, [%1];" : "=r"(generic) : "l"(&s[lane][0]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1 + 128];"
               : "=r"(near)
               : "r"(unsigned(__cvta_generic_to_shared(&s[lane % 8][0]))));
  moved = 0;
  if (!half_warp || lane < 16) {
    asm volatile(  // ERROR movmatrix
        "movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
        : "=r"(moved)
        : "r"(plain));
  }
  for (int i = 0; i < 4; ++i) to[lane * 8 + i] = r[i];
  to[lane * 8 + 4] = plain;
  to[lane * 8 + 5] = moved;
  to[lane * 8 + 6] = generic;
  to[lane * 8 + 7] = near;
}

void move(unsigned* to, bool half_warp) {
  move_kernel<<<1, 32>>>(to, half_warp);
}

// Lanes that execute different forms.
__global__ void two_forms_kernel(unsigned* ds) {
  unsigned a = threadIdx.x, d[4] = {};
  if (a < 16) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 " SUMS_4
                 ", {%4, %4}, {%4}, " SUMS_4 ";"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a));
  } else {
    asm volatile(  // ERROR forms
        "mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 " SUMS_4 ", {%4, %4}, {%4}, " SUMS_4 ";"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a));
  }
  ds[a] = d[0];
}

void mix_forms(unsigned* d) {
  two_forms_kernel<<<1, 32>>>(d);
}

}  // namespace mma
