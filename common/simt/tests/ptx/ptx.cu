// ERROR marks the lines that must be reported.
#include <cuda_runtime.h>

#include "tests/ptx/ptx.h"

namespace ptx {

__device__ void load_one(unsigned address, unsigned (&to)[4]) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // ERROR ldmatrix
               : "=r"(to[0])
               : "r"(address)
               : "memory");
}

template <bool TRANSPOSED>
__device__ void load_matrices(int count, unsigned address, unsigned (&to)[4]) {
  if (count == 1 && TRANSPOSED) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(to[0])
                 : "r"(address)
                 : "memory");
  } else if (count == 1) {
    load_one(address, to);
  } else if (count == 2 && TRANSPOSED) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1])
                 : "r"(address)
                 : "memory");
  } else if (count == 2) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1])
                 : "r"(address)
                 : "memory");
  } else if (TRANSPOSED) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
  }
}

__device__ void multiply_add(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(  // ERROR mma
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void copy_kernel(const float4* from, float4* to, bool waits) {
  __shared__ float4 s[32];
  const int lane = threadIdx.x;
  const unsigned address = unsigned(__cvta_generic_to_shared(&s[lane]));
  if (lane % 2 == 0) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;\n" ::"r"(address),
                 "l"(from + lane));
    asm volatile("cp.async.commit_group;" ::: "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(&from[lane]),
                 "n"(16), "r"(8));
    asm volatile("cp.async.commit_group;");
  }
  if (waits) {
    asm volatile("cp.async.wait_group %0;" ::"n"(0) : "memory");
  } else {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
  }
  __syncthreads();
  to[lane] = s[lane ^ 1];  // ERROR not waited
}

template <bool TRANSPOSED>
__global__ void store_kernel(uint16_t* to) {
  alignas(16) __shared__ uint16_t s[ROWS][8];
  const unsigned lane = threadIdx.x, first = lane * 4 * 0x10001 + 128 * 0x10000;
  const unsigned address = unsigned(__cvta_generic_to_shared(s[lane]));
  if (TRANSPOSED) {
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
        "r"(first), "r"(first + 0x10001), "r"(first + 0x20002), "r"(first + 0x30003)
        : "memory");
  } else {
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x4.shared::cta.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
        "r"(first), "r"(first + 0x10001), "r"(first + 0x20002), "r"(first + 0x30003)
        : "memory");
  }
  __syncwarp();
  for (int i = 0; i < 8; ++i) to[lane * 8 + i] = s[lane][i];
}

void store(bool transposed, uint16_t* to) {
  transposed ? store_kernel<true><<<1, 32>>>(to) : store_kernel<false><<<1, 32>>>(to);
}

__global__ void load_kernel(const half* tile, uint32_t* to, int count, bool transposed,
                            int period) {
  alignas(16) __shared__ half s[ROWS][COLS];
  const int lane = threadIdx.x;
  for (int i = lane; i < ROWS * COLS; i += 32) {
    const int r = i / COLS, c = i % COLS;
    s[r][c ^ r % period * 8] = tile[i];
  }
  __syncthreads();
  const int row = lane % (count * 8);
  const unsigned address = unsigned(__cvta_generic_to_shared(&s[row][8 ^ row % period * 8]));
  unsigned registers[4] = {};
  if (transposed) {
    load_matrices<true>(count, address, registers);
  } else {
    load_matrices<false>(count, address, registers);
  }
  for (int i = 0; i < count; ++i) to[i * 32 + lane] = registers[i];
}

