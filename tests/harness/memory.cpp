// The verifier finds reads and writes outside the matrices, and reads of C where beta is 0.
#include <cmath>

#include "tests/harness/host_gemm.h"

TEST_CASE("beta == 0 must not read C") {
  const auto gemm =
      float_gemm([](float sum, const Float& q, const float*, const float*, int row, int col) {
        return sum + q.beta * read(q.C + row * q.ldc + col);
      });
  expect_wrong(gemm, problem(9, 7, 5), "is nan");
}

TEST_CASE("a result that depends on memory beside A or B is wrong") {
  const auto long_row =
      float_gemm([](float sum, const Float& q, const float* A, const float* B, int row, int col) {
        return row < q.M - 1 ? sum + 0 * A[row * q.lda + q.K] * B[col] : sum;
      });
  expect_wrong(long_row, problem(9, 7, 5), "C[0][0] is nan");
  const auto wide_row = float_gemm([](float sum, const Float& q, const float*, const float* B, int,
                                      int col) { return col == q.N - 1 ? sum + 0 * B[q.N] : sum; });
  expect_wrong(wide_row, problem(9, 7, 5), "C[0][6] is nan");
  const auto int_gemm =
      host_gemm([](const Gemm<int, int>& q, const int* A, const int* B, int row, int col) {
        return Dot()(q, A, B, row, col) + (row == 0 ? A[q.K] : 0);
      });
  CHECK(!verdict_of<int, int, int>(int_gemm, problem(9, 7, 5)).right);
}

TEST_CASE("a write outside C is wrong") {
  expect_wrong(right_then([](const Float& p) { write(p.C - 1, 0.0f); }), problem(9, 7, 5),
               "memory outside C was written: row -1 column 11");
  expect_wrong(right_then([](const Float& p) { write(p.C + p.N, 0.0f); }), problem(9, 7, 5),
               "memory outside C was written: row 0 column 7");
  expect_wrong(right_then([](const Float& p) { write(p.C + p.M * p.ldc, NAN); }),
               problem(9, 7, 5, 1), "memory outside C was written: row 9 column 0");
  expect_wrong([](const Float& p) { write(p.C, 0.0f); }, problem(0, 7, 5), "memory outside C");
}

TEST_CASE("a write to A or B is wrong") {
  expect_wrong(right_then([](const Float& p) { write(p.A + p.lda, 0.0f); }), problem(9, 7, 5),
               "A or the memory around it was written: row 1 column 0");
  expect_wrong(right_then([](const Float& p) { write(p.B + p.N, 0.0f); }), problem(9, 7, 5),
               "B or the memory around it was written: row 0 column 7");
}
