// Products of a warpgroup whose elements are bytes, by inline PTX (groups.cu).
#pragma once
#include <cstdint>

namespace groups {

// d = d + a * b, 64 x 32 by 32 x 16, row-major, b by columns. The elements of a have signs, or not; a may come from
// registers. generic: the descriptors are made of generic addresses.
struct Task {
  const int8_t* a;
  const int8_t* b;
  int32_t* d;
  bool unsigned_a, registers, generic;
};
void multiply(const Task& task);

}  // namespace groups
