// The elements of each lane, for fragments of any shape. A wmma product consists of m16n8 products of mma.sync, whose
// layout the PTX manual shows. m8n32 is a product of the transposed matrices. nvcc does the same for sm_90.
#pragma once
#include "execution/execution.h"
#include "matrices/fragments.h"
#include "races/races.h"
#include "simt/api/tiles.h"

namespace simt {

// The lanes meet; all must name the same aligned tile. element: bytes. least: the least distance of its rows.
void meet_at_tile(WarpOp op, const Tile& tile, unsigned element, unsigned least);

// While it exists, errors of the running thread name the distance of the tile's rows.
class AboutTile {
 public:
  explicit AboutTile(const Tile& tile) { Recorder::running->findings().about(&tile); }
  AboutTile(const AboutTile&) = delete;
  AboutTile& operator=(const AboutTile&) = delete;
  ~AboutTile() { Recorder::running->findings().about(nullptr); }
};

unsigned size_of(FragmentType type);
inline unsigned rows_of(const FragmentForm& form) {
  return form.use == FragmentUse::B ? form.k : form.m;
}
inline unsigned cols_of(const FragmentForm& form) {
  return form.use == FragmentUse::A ? form.k : form.n;
}
// Distinct elements of a lane.
inline unsigned elements_of(const FragmentForm& form) {
  return rows_of(form) * cols_of(form) / 32;
}
// The position of element i of the lane.
Position position_of(const FragmentForm& form, unsigned lane, unsigned i);
// Groups of run_of() elements of a lane are neighbours in a row if runs_along_rows() (A and most accumulators), else in
// a column.
bool runs_along_rows(const FragmentForm& form);
unsigned run_of(const FragmentForm& form);

}  // namespace simt
