// One warp with ldmatrix and mma.sync (ptx.cu).
#pragma once
#include <cuda_fp16.h>

#include <cstdint>

namespace ptx {

constexpr int ROWS = 32, COLS = 64;  // a tile in shared memory: rows of 128 bytes, all banks

// ldmatrix of `count` (1, 2, 4) matrices that lie below each other in columns 8 to 15 of a tile; to
// gets register i of lane l at i * 32 + l. Unit u of 16 bytes of row r lies where r % period ^ u is.
void load(const half* tile, uint32_t* to, int count, bool transposed, int period);

// stmatrix.x4, then all rows of the four matrices: lane l has l * 4 + i in the lower half of register i, and 128 more
// in the upper one.
void store(bool transposed, uint16_t* to);

// d = a * b + c, row-major, 16 x 16 by 16 x 8. Wrong: two registers of a are exchanged.
void multiply(const half* a, const half* b, const float* c, float* d, bool wrong);

// Copies 32 float4 by cp.async, of which the odd ones are read to their first half, and waits for both groups, or not.
void copy(const float4* from, float4* to, bool waits);

// Of one thread: 2^x, 1/x and tanh(x) * y + y; x and y as two halves and as two bfloat16, x in the upper one, rounded to
// nearest, then to zero; y as a bfloat16.
void numbers(float x, float y, float* out, uint32_t* packed);

enum class Mistake {
  None,
  Misaligned,
  WeaklyAligned,
  Unwritten,
  NoBarrier,
  Outside,
  NoAddress,
  NotShared,
  HalfWarp,
  TwoForms,
  SmallBlock,
  HalfProduct
};
void make(Mistake mistake, float* out);

}  // namespace ptx
