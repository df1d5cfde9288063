// The problem that every lesson solves.
#pragma once
#include <cstdint>
#include <type_traits>

struct __nv_fp8_e4m3;  // in cuda_fp8.h
using e4m3 = __nv_fp8_e4m3;  // a float of 8 bits: sign, 4 of the exponent, 3 of the fraction
struct __nv_bfloat16;  // in cuda_bf16.h
using bf16 = __nv_bfloat16;
template <typename T>
constexpr bool IS_SCALED = std::is_same_v<T, e4m3>;  // inputs of this type have scales
template <typename T, typename Acc, typename Out>
constexpr bool HAS_EPILOGUE = !std::is_same_v<Acc, Out> && !IS_SCALED<T>;

// C = alpha * A * B + beta * C, where A is M x K, B is K x N and C is M x N, all in row-major order.
// lda, ldb and ldc are the row strides in elements, at least the width of a row. Pointers need the
// alignment of one element. C overlaps neither A nor B. If beta == 0, C is written and never read, as in BLAS.
// M, N and K may be 0. They are at most 2^31 - 257, so that rounding up to a tile does not overflow an int. A grid has
// at most 65,535 rows of blocks. If M has more tiles, lessons 00 to 08, 10 and 11 report a launch error.
template <typename T, typename Acc, typename Out = Acc,
          bool MORE = !std::is_same_v<Acc, Out> || IS_SCALED<T>>
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

// The same with FP32 scales, because e4m3 has only numbers from 2^-9 to 448. In A each row has a scale for each SCALED
// elements along K, in B each SCALED columns have one. B is N x K, as the weights of a layer are stored, so ldb is at
// least K. With blocks = ceil_div(K, SCALED), row m and column k of A is A[m * lda + k] * scales_A[k / SCALED * M + m],
// and row k and column n of B is B[n * ldb + k] * scales_B[n / SCALED * blocks + k / SCALED].
// C is FP32 or BF16, rounded once.
constexpr int SCALED = 128;
template <typename Out>
struct Gemm<e4m3, float, Out, true> : Gemm<e4m3, float, Out, false> {
  const float *scales_A, *scales_B;
};
