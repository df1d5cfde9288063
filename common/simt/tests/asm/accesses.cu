// ERROR marks the lines that must be reported.
#include <cuda_runtime.h>

#include "tests/asm/accesses.h"

namespace accesses {

#define LOAD_4(text) asm volatile(text : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(from))
#define STORE_4(text) \
  asm volatile(text ::"l"(to), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) : "memory")

__device__ void copy_half_words(const uint32_t* from, uint32_t* to) {
  uint16_t h[8];
  asm volatile("ld.global.v4.u16 {%0, %1, %2, %3}, [%8]; ld.global.v4.b16 {%4, %5, %6, %7}, [%8+8];"
               : "=h"(h[0]), "=h"(h[1]), "=h"(h[2]), "=h"(h[3]), "=h"(h[4]), "=h"(h[5]), "=h"(h[6]),
                 "=h"(h[7])
               : "l"(from));
  asm volatile("st.global.v4.b16 [%0], {%1, %2, %3, %4};" ::"l"(to), "h"(h[0]), "h"(h[1]),
               "h"(h[2]), "h"(h[3]));
  asm volatile("st.global.v4.b16 [%0 + 8], {%1, %2, %3, %4};" ::"l"(to), "h"(h[4]), "h"(h[5]),
               "h"(h[6]), "h"(h[7]));
}

template <int FORM>
__global__ void copy_kernel(const uint32_t* from, uint32_t* to) {
  uint32_t v[4];
  from += threadIdx.x * 4, to += threadIdx.x * 4;
  uint64_t policy, w[2];
  float f[4];
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  if (FORM == 0) {
    LOAD_4("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];");
    STORE_4("st.global.v4.b32 [%0], {%1, %2, %3, %4};");
  } else if (FORM == 1) {
    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
                 : "l"(from));
    asm volatile("st.global.L1::no_allocate.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(f[0]),
                 "f"(f[1]), "f"(f[2]), "f"(f[3]));
  } else if (FORM == 2) {
    asm volatile("ld.global.nc.v2.u64 {%0, %1}, [%2];" : "=l"(w[0]), "=l"(w[1]) : "l"(from));
    asm volatile("st.global.cs.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(w[0]), "l"(w[1]));
  } else if (FORM == 3) {
    asm volatile("ld.global.L1::evict_last.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "l"(from), "l"(policy));
    asm volatile("st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(to), "r"(v[0]),
                 "r"(v[1]), "r"(v[2]), "r"(v[3]), "l"(policy));
  } else if (FORM == 4) {
    LOAD_4("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];");
    STORE_4("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};");
  } else if (FORM == 5) {
    asm volatile("ld.global.relaxed.gpu.L1::no_allocate.v2.f64 {%0, %1}, [%2];"
                 : "=d"(reinterpret_cast<double&>(w[0])), "=d"(reinterpret_cast<double&>(w[1]))
                 : "l"(from));
    asm volatile("st.relaxed.sys.global.v2.b64 [%0], {%1, %2};" ::"l"(to), "l"(w[0]), "l"(w[1]));
  } else if (FORM == 6) {  // four accesses of four bytes
    asm volatile(
        "{ .reg .pred p; .reg .u64 a; cvta.to.global.u64 a, %4; setp.ne.b32 p, %5, 0; "
        "@p ld.global.b32 %0, [a]; @p ld.mmio.relaxed.sys.global.b32 %1, [a+4]; @p ld.global.b32 "
        "%2, [a + 8];\n\t"
        "@!p mov.u32 %3, 7;\n @p ld.global.b32 %3, [a+12]; }"
        : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
        : "l"(from), "r"(1));
    asm volatile("st.global.b32 [%0], %1; st.mmio.relaxed.sys.global.b32 [%0 + 4], %2;" ::"l"(to),
                 "r"(v[0]), "r"(v[1]));
    asm volatile("st.b32 [%0+8], %1; st.wb.global.b32 [%0 + %3], %2;" ::"l"(to), "r"(v[2]),
                 "r"(v[3]), "n"(12));
  } else if (FORM == 7) {
    asm volatile("ld.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "l"(from));
    asm volatile(
        "prefetch.global.L2 [%0]; prefetchu.L1 [%0]; discard.global.L2 [%1], 128;" ::"l"(from),
        "l"(to));
    STORE_4("st.v4.u32 [%0], {%1, %2, %3, %4};");
  } else {
    copy_half_words(from, to);
  }
}

void copy(int form, const uint32_t* from, uint32_t* to) {
  switch (form) {
#define COPY_CASE(n)                     \
  case n:                                \
    copy_kernel<n><<<1, 32>>>(from, to); \
    break;
    COPY_CASE(0)
    COPY_CASE(1)
    COPY_CASE(2)
    COPY_CASE(3)
    COPY_CASE(4)
    COPY_CASE(5)
    COPY_CASE(6)
    COPY_CASE(7)
    COPY_CASE(8)
  }
}

__global__ void small_kernel(const uint8_t* from, uint32_t* to) {
  __shared__ uint32_t s[4];
  uint32_t out[5];
  uint16_t half;
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(out[0]) : "l"(from));
  asm volatile("ld.global.nc.s8 %0, [%1];" : "=r"(out[1]) : "l"(from));
  asm volatile("ld.global.u16 %0, [%1 + 2];" : "=h"(half) : "l"(from));
  asm volatile(
      "st.shared.b8 [%0], %1; st.shared::cta.b8 [%0+1], 0x12; st.shared.u16 [%0+2], %2;" ::"r"(
          static_cast<uint32_t>(__cvta_generic_to_shared(s))),
      "r"(0x1234u), "h"(half));
  asm volatile(
      "{ .reg .u64 a; cvta.to.shared.u64 a, %2; ld.shared.u32 %0, [a]; cvta.shared.u64 a, a; "
      "ld.u32 %1, [a]; }"
      : "=r"(out[3]), "=r"(out[4])
      : "l"(s));
  out[2] = half;
  for (int i = 0; i < 5; ++i) to[i] = out[i];
}

void load_small(const uint8_t* from, uint32_t* to) {
  small_kernel<<<1, 1>>>(from, to);
}

__global__ void sum_kernel(Sums* sums, uint32_t* shared) {
  __shared__ uint32_t s[3];
  const uint32_t t = threadIdx.x;
  uint32_t old;
  if (t < 3) s[t] = 0;
  __syncthreads();
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(&sums->add), "r"(t));
  asm volatile("red.relaxed.gpu.global.min.u32 [%0], %1;" ::"l"(&sums->min), "r"(t + 5));
  asm volatile("red.global.max.u32 [%0], %1;" ::"l"(&sums->max), "r"(t + 5));
  asm volatile("red.global.and.b32 [%0], %1;" ::"l"(&sums->bits_and), "r"(~t));
  asm volatile("red.or.b32 [%0], %1;" ::"l"(&sums->bits_or), "r"(t));
  asm volatile("atom.acq_rel.sys.global.xor.b32 _, [%0], %1;" ::"l"(&sums->bits_xor),
               "r"(1u << t % 31));
  asm volatile("atom.global.inc.u32 %0, [%1], 9;" : "=r"(old) : "l"(&sums->inc));
  asm volatile("red.global.dec.u32 [%0], 9;" ::"l"(&sums->dec));
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "l"(&sums->cas), "r"(t), "r"(t + 1));
  asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(&sums->exch), "r"(77));
  asm volatile("red.global.min.s32 [%0], %1;" ::"l"(&sums->signed_min), "r"(-int(t)));
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(&sums->halves), "r"(0x40003c00u));
  asm volatile("atom.global.add.noftz.bf16x2 %0, [%1], %2;"
               : "=r"(old)
               : "l"(&sums->bfloats), "r"(0x40003f80u));
  asm volatile("red.add.release.gpu.global.u64 [%0], %1;" ::"l"(&sums->wide),
               "l"(uint64_t(1) << 40));
  asm volatile("red.global.add.f64 [%0], %1;" ::"l"(&sums->big), "d"(0.5));
  asm volatile("red.global.add.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(&sums->small), "f"(0.25f),
               "l"(uint64_t(0)));
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(sums->four), "f"(1.0f),
               "f"(2.0f), "f"(3.0f), "f"(4.0f));
  asm volatile("red.global.add.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(sums->pairs), "r"(0x3f803f80),
               "r"(0x40004000));
  const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(s));
  asm volatile("atom.shared.add.u32 %0, [%1], 2;" : "=r"(old) : "r"(address));
  asm volatile("red.shared::cta.max.s32 [%0 + 4], %1;" ::"r"(address), "r"(t));
  asm volatile("atom.shared::cta.exch.b32 %0, [%1+8], 5;" : "=r"(old) : "r"(address));
  __syncthreads();
  if (t < 3) shared[t] = s[t];
}

