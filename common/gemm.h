// The problem that every lesson solves.
#pragma once
#include <cstdint>

// C = alpha * A * B + beta * C, with A an M x K, B a K x N and C an M x N matrix in row-major order.
// lda, ldb and ldc are the distances between the starts of two rows, in elements, and at least the
// width of a row. Pointers need the alignment of one element. C overlaps neither A nor B.
// M, N and K may be 0 and are at most 2^31 - 257, so that rounding up to a tile stays inside an int.
// beta == 0 means that C is written and never read, as in BLAS.
template <typename T, typename Acc>
struct Gemm {
  int M, N, K;
  Acc alpha;
  const T* A;
  int64_t lda;
  const T* B;
  int64_t ldb;
  Acc beta;
  Acc* C;
  int64_t ldc;
};
