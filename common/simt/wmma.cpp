// nvcuda::wmma: fragments in the layout of mma.m16n8k16, from the PTX manual.
#include <mma.h>

#include <cstring>

#include "common/simt/recorder.h"
#include "common/simt/worker.h"

namespace simt {
namespace {

struct Position {
  unsigned row, col;
};

// Element i (0 to 7) of a lane in each of the three fragments. Two neighbouring i are neighbours in
// a row of A, a column of B and a row of the accumulator.
Position position_a(unsigned lane, unsigned i) {
  return {lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
}
Position position_b(unsigned lane, unsigned i) {
  return {lane % 4 * 2 + i % 2 + i / 2 % 2 * 8, lane / 4 + i / 4 * 8};
}
Position position_acc(unsigned lane, unsigned i) {
  return {lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
}

size_t offset(const Tile& tile, Position p) {
  return tile.column_major ? size_t(p.col) * tile.stride + p.row
                           : size_t(p.row) * tile.stride + p.col;
}

struct Argument {
  const Tile* tile;
  const void* pc;
};

void meet(WarpOp op, const Tile& tile, unsigned element, const void* pc) {
  Worker& worker = *Worker::current();
  Argument argument{&tile, pc};
  worker.warp_op(op, ~0u, {tile.file, tile.line}, &argument, [](void* const*) {});
  if (!worker.recorder().check_tile(tile, element, pc)) {
    worker.abandon();
  }
}

template <typename Position, typename T>
void load(T* x, const Tile& tile, Position position) {
  const unsigned lane = Worker::current()->lane();
  const T* memory = static_cast<const T*>(tile.memory);
  for (unsigned i = 0; i < 8; ++i) {
    x[i] = memory[offset(tile, position(lane, i))];
  }
}

}  // namespace

__attribute__((noinline)) void load_a(half* x, const Tile& tile) {
  meet(WarpOp::MatrixLoad, tile, sizeof(half), __builtin_return_address(0));
  load(x, tile, position_a);
  std::memcpy(x + 8, x, 8 * sizeof(half));
}

__attribute__((noinline)) void load_b(half* x, const Tile& tile) {
  meet(WarpOp::MatrixLoad, tile, sizeof(half), __builtin_return_address(0));
  load(x, tile, position_b);
  std::memcpy(x + 8, x, 8 * sizeof(half));
}

__attribute__((noinline)) void load_accumulator(float* x, const Tile& tile) {
  meet(WarpOp::MatrixLoad, tile, sizeof(float), __builtin_return_address(0));
  load(x, tile, position_acc);
}

__attribute__((noinline)) void store_accumulator(const float* x, const Tile& tile) {
  meet(WarpOp::MatrixStore, tile, sizeof(float), __builtin_return_address(0));
  const unsigned lane = Worker::current()->lane();
  float* memory = static_cast<float*>(tile.memory);
  for (unsigned i = 0; i < 8; ++i) {
    memory[offset(tile, position_acc(lane, i))] = x[i];
  }
}

namespace {

struct Multiply {
  float* d;
  const half* a;
  const half* b;
  const float* c;
};

// The whole warp at once: gathers the fragments, multiplies, scatters.
void multiply_warp(void* const arguments[32]) {
  alignas(64) float a[16][16], b[16][16], d[16][16];
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Multiply& m = *static_cast<Multiply*>(arguments[lane]);
    for (unsigned i = 0; i < 8; ++i) {
      const Position pa = position_a(lane, i), pb = position_b(lane, i);
      const Position pc = position_acc(lane, i);
      a[pa.row][pa.col] = float(m.a[i]);
      b[pb.row][pb.col] = float(m.b[i]);
      d[pc.row][pc.col] = m.c[i];
    }
  }
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned k = 0; k < 16; ++k) {
      for (unsigned col = 0; col < 16; ++col) {
        d[row][col] += a[row][k] * b[k][col];
      }
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Multiply& m = *static_cast<Multiply*>(arguments[lane]);
    for (unsigned i = 0; i < 8; ++i) {
      const Position p = position_acc(lane, i);
      m.d[i] = d[p.row][p.col];
    }
  }
}

}  // namespace

__attribute__((noinline)) void multiply(float* d, const half* a, const half* b, const float* c,
                                        const char* file, int line) {
  Multiply argument{d, a, b, c};
  Worker& worker = *Worker::current();
  worker.recorder().count_multiply(__builtin_return_address(0));
  worker.warp_op(WarpOp::MatrixMultiply, ~0u, {file, line}, &argument, multiply_warp);
}

}  // namespace simt