void sum_up(Sums* sums, uint32_t* shared) {
  sum_kernel<<<1, 64>>>(sums, shared);
}

__global__ void pass_kernel(uint32_t* memory, uint32_t* to) {
  uint32_t value;
  if (blockIdx.x == 0) {
    asm volatile("st.global.u32 [%0], 42;" ::"l"(memory + 1));
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(memory));
  } else {
    asm volatile(
        "{ .reg .pred p; .reg .b32 f; WAIT_%=: ld.acquire.gpu.global.b32 f, [%1]; "
        "setp.eq.u32 p, f, 0; @p nanosleep.u32 20; @p bra WAIT_%=; ld.global.u32 %0, [%1 + 4]; }"
        : "=r"(value)
        : "l"(memory));
    *to = value;
  }
}

void pass_on(uint32_t* memory, uint32_t* to) {
  pass_kernel<<<2, 1>>>(memory, to);
}

__global__ void mistake_kernel(Mistake mistake, uint32_t* to) {
  __shared__ uint32_t s[64];
  const uint32_t t = threadIdx.x;
  const auto is = [&](Mistake other) { return mistake == other; };
  uint32_t u = 0, v = 0, w = 0;
  const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(s));
  asm volatile("st.shared::cta.b32 [%0], %1;" ::"r"(address + t * 4), "r"(t));
  if (!is(Mistake::NoBarrier)) __syncthreads();
  asm volatile(  // ERROR race
      "ld.shared::cta.b32 %0, [%1];"
      : "=r"(u)
      : "r"(address + (t ^ 32) * 4));
  const uint32_t* from = is(Mistake::SharedAsGlobal) ? s : to + 64;
  if (is(Mistake::Outside)) from += 1 << 16;
  if (is(Mistake::Misaligned)) from += 1;
  asm volatile(  // ERROR load
      "ld.global.v2.u32 {%0, %1}, [%2];"
      : "=r"(v), "=r"(w)
      : "l"(from + t / 64 * 2));
  if (is(Mistake::Trap)) {
    asm volatile("trap;");  // ERROR trap
  }
  to[t] = u + v + w;
}

void make(Mistake mistake, uint32_t* to) {
  mistake_kernel<<<1, 64>>>(mistake, to);
}

}  // namespace accesses
