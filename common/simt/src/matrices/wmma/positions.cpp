#include "matrices/wmma/positions.h"

#include <algorithm>

namespace simt {
namespace {

bool is_transposed(const FragmentForm& form) {
  return form.m == 8 && form.n == 32;
}

// A position in A or B: outer counts along M or N, inner along K. Lanes 4 i to 4 i + 3 hold line i of 8.
Position operand_position(const FragmentForm& form, unsigned lane, unsigned i) {
  const bool is_a = form.use == FragmentUse::A;
  const unsigned lines = is_a ? form.m : form.n;
  const unsigned run = run_of(form), blocks = form.k / (4 * run);
  // In the operand of mma.m16n8 with 16 lines, elements 8 lines apart follow each other.
  const unsigned halves = is_a != is_transposed(form) && lines >= 16 ? 2 : 1;
  const unsigned step = i / run;
  const unsigned outer = lane / 4 + step % halves * 8 + step / (halves * blocks) * 8 * halves;
  const unsigned inner = lane % 4 * run + i % run + step / halves % blocks * 4 * run;
  return is_a ? Position{outer, inner} : Position{inner, outer};
}

Position accumulator_position(const FragmentForm& form, unsigned lane, unsigned i) {
  const bool transposed = is_transposed(form);
  const unsigned lines = transposed ? form.n : form.m, across = transposed ? form.m : form.n;
  const unsigned halves = lines >= 16 ? 2 : 1, step = i / 2;
  const unsigned tile = step / halves, tiles = across / 8;
  const unsigned line = lane / 4 + step % halves * 8 + tile / tiles * 8 * halves;
  const unsigned at = lane % 4 * 2 + i % 2 + tile % tiles * 8;
  return transposed ? Position{at, line} : Position{line, at};
}

}  // namespace

unsigned size_of(FragmentType type) {
  switch (type) {
    case FragmentType::F16:
    case FragmentType::BF16:
      return 2;
    case FragmentType::S8:
    case FragmentType::U8:
      return 1;
    case FragmentType::F64:
      return 8;
    default:
      return 4;
  }
}

Position position_of(const FragmentForm& form, unsigned lane, unsigned i) {
  return form.use == FragmentUse::Accumulator ? accumulator_position(form, lane, i)
                                              : operand_position(form, lane, i);
}

bool runs_along_rows(const FragmentForm& form) {
  return form.use == FragmentUse::Accumulator ? !is_transposed(form) : form.use == FragmentUse::A;
}

unsigned run_of(const FragmentForm& form) {
  return form.use == FragmentUse::Accumulator ? 2 : std::max(1u, 4 / size_of(form.type));
}

}  // namespace simt
