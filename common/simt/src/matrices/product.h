// What a warp multiplies of its warpgroup's product: 16 rows of A with all of B, as floats. Products of the types
// are exact in float; sums are rounded one after the other.
#pragma once
#include <cstdint>

#include "simt/api/warpgroup.h"

namespace simt {

constexpr unsigned kMostCols = 256, kMostDepth = 32;

struct Operands {
  alignas(64) float a[16][kMostDepth];
  alignas(64) float b[kMostDepth][kMostCols];
};

// The elements of a unit of 16 bytes as floats.
void widen(Element type, const void* unit, float* to);

// A from the registers of a warp's lanes, four each.
void widen_registers(Element type, const uint32_t registers[32][4], Operands& to);

// d += a * b, where a row of d has kMostCols elements; cols: a multiple of 8.
void multiply_add(float* d, const Operands& operands, unsigned cols, unsigned depth);
// The same where the places of d hold integers of 32 bits.
void multiply_add_integers(float* d, const Operands& operands, unsigned cols, unsigned depth);

}  // namespace simt
