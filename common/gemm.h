// The problem that every lesson solves.
#pragma once
#include <cstdint>
#include <type_traits>

// C = alpha * A * B + beta * C, where A is M x K, B is K x N and C is M x N, all in row-major order.
// lda, ldb and ldc are the row strides in elements, at least the width of a row. Pointers need the
// alignment of one element. C overlaps neither A nor B. If beta == 0, C is written and never read, as in BLAS.
// M, N and K may be 0. They are at most 2^31 - 257, so that rounding up to a tile does not overflow an int. A grid has
// at most 65,535 rows of blocks. If M has more tiles, lessons 00 to 08, 10 and 11 report a launch error.
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

// The same with an epilogue and another output type: C = gelu(alpha * A * B + beta * C + bias), as in a layer of
// a neural network. bias has N elements, one per column. Everything is computed in Acc and rounded to Out once. As in
// cublasLt, gelu(x) = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) (Hendrycks and Gimpel, "Gaussian Error
// Linear Units", 2016). Instantiated for half inputs, float sums and half output.
template <typename T, typename Acc, typename Out>
struct Gemm<T, Acc, Out, true> : Gemm<T, Acc, Out, false> {
  const Out* bias;
};
