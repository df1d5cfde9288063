// The elements of each lane of a warp, after the PTX manual ("Matrix fragments for mma.m16n8k16 with floating point
// type"), and a warp's product. A wmma product is two such products side by side.
#pragma once
#include "execution/execution.h"
#include "matrices/product.h"
#include "simt/api/half.h"

namespace simt {

struct Position {
  unsigned row, col;
};

// The position of element i of a lane: 0 to 7 of A; of B and of the accumulator, 0 to 3 in the left 8 columns and 4 to
// 7 in the right ones. Two neighbouring i are neighbours in a row of A, a column of B and a row of the accumulator.
inline Position position_a(unsigned lane, unsigned i) {
  return {lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
}
inline Position position_b(unsigned lane, unsigned i) {
  return {lane % 4 * 2 + i % 2 + i / 2 % 2 * 8, lane / 4 + i / 4 * 8};
}
inline Position position_acc(unsigned lane, unsigned i) {
  return {lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
}

struct Multiply {
  float* d;
  const half* a;
  const half* b;
  const float* c;
};

// d = a * b + c for the whole warp, 16 x 16 by 16 x COLS. arguments: each lane's Multiply.
template <unsigned COLS>
void multiply_warp(void* const arguments[32]) {
  alignas(64) float a[16][16], b[16][COLS], d[16][COLS];
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Multiply& m = *static_cast<Multiply*>(arguments[lane]);
    for (unsigned i = 0; i < 8; ++i) {
      const Position p = position_a(lane, i);
      a[p.row][p.col] = float(m.a[i]);
    }
    for (unsigned i = 0; i < COLS / 2; ++i) {
      const Position pb = position_b(lane, i), pc = position_acc(lane, i);
      b[pb.row][pb.col] = float(m.b[i]);
      d[pc.row][pc.col] = m.c[i];
    }
  }
  const SmallProduct product{d[0], a[0], b[0], COLS, 16, COLS, 16, COLS, 16};
  const bool cut = sums_are_cut();
  if (cut) multiply_add_cut(product, {Element::F16, Element::F16});
  for (unsigned row = 0; row < 16 && !cut; ++row) {
    for (unsigned k = 0; k < 16; ++k) {
      for (unsigned col = 0; col < COLS; ++col) {
        d[row][col] += a[row][k] * b[k][col];
      }
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Multiply& m = *static_cast<Multiply*>(arguments[lane]);
    for (unsigned i = 0; i < COLS / 2; ++i) {
      const Position p = position_acc(lane, i);
      m.d[i] = d[p.row][p.col];
    }
  }
}

}  // namespace simt
