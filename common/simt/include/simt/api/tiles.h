// What WMMA asks of the backend, whole warps at a time.
#pragma once
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
void multiply(float* d, const half* a, const half* b, const float* c, const char* file, int line);

}  // namespace simt