// The fragments as the PTX manual deals them out, straight from global memory.
__global__ void multiply_kernel(const half* a, const half* b, const float* c, float* d,
                                bool wrong) {
  const int row = threadIdx.x / 4, pair = threadIdx.x % 4 * 2;
  unsigned fa[4], fb[2];
  float sums[4];
  for (int i = 0; i < 4; ++i) {
    const int m = row + i % 2 * 8, k = pair + i / 2 * 8;
    const half2 two = __halves2half2(a[m * 16 + k], a[m * 16 + k + 1]);
    fa[wrong && i % 3 != 0 ? 3 - i : i] = *reinterpret_cast<const unsigned*>(&two);
    sums[i] = c[(row + i / 2 * 8) * 8 + pair + i % 2];
  }
  for (int i = 0; i < 2; ++i) {
    const int k = pair + i * 8, n = row;
    const half2 two = __halves2half2(b[k * 8 + n], b[(k + 1) * 8 + n]);
    fb[i] = *reinterpret_cast<const unsigned*>(&two);
  }
  multiply_add(sums, fa, fb);
  for (int i = 0; i < 4; ++i) d[(row + i / 2 * 8) * 8 + pair + i % 2] = sums[i];
}

__global__ void mistake_kernel(Mistake mistake, float* out) {
  alignas(16) __shared__ half s[ROWS][COLS];
  __shared__ volatile short one[1];
  __shared__ half weak[64];  // nvcc places it behind `one`
  const unsigned lane = threadIdx.x;
  if (lane == 0) one[0] = 0;
  const auto is = [&](Mistake other) { return mistake == other; };
  for (int c = 0; c < COLS && !is(Mistake::Unwritten); ++c) s[lane][c] = half(1.0f);
  weak[lane * 2] = weak[lane * 2 + 1] = half(1.0f);
  if (!is(Mistake::NoBarrier)) __syncthreads();
  unsigned address = unsigned(__cvta_generic_to_shared(&s[lane ^ 1][0]));
  if (is(Mistake::Misaligned)) address += lane == 3 ? 8 : 0;
  if (is(Mistake::WeaklyAligned)) address = unsigned(__cvta_generic_to_shared(&weak[lane % 8 * 8]));
  if (is(Mistake::Outside)) address += 2 * sizeof s;
  if (is(Mistake::NoAddress)) address = 0xfffffff0u;
  if (is(Mistake::NotShared)) {
    address = unsigned(__cvta_generic_to_shared(out));  // ERROR address
  }
  unsigned a[4] = {}, b[2] = {};
  if (is(Mistake::TwoForms) && lane >= 16) {
    load_matrices<true>(1, address, a);
  } else if (!is(Mistake::HalfWarp) || lane < 16) {
    load_one(address, a);
  }
  float d[4] = {};
  if (!is(Mistake::HalfProduct) || lane < 16) multiply_add(d, a, b);
  out[lane] = d[0] + float(a[0]);
}

__global__ void numbers_kernel(float x, float y, float* out, uint32_t* packed) {
  unsigned short half;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out[0]) : "f"(x));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(out[1]) : "f"(x));
  asm("{ .reg .f32 t; tanh.approx.f32 t, %1; fma.rn.f32 %0, t, %2, %2; }"
      : "=f"(out[2])
      : "f"(x), "f"(y));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(packed[0]) : "f"(x), "f"(y));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed[1]) : "f"(x), "f"(y));
  asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(packed[2]) : "f"(x), "f"(y));
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(half) : "f"(y));
  packed[3] = half;
}

void numbers(float x, float y, float* out, uint32_t* packed) {
  numbers_kernel<<<1, 1>>>(x, y, out, packed);
}

void copy(const float4* from, float4* to, bool waits) {
  copy_kernel<<<1, 32>>>(from, to, waits);
}

void load(const half* tile, uint32_t* to, int count, bool transposed, int period) {
  load_kernel<<<1, 32>>>(tile, to, count, transposed, period);
}
void multiply(const half* a, const half* b, const float* c, float* d, bool wrong) {
  multiply_kernel<<<1, 32>>>(a, b, c, d, wrong);
}
void make(Mistake mistake, float* out) {
  mistake_kernel<<<1, mistake == Mistake::SmallBlock ? 16 : 32>>>(mistake, out);
}

}  // namespace ptx
