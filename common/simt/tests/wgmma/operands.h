// What the kernels of mistakes.cu multiply.
#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace wgmma {

struct Operands {
  half A[64 * 16], B[16 * 16];
};

// Of the running thread.
struct State {
  uint64_t a, b;  // descriptors
  int warp, lane;
  float* out;
};

// Eight rows of 16 bytes lie together; behind them the other half of K, 128 bytes on, then the next eight rows.
__device__ uint64_t descriptor(const half* operand) {
  return (__cvta_generic_to_shared(operand) & 0x3ffff) / 16 | uint64_t(8) << 16 |
         uint64_t(16) << 32;
}

}  // namespace wgmma
