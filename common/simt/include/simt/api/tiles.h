// The backend's functions for WMMA. Each is an operation of a whole warp.
#pragma once
#include <cstdint>

#include "simt/api/half.h"

namespace simt {

struct Tile {
  void* memory;
  unsigned stride;  // elements between two rows, or columns if column_major
  bool column_major;
  const char* file;
  int line;
};

void load_a(half* x, const Tile& tile);
void load_b(half* x, const Tile& tile);
void load_accumulator(float* x, const Tile& tile);
void store_accumulator(const float* x, const Tile& tile);
// The same for other shapes and types.
enum class FragmentUse : uint8_t { A, B, Accumulator };
enum class FragmentType : uint8_t { F16, BF16, S8, U8, TF32, F32, S32, F64 };
struct FragmentForm {
  FragmentUse use;
  FragmentType type;
  uint8_t m, n, k;
  uint8_t copies;  // a lane holds each of its elements this many times
};
void load_fragment(void* x, const FragmentForm& form, const Tile& tile);
void store_fragment(const void* x, const FragmentForm& form, const Tile& tile);
// The forms of A, B, C and D. saturates: integers do not wrap around.
struct FragmentProduct {
  FragmentForm a, b, c, d;
  bool saturates;
};
void multiply_fragments(void* d, const void* a, const void* b, const void* c,
                        const FragmentProduct& product, const char* file, int line);

void multiply(float* d, const half* a, const half* b, const float* c, const char* file, int line);

}  // namespace simt
