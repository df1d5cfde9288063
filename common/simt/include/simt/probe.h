// The probe: names of matrices for messages, and what the first block did with their elements, line by line.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "simt/report.h"

namespace simt {

// A row-major matrix in device memory: ld and element in elements and in bytes.
struct NamedMatrix {
  std::string name;
  const void* begin;
  uint64_t rows, cols, ld;
  unsigned element;
};

// From now on until its memory is freed, errors name the elements of this matrix: C[3][5].
void name_matrix(const NamedMatrix& matrix);

// What the threads of the first block did with the elements of a matrix at one line, in elements.
struct ElementUse {
  Place place;
  std::string matrix;  // "block" for what is of no matrix: multiply-adds
  uint64_t loaded = 0;  // from global memory, asynchronously or not
  uint64_t again = 0;  // of these, loaded by the block before
  uint64_t wide = 0;  // of these, by accesses of 16 bytes
  uint64_t copied = 0;  // of these, asynchronously
  uint64_t filled = 0;  // bytes of shared memory that asynchronous copies reached first here
  uint64_t steps = 0;  // values of k for which the block loaded an element first here
  uint64_t arrived = 0;  // copies that a wait at this line ended ...
  uint64_t ahead =
      0;  // ... after their thread had done at least a quarter of its multiply-adds a wait
  uint64_t boxed_ahead = 0;  // of those loaded: by TMA, while a wgmma.mma_async ran
  uint64_t read = 0;  // from shared memory by threads
  uint64_t reread = 0;  // of these, by a thread that had read them before
  uint64_t first = 0;  // of these, not read by the block before
  uint64_t across =
      0;  // of these, by 16 bytes for one thread, or four words in a row: rows or columns at one k
  uint64_t fma = 0, tensor_fma = 0;  // multiply-adds, of threads and of tensor cores
};

// The kernels from now on, until the process ends, work on A and B, whose columns and rows are k. Their
// elements have different values, which tell them in shared memory, too.
void probe(const NamedMatrix& A, const NamedMatrix& B);
// What the first blocks of the launches since then did, sorted by matrix and line.
std::vector<ElementUse> element_uses();

}  // namespace simt
