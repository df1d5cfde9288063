// A problem whose elements are told one by one, for values that common/harness/answer/inputs.h does not make.
#pragma once
#include <cmath>
#include <limits>
#include <vector>

#include "common/harness/answer/inputs.h"
#include "common/harness/answer/matrix.h"
#include "common/harness/answer/reference.h"
#include "tests/lessons/suite/lesson_cases.h"

constexpr bool kFractions = !std::is_integral_v<Acc>;

struct Shape {
  int M, N, K;
};
// Whose tile of C is computed in parts along K by a lesson that plans so for two multiprocessors.
constexpr Shape kParts = {60, 104, 640};

class Given {
 public:
  // Integers from -4 to 4, never 0, until told otherwise: sums of their products are exact.
  Given(int M, int N, int K, double alpha = 1, double beta = 0)
      : M(M),
        N(N),
        K(K),
        alpha(Acc(alpha)),
        beta(Acc(beta)),
        A_(size_t(M) * K),
        B_(size_t(K) * N),
        C_(size_t(M) * N) {
    fill(Inputs(Mode::kExact, 4, uint64_t(M) * 31 + uint64_t(K)));
  }

  void fill(const Inputs& inputs) {
    for_each(M, K, [&](int row, int col) { a(row, col) = inputs.a<Input>(row, col); });
    for_each(K, N, [&](int row, int col) { b(row, col) = inputs.b<Input>(row, col); });
    for_each(M, N, [&](int row, int col) { c(row, col) = inputs.c<Acc>(row, col); });
  }

  Input& a(int row, int k) { return A_[size_t(row) * K + k]; }
  Input& b(int k, int col) { return B_[size_t(k) * N + col]; }
  Acc& c(int row, int col) { return C_[size_t(row) * N + col]; }

  template <typename Visit>
  static void for_each(int rows, int cols, Visit visit) {
    for (int row = 0; row < rows; ++row) {
      for (int col = 0; col < cols; ++col) visit(row, col);
    }
  }

  // C after gemm(): M x N elements. same: A is B, too, which must have its elements.
  std::vector<Acc> run(bool same = false) {
    const int64_t guard = backend::is_gpu() ? 256 : 0;  // else the ends of allocations are watched
    DeviceMatrix<Input> A(M, K, {K, guard, 0}, Poison::kNaN);
    DeviceMatrix<Input> B(K, N, {N, guard, 0}, Poison::kNaN);
    DeviceMatrix<Acc> C(M, N, {N, guard, 0}, Poison::kHuge);
    A.fill([&](int row, int col) { return a(row, col); });
    B.fill([&](int row, int col) { return b(row, col); });
    C.fill([&](int row, int col) { return c(row, col); });
    const Input* const b = same ? A.data() : B.data();
    watched<Input, Acc, gemm>({M, N, K, alpha, A.data(), K, b, N, beta, C.data(), N});
    CUDA_CHECK(cudaDeviceSynchronize());
    std::vector<Acc> results;
    C.scan([&](int, int, Acc got) { results.push_back(got); },
           [&](int64_t, int64_t) { FAIL("memory outside C was written"); });
    return results;
  }

  // Runs gemm() and compares.
  void expect_right() { expect_right(run()); }

  // Compares M x N results: NaN where IEEE arithmetic gives NaN, the same infinity where it gives that
  // or the result is too large, and all else within the roundings of alpha s + beta c. The sums s must
  // be exact.
  void expect_right(const std::vector<Acc>& results) {
    int wrong = 0;
    for_each(M, N, [&](int row, int col) {
      const Acc got = results[size_t(row) * N + col];
      if (!right(row, col, got) && wrong++ == 0) {
        INFO("M N K " << M << " " << N << " " << K << ", alpha " << alpha << ", beta " << beta
                      << ": C[" << row << "][" << col << "] is " << got);
        CHECK(right(row, col, got));
      }
    });
    CHECK(wrong == 0);
  }

  const int M, N, K;
  const Acc alpha, beta;

 private:
  bool right(int row, int col, Acc got) {
    Wide<Acc> sum = 0;
    for (int k = 0; k < K; ++k) {
      sum += Wide<Acc>(widen(a(row, k))) * Wide<Acc>(widen(b(k, col)));
    }
    const Wide<Acc> product = Wide<Acc>(alpha) * sum;
    const Wide<Acc> added = beta == 0 ? 0 : Wide<Acc>(beta) * Wide<Acc>(c(row, col));
    const Wide<Acc> value = product + added;
    if (std::isnan(double(value))) return std::isnan(double(got));
    if (std::fabs(value) > Wide<Acc>(std::numeric_limits<Acc>::max())) {
      return std::isinf(double(got)) && (got > 0) == (value > 0);
    }
    const Wide<Acc> roundings = 2.5 * unit_roundoff<Acc>();
    return std::fabs(Wide<Acc>(got) - value) <=
           roundings * (std::fabs(product) + std::fabs(added)) +
               Wide<Acc>(std::numeric_limits<Acc>::denorm_min());
  }

  std::vector<Input> A_, B_;
  std::vector<Acc> C_;
};
