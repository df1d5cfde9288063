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

}  // namespace simt
