// Which lane holds which element of a fragment of any shape. Shapes of wmma are made of m16n8 products of mma.sync, for
// which the PTX manual shows it; m8n32 is a product of the transposed matrices. So does nvcc's code for sm_90.
#pragma once
#include "execution/execution.h"
#include "matrices/fragments.h"
#include "simt/api/tiles.h"

namespace simt {

// The lanes come together; all must mean the same, well aligned tile. element: bytes.
void meet_at_tile(WarpOp op, const Tile& tile, unsigned element);

unsigned size_of(FragmentType type);
inline unsigned rows_of(const FragmentForm& form) {
  return form.use == FragmentUse::B ? form.k : form.m;
}
inline unsigned cols_of(const FragmentForm& form) {
  return form.use == FragmentUse::A ? form.k : form.n;
}
// Different elements of a lane.
inline unsigned elements_of(const FragmentForm& form) {
  return rows_of(form) * cols_of(form) / 32;
}
// Where element i of the lane lies.
Position position_of(const FragmentForm& form, unsigned lane, unsigned i);
// How many elements of a lane from the first on are neighbours in a row (of A and a usual accumulator), else in a
// column.
bool runs_along_rows(const FragmentForm& form);
unsigned run_of(const FragmentForm& form);

}  // namespace simt
