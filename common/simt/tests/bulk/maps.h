// Tensor maps of a matrix, and where the bytes of its boxes lie, for the tests of TMA.
#pragma once
#include <cuda.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simt/report.h"
#include "tests/catch.h"
#include "tests/device_array.h"

using Bytes = std::vector<unsigned char>;

constexpr int ROWS = 37, COLS = 75,
              PITCH = 160;  // of a matrix of 16-bit elements; bytes from row to row

inline Bytes matrix() {
  Bytes all(ROWS * PITCH);
  for (size_t i = 0; i < all.size(); ++i) all[i] = (unsigned char)(i * 7 + i / 251);
  return all;
}

// Everything right; a test makes one thing wrong.
struct Encode {
  cuuint32_t rank = 2;
  uintptr_t shift = 0;  // of the address
  cuuint64_t sizes[5] = {COLS, ROWS, 1, 1, 1};
  cuuint64_t strides[4] = {PITCH, PITCH* ROWS, PITCH* ROWS, PITCH* ROWS};
  cuuint32_t box[5] = {64, 16, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  CUresult make(CUtensorMap& map, void* address) const {
    return cuTensorMapEncodeTiled(&map, type, rank, static_cast<char*>(address) + shift, sizes,
                                  strides, box, steps, interleave, swizzle,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  }
};

// The place of byte i of a box, by the PTX manual's pictures: units of 16 bytes in lines of 128, and the line's number
// changes the unit's.
inline size_t place(size_t i, int swizzle) {
  const size_t row = i / 128, unit = i / 16 % 8;
  const size_t flip = swizzle == 128  ? row % 8
                      : swizzle == 64 ? row % 4
                      : swizzle == 32 ? row % 2
                                      : 0;
  return row * 128 + (unit ^ flip) * 16 + i % 16;
}

constexpr int SWIZZLES[] = {0, 32, 64, 128};

// The sectors and bytes of what lies in the matrix of a box at (row, col).
inline void check_traffic(const simt::GlobalTraffic& counted, const unsigned char* matrix,
                          const Encode& e, int row, int col) {
  uint64_t sectors = 0, bytes = 0;
  const int first = std::max(col, 0), last = std::min(col + int(e.box[0]), COLS);
  for (int r = std::max(row, 0); r < std::min(row + int(e.box[1]), ROWS) && first < last; ++r) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(matrix) + size_t(r * PITCH + first * 2);
    const uintptr_t end = begin + size_t(last - first) * 2;
    sectors += (end + 31) / 32 - begin / 32;
    bytes += end - begin;
  }
  CHECK(counted.requests == 1);
  CHECK(counted.sectors == sectors);
  CHECK(counted.bytes == bytes);
}
