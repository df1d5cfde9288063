// A warp's part of a wgmma product: 16 rows of A times all of B, in float. Products of the element types are exact in
// float; each addition rounds.
#pragma once
#include <cstdint>

#include "simt/api/warpgroup.h"

namespace simt {

constexpr unsigned kMostCols = 256, kMostDepth = 32;

struct Operands {
  alignas(64) float a[16][kMostDepth];
  alignas(64) float b[kMostDepth][kMostCols];
};

// Converts the elements of a unit of 16 bytes to floats.
void widen(Element type, const void* unit, float* to);

// Takes A from the registers of a warp's lanes, four each.
void widen_registers(Element type, const uint32_t registers[32][4], Operands& to);

// d += a * b. A row of d has kMostCols elements; cols is a multiple of 8.
void multiply_add(float* d, const Operands& operands, unsigned cols, unsigned depth);
// The same if d holds integers of 32 bits.
void multiply_add_integers(float* d, const Operands& operands, unsigned cols, unsigned depth);

// How Hopper's tensor cores cut a sum off: they align the products and the sum so far to the largest exponent, drop all
// bits behind the kept ones, add, and drop the bits behind those of the result. Both are bits of the fraction, behind
// that of the exponent. A product has the sum of its factors' exponents.
struct Cut {
  Element a, b;
  int kept = 25, result = 23;
};
// d += a * b with one cut for all of the depth.
void multiply_add_cut(float* d, const Operands& operands, unsigned cols, unsigned depth,
                      const Cut& cut);

// The same for matrices in arrays. rows: a multiple of 16; ldd, lda, ldb: elements of an array's row.
struct SmallProduct {
  float* d;
  const float *a, *b;
  unsigned ldd, lda, ldb;
  unsigned rows, cols, depth;
};
void multiply_add_cut(const SmallProduct& product, const Cut& cut);

#ifdef __x86_64__
inline const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
constexpr bool has_avx2 = false;
#endif

}  // namespace simt
