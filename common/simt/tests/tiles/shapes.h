// Kernels for shapes_test.cpp: products of wmma in all shapes and types. All pointers are device memory.
#pragma once
#include <cuda_runtime.h>

namespace shapes {

enum class Type { kHalf, kBfloat16, kSigned, kUnsigned, kTf32, kDouble };
enum class Sum { kFloat, kHalf, kHalfToFloat, kInt, kDouble };

struct Product {
  int m, n, k;
  Type type;
  Sum sum;
  bool col_a, col_b, col_c;  // column-major
  bool shared;  // A and B come from shared memory
};
// d = 2 * (a * b + c) of one warp, and d of an element doubled in x[]; all matrices are dense, of their types. False if
// there is no kernel for it.
bool multiply(const Product& product, const void* a, const void* b, const void* c, void* d);

// A product of bytes whose sum is too large: wraps, and saturates. Of a value, __float_to_tf32().
void saturate(const signed char* a, int* d);
void to_tf32(const float* x, float* out, int count);

enum class Mistake {
  kHalfWarp,  // half a warp loads doubles
  kMisaligned,  // a tile of bytes that begins 16 bytes off
  kBehind,  // tf32 behind the end
  kRace  // one warp stores sums in shared memory, another loads them
};
void mistake(Mistake which, const void* in, float* out);

}  // namespace shapes
