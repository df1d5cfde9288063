// The problem that every lesson solves.
#pragma once
#include <cstdint>
#include <type_traits>

// C = alpha * A * B + beta * C, with A an M x K, B a K x N and C an M x N matrix in row-major order.
// lda, ldb and ldc are the distances between the starts of two rows, in elements, and at least the
// width of a row. Pointers need the alignment of one element. C overlaps neither A nor B.
// M, N and K may be 0 and are at most 2^31 - 257, so that rounding up to a tile stays inside an int. 00 to 08, 10 and
// 11 tell an error of the launch where M has more than 65,535 tiles, as many as a grid has rows of blocks.
// beta == 0 means that C is written and never read, as in BLAS.
template <typename T, typename Acc, typename Out = Acc, bool FUSED = !std::is_same_v<Acc, Out>>
struct Gemm {
  int M, N, K;
  Acc alpha;
  const T* A;
  int64_t lda;
  const T* B;
  int64_t ldb;
  Acc beta;
  Out* C;
  int64_t ldc;
};

// The same with an epilogue, what a layer of a neural network does to each element before it is stored, where C has a
// type of its own: C = gelu(alpha * A * B + beta * C + bias). bias has N elements, one for each column. All is computed
// in Acc and rounded to Out once. gelu(x) = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))), as cublasLt has it
// (Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016). For now: half, float, half.
template <typename T, typename Acc, typename Out>
struct Gemm<T, Acc, Out, true> : Gemm<T, Acc, Out, false> {
  const Out* bias;
};
