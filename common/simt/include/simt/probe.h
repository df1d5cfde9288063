// The probe: names of matrices for messages, and the first block's use of their elements by line.
#pragma once
#include "simt/names/begin.h"

#include <cstdint>
#include <string>
#include <vector>

#include "simt/report.h"

namespace simt {

// A row-major matrix in device memory. ld: in elements; element: in bytes.
struct NamedMatrix {
  std::string name;
  const void* begin;
  uint64_t rows, cols, ld;
  unsigned element;
};

// From now on until its memory is freed, errors name the elements of this matrix: C[3][5].
void name_matrix(const NamedMatrix& matrix);

// The first block's use of a matrix at one line. Counts are in elements.
struct ElementUse {
  Place place;
  std::string matrix;  // "block" for multiply-adds, which belong to no matrix
  uint64_t loaded = 0;  // from global memory, asynchronously or not
  uint64_t again = 0;  // of these, those that the block had loaded before
  uint64_t wide = 0;  // of these, by accesses of 16 bytes
  uint64_t copied = 0;  // of these, asynchronously
  uint64_t filled = 0;  // bytes of shared memory whose first asynchronous copy is at this line
  uint64_t steps = 0;  // values of k whose first element the block loaded at this line
  uint64_t arrived = 0;  // copies that a wait at this line ended ...
  uint64_t ahead =
      0;  // ... after their thread had done at least a quarter of its multiply-adds per wait
  uint64_t boxed_ahead = 0;  // of those loaded, those by TMA while a wgmma.mma_async ran
  uint64_t read = 0;  // from shared memory by threads
  uint64_t reread = 0;  // of these, by a thread that had read them before
  uint64_t first = 0;  // of these, those that the block had not read before
  uint64_t across =
      0;  // of these, by accesses of 16 bytes, or of four neighbouring words, to rows or columns at one k
  uint64_t fma = 0, tensor_fma = 0;  // multiply-adds, of threads and of tensor cores
};

// From now on, until the process ends, kernels work on A and B; the columns of A and the rows of B are k. Their
// elements have different values, so that a value in shared memory identifies its element.
void probe(const NamedMatrix& A, const NamedMatrix& B);
// The uses by the first blocks of the launches since probe(), sorted by matrix and line.
std::vector<ElementUse> element_uses();

}  // namespace simt

#include "simt/names/end.h"
