// What tests tell of matrices, on the CPU backend, which watches them, and on a GPU, which cannot.
#pragma once
#include <cstddef>

namespace simt {

// A matrix in device memory as kernels may use it: rows of row_bytes each, whose starts lie pitch bytes
// apart.
struct Window {
  const void* data;
  size_t rows, row_bytes, pitch;
  bool reads, writes;  // whether its elements may be read, or written
};

}  // namespace simt
