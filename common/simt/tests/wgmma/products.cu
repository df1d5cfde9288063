#include <cuda_runtime.h>

#include <utility>

#include "tests/wgmma/wgmma.h"

namespace wgmma {

__device__ uint64_t at(uint64_t descriptor, const uint4* image, int bytes) {
  const unsigned begin = unsigned(__cvta_generic_to_shared(image));
  return descriptor | ((begin + bytes) & 0x3ffff) >> 4;
}

// All forms, without their texts: what becomes of those is a matter of rewrite_test.py.
template <int COLS, simt::Element A, simt::Element B, bool HALVES, bool REGISTERS, typename Sum,
          size_t... I>
__device__ void start(Sum* d, const unsigned (&a)[4], uint64_t da, uint64_t db, const Task& t,
                      std::index_sequence<I...>) {
  const simt::ptx::Wgmma<COLS, A, B, HALVES, REGISTERS> wgmma;
  const int sign_a = t.negative_a ? -1 : 1, sign_b = t.negative_b ? -1 : 1;
  if constexpr (simt::bytes_of(A) != 2 && REGISTERS) {
    wgmma(d[I]..., a[0], a[1], a[2], a[3], db, t.add, sign_a, sign_b);
  } else if constexpr (simt::bytes_of(A) != 2) {
    wgmma(d[I]..., da, db, t.add, sign_a, sign_b);
  } else if constexpr (REGISTERS) {
    wgmma(d[I]..., a[0], a[1], a[2], a[3], db, t.add, sign_a, sign_b, int(t.transposed_b));
  } else {
    wgmma(d[I]..., da, db, t.add, sign_a, sign_b, int(t.transposed_a), int(t.transposed_b));
  }
}

template <int COLS, simt::Element A, simt::Element B, bool HALVES, bool REGISTERS>
__global__ void product_kernel(Task t) {
  alignas(1024) extern __shared__ uint4 image[];
  const int thread = threadIdx.x, row = thread / 32 * 16 + thread % 32 / 4, col = thread % 4 * 2;
  for (int i = thread; i < t.units; i += 128) image[i] = t.image[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  unsigned a[4] = {};
  if (REGISTERS) {
    for (int i = 0; i < 4; ++i) {
      a[i] = t.a_rows[(row + i % 2 * 8) * 8 + i / 2 * 4 + thread % 4];
    }
  }
  const uint64_t da = at(t.a, image, t.a_at), db = at(t.b, image, t.b_at);
  const auto element = [&](int i) {
    return (row + i / 2 % 2 * 8) * COLS + i / 4 * 8 + col + i % 2;
  };
  float sums[COLS / 2];
  for (int i = 0; i < COLS / 2; ++i) sums[i] = t.c[element(i)];
  if constexpr (HALVES) {
    unsigned packed[COLS / 4];
    for (int i = 0; i < COLS / 4; ++i) {
      half2 pair = __halves2half2(half(sums[2 * i]), half(sums[2 * i + 1]));
      packed[i] = reinterpret_cast<unsigned&>(pair);
    }
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    start<COLS, A, B, HALVES, REGISTERS>(packed, a, da, db, t,
                                         std::make_index_sequence<COLS / 4>());
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < COLS / 4; ++i) {
      half2 pair = reinterpret_cast<half2&>(packed[i]);
      sums[2 * i] = float(__low2half(pair));
      sums[2 * i + 1] = float(__high2half(pair));
    }
  } else {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    start<COLS, A, B, HALVES, REGISTERS>(sums, a, da, db, t, std::make_index_sequence<COLS / 2>());
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  for (int i = 0; i < COLS / 2; ++i) t.d[element(i)] = sums[i];
}

template <int COLS, simt::Element A, simt::Element B = A, bool HALVES = false>
void launch(bool registers, const Task& task) {
  if (registers) {
    product_kernel<COLS, A, B, HALVES, true><<<1, 128, MOST_UNITS * 16>>>(task);
  } else {
    product_kernel<COLS, A, B, HALVES, false><<<1, 128, MOST_UNITS * 16>>>(task);
  }
}

template <int COLS>
void launch_cols(int cols, const Task& task) {
  if (cols == COLS) {
    product_kernel<COLS, simt::Element::F16, simt::Element::F16, false, false>
        <<<1, 128, MOST_UNITS * 16>>>(task);
  } else if constexpr (COLS > 8) {
    launch_cols<COLS - 8>(cols, task);
  }
}

void multiply(Type type, bool registers, int cols, const Task& task) {
  using simt::Element;
  switch (type) {
    case Type::F16:
      return registers ? launch<64, Element::F16>(true, task) : launch_cols<256>(cols, task);
    case Type::BF16:
      return launch<64, Element::BF16>(registers, task);
    case Type::TF32:
      return launch<64, Element::TF32>(registers, task);
    case Type::E4M3:
      return launch<64, Element::E4M3>(registers, task);
    case Type::E5M2:
      return launch<64, Element::E5M2>(registers, task);
    case Type::F16_HALF_SUMS:
      return launch<64, Element::F16, Element::F16, true>(registers, task);
    case Type::MIXED:
      return launch<64, Element::E4M3, Element::E5M2>(registers, task);
  }
}

}  // namespace wgmma
