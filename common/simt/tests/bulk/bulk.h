// Kernels in which TMA brings boxes to shared memory and back; bulk.cu and the test that runs it.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

namespace bulk {

enum class Mistake {
  None,
  NoWait,  // reads at once
  ArriveOnly,  // no expect_tx: the phase ends without the bytes
  TooFew,  // two boxes, and expect_tx of one of them
  TooMany,
  WrongParity,  // of a phase that is over
  OtherBarrier,  // waits at one where nothing comes
  NoFence,  // between the barrier's init and its use by TMA
  Refill,  // while others may still read
  NoArrival,  // the thread that asks for the copy does not arrive
  Misaligned,
  OutsideShared,
  NoMap,
  OtherRank,
  NoBarrier,
  Unwaited,  // nobody waits for the copy at all
  Inval,  // of the barrier, while the copy is on its way
  StoreUnfenced,  // shared memory written by threads, no fence before TMA reads it
  StoreUnsynced,
  StoreOverwritten,  // before TMA is known to have read it
  StoreUnwaited,  // nobody waits until it has
  SliceEarly,  // before the launch ahead is known to have ended
  SliceOwnMap,  // the map is a parameter that is not __grid_constant__
  SliceUnfenced,
  SliceUnsynced,  // lanes write that do not know of the wait, here before it
  SliceUnsyncedBehind,  // and here behind it
  SliceTooSoon,  // a wait for one group too few
  SliceOnlyRead,  // global memory is read when shared memory has been
  Count
};

// Rows of a box: `width` bytes each, and as far apart as `swizzle` where that is more.
struct Rows {
  int width = 128, swizzle = 128;
};
// One block of 64 threads. Copies the box of so many bytes whose corner is (row, col) to shared memory, and from there to
// `to`, without what lies between its rows.
void load(const CUtensorMap& map, int row, int col, int bytes, unsigned char* to,
          Mistake mistake = Mistake::None, Rows rows = {});
// The same of so many bytes in a row.
void load_row(const unsigned char* from, int bytes, unsigned char* to);
// Threads write 0, 1, 2 ... as bytes to shared memory, and TMA stores them.
void store(const CUtensorMap& map, int row, int col, int bytes, Mistake mistake = Mistake::None,
           Rows rows = {});
void store_row(unsigned char* to, int bytes);
// Blocks of one warp write 8 rows each of a matrix of floats by way of two slices of 32 columns in turn, of which one
// leaves while the other is filled: r * 128 + c at row r, column c, of 128. seen: what each finds there at last.
constexpr int BLOCKS = 4;
void store_slices(const CUtensorMap& map, const float* matrix, float* seen, Mistake mistake);

}  // namespace bulk
