// nvcuda::wmma: fragments in the layout of mma.m16n8k16.
#include <cstring>
#include <string>

#include "execution/execution.h"
#include "matrices/fragments.h"
#include "matrices/wmma/positions.h"
#include "races/races.h"
#include "simt/api/tiles.h"

namespace simt {
namespace {

// Rows that overlap are stored twice. A load may read them: some programs repeat a row of biases with a stride of 0.
void check_overlap(const Tile& tile, const RawPlace& place, unsigned least) {
  if (tile.stride >= least) return;
  const std::string lines = tile.column_major ? "columns" : "rows";
  Recorder::running->findings().report_and_abandon(
      ErrorKind::BadArgument, place,
      "stores a tile whose " + lines + " of " + std::to_string(least) + " elements begin only " +
          std::to_string(tile.stride) + " elements apart (ldm), so they overlap");
}

}  // namespace

void meet_at_tile(WarpOp op, const Tile& tile, unsigned element, unsigned least) {
  Worker& worker = *Worker::current();
  const RawPlace place(tile.file, tile.line);
  struct Argument {
    const Tile* tile;
    bool differs;
    int first_line;
  } argument{&tile, false, 0};
  worker.warp_op(op, ~0u, place, &argument, [](void* const arguments[32]) {
    const Tile& first = *static_cast<Argument*>(arguments[0])->tile;
    for (unsigned lane = 0; lane < 32; ++lane) {
      Argument& a = *static_cast<Argument*>(arguments[lane]);
      a.first_line = first.line;
      a.differs = a.tile->memory != first.memory || a.tile->stride != first.stride;
    }
  });
  const uintptr_t address = reinterpret_cast<uintptr_t>(tile.memory);
  Findings& findings = Recorder::running->findings();
  const SharedShadow& shared = Recorder::running->shared();
  if (argument.differs) {
    const std::string calls =
        argument.first_line == tile.line
            ? ": all 32 lanes handle one tile"
            : ": lane 0 is at another call, in line " + std::to_string(argument.first_line);
    findings.report_and_abandon(ErrorKind::BadArgument, place,
                                "passes another address or stride than lane 0 of its warp" + calls);
  }
  if (shared.contains(tile.memory) && address % 32 == 0 &&
      shared.alignment(shared.offset(tile.memory)) < 32) {
    const size_t at = shared.offset(tile.memory);
    shared.weakly_aligned(place, "passes a tile at " + shared.name(at) + ", an array", at, 32);
  }
  if (address % 32 != 0) {
    findings.report_and_abandon(ErrorKind::Misaligned, place,
                                "passes a tile whose address is " + std::to_string(address % 32) +
                                    " bytes past a multiple of 32: WMMA needs a multiple of 32");
  }
  if (tile.stride * element % 16 != 0) {
    findings.report_and_abandon(ErrorKind::Misaligned, place,
                                "passes a tile whose row stride is " +
                                    std::to_string(tile.stride * element) +
                                    " bytes: WMMA needs a multiple of 16");
  }
  check_overlap(tile, place, least);
}

namespace {

size_t offset(const Tile& tile, Position p) {
  return tile.column_major ? size_t(p.col) * tile.stride + p.row
                           : size_t(p.row) * tile.stride + p.col;
}

// Elements i and i + 1 of a fragment form one access if they are neighbours in memory.
template <typename T, typename Position>
void record(const Tile& tile, Position position, bool pairs, Access access, const void* pc) {
  const AboutTile about(tile);
  Worker& worker = *Worker::current();
  const unsigned lane = worker.lane();
  const T* memory = static_cast<const T*>(tile.memory);
  for (unsigned i = 0; i < 8; i += pairs ? 2 : 1) {
    Recorder::running->any_access(memory + offset(tile, position(lane, i)),
                                  sizeof(T) * (pairs ? 2 : 1), access, pc, pairs ? 0 : 1);
  }
}

// One ldmatrix.x4 loads a half fragment from shared memory. Each lane gives the address of a row (a column, if
// column_major) of one of four 8 x 8 matrices.
void record_matrix(const Tile& tile, const void* pc) {
  const AboutTile about(tile);
  Worker& worker = *Worker::current();
  const unsigned lane = worker.lane();
  const unsigned line = lane % 16, part = lane / 16 * 8;
  const half* memory = static_cast<const half*>(tile.memory);
  Recorder::running->any_access(memory + size_t(line) * tile.stride + part, 16, Access::MatrixLoad,
                                pc, 2);
}

// The compiler fills variables that have no value with this byte. A lane has 16 halves of A or B, or 8 sums.
bool has_no_value(const void* x) {
  const auto* const bytes = static_cast<const unsigned char*>(x);
  return bytes[0] == 0xfe && std::memcmp(bytes, bytes + 1, 31) == 0;
}

void check_values(const Multiply& operands, const RawPlace& place) {
  const char* const what =
      has_no_value(operands.a)
          ? "multiplies a fragment of A that has no value: nothing has loaded it"
      : has_no_value(operands.b)
          ? "multiplies a fragment of B that has no value: nothing has loaded it"
      : has_no_value(operands.c)
          ? "adds to an accumulator that has no value: wmma::fill_fragment() or = {} makes it zero"
          : nullptr;
  if (what != nullptr) {
    Recorder::running->findings().report_and_abandon(ErrorKind::UnsetLocal, place, what);
  }
}

// A fragment in shared memory, which its threads should keep in registers.
void record_fragment(const void* x, Access access, const void* pc) {
  if (__builtin_expect(!Recorder::running->shared().contains(x), 1)) return;
  for (size_t byte = 0; byte < 32; byte += 16) {
    Recorder::running->any_access(static_cast<const char*>(x) + byte, 16, access, pc, 3);
  }
}

template <typename Position>
void load_half(half* x, const Tile& tile, Position position, bool pairs, const void* pc) {
  meet_at_tile(WarpOp::MatrixLoad, tile, sizeof(half), 0);
  if (Recorder::running->shared().contains(tile.memory)) {
    record_matrix(tile, pc);
  } else {
    record<half>(tile, position, pairs, Access::Load, pc);
  }
  record_fragment(x, Access::Store, pc);
  const unsigned lane = Worker::current()->lane();
  for (unsigned i = 0; i < 8; ++i) {
    x[i] = x[i + 8] = static_cast<const half*>(tile.memory)[offset(tile, position(lane, i))];
  }
}

}  // namespace

__attribute__((noinline)) void load_a(half* x, const Tile& tile) {
  load_half(x, tile, position_a, !tile.column_major, __builtin_return_address(0));
}

__attribute__((noinline)) void load_b(half* x, const Tile& tile) {
  load_half(x, tile, position_b, tile.column_major, __builtin_return_address(0));
}

__attribute__((noinline)) void load_accumulator(float* x, const Tile& tile) {
  const void* const pc = __builtin_return_address(0);
  meet_at_tile(WarpOp::MatrixLoad, tile, sizeof(float), 0);
  record<float>(tile, position_acc, !tile.column_major, Access::Load, pc);
  record_fragment(x, Access::Store, pc);
  const unsigned lane = Worker::current()->lane();
  for (unsigned i = 0; i < 8; ++i) {
    x[i] = static_cast<const float*>(tile.memory)[offset(tile, position_acc(lane, i))];
  }
}

__attribute__((noinline)) void store_accumulator(const float* x, const Tile& tile) {
  const void* const pc = __builtin_return_address(0);
  meet_at_tile(WarpOp::MatrixStore, tile, sizeof(float), 16);
  record_fragment(x, Access::Load, pc);
  record<float>(tile, position_acc, !tile.column_major, Access::Store, pc);
  const unsigned lane = Worker::current()->lane();
  for (unsigned i = 0; i < 8; ++i) {
    static_cast<float*>(tile.memory)[offset(tile, position_acc(lane, i))] = x[i];
  }
}

__attribute__((noinline)) void multiply(float* d, const half* a, const half* b, const float* c,
                                        const char* file, int line) {
  Multiply argument{d, a, b, c};
  check_values(argument, {file, line});
  for (const void* x :
       {static_cast<const void*>(a), static_cast<const void*>(b), static_cast<const void*>(c)}) {
    record_fragment(x, Access::Load, __builtin_return_address(0));
  }
  record_fragment(d, Access::Store, __builtin_return_address(0));
  Worker::current()->warp_op(WarpOp::MatrixMultiply, ~0u, {file, line}, &argument,
                             multiply_warp<16>);
  Recorder::running->log().multiplied(__builtin_return_address(0), 16);
}

}  // namespace simt
