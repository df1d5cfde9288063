// One warpgroup with wgmma (products.cu).
#pragma once
#include <cuda_fp16.h>

#include <cstdint>

namespace wgmma {

// Operands in shared memory: an image of it, which begins at a multiple of 1024 bytes, and where in the image a
// descriptor without its address finds each of them. Or A in registers: 64 rows of 32 bytes, in the order of rows.
struct Task {
  const uint4* image;
  int units;  // of 16 bytes
  uint64_t a, b;  // descriptors
  int a_at, b_at;  // bytes
  const uint32_t* a_rows;  // of registers
  bool add;
  bool negative_a, negative_b, transposed_a, transposed_b;
  const float* c;  // 64 rows of N, row-major
  float* d;
};

constexpr int MOST_UNITS = 3072;

enum class Type { F16, BF16, TF32, E4M3, E5M2, F16_HALF_SUMS, MIXED };
constexpr int TYPES = 7;

// d = c + a * b, or a * b. cols: 8 to 256; with other types than F16, and with A in registers, 64 only.
void multiply(Type type, bool a_in_registers, int cols, const Task& task);

}  // namespace wgmma
