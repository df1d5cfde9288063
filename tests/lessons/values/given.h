// A problem whose elements a test sets one by one, for values that common/harness/answer/inputs.h does not create.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "common/harness/answer/inputs.h"
#include "common/harness/answer/matrix.h"
#include "common/harness/answer/reference.h"
#include "tests/lessons/suite/lesson_cases.h"

constexpr bool kFractions = !std::is_integral_v<Acc>;

struct Shape {
  int M, N, K;
};

// The message of gemm()'s exception, "" if it throws none.
inline std::string thrown(const Problem& p) {
  try {
    gemm(p);
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "";
}

// A shape for which lessons that plan use split-K on two multiprocessors.
constexpr Shape kParts = {60, 104, 640};

// Makes each of gemm()'s CUDA calls fail once, in turn. Returns "NAME: MESSAGE" for each, with the exception's message.
// On the CPU backend only.
inline std::vector<std::string> calls_of(const Case& c) {
  std::vector<std::string> found;
  const Operands<Input, Acc, Output> operands(c);
  for (int n = 1; n < 100; ++n) {
    fail_call(n);
    const std::string text = thrown(operands.problem());
    const std::string failed = failed_call();
    fail_call(0);
    cudaGetLastError();
    if (failed.empty()) break;
    found.push_back(failed + ": " + text);
  }
  return found;
}

// The elements of C, outside of which nothing may have been written.
inline std::vector<Output> elements(const DeviceMatrix<Output>& C) {
  std::vector<Output> found;
  C.scan([&](int, int, Output got) { found.push_back(got); },
         [](int64_t, int64_t) { FAIL("memory outside C was written"); });
  return found;
}

// What a problem has besides matrices, in device memory: a bias; scales, which are 1 unless given.
class More {
 public:
  More(int M, int N, int K, const std::vector<Output>& bias,
       const std::vector<float>& scales_A = {}, const std::vector<float>& scales_B = {})
      : bias_(kFused ? 1 : 0, N, place(N), Poison::kNaN),
        scales_A_(kScaled ? ceil_div(K, SCALED) : 0, M, place(M), Poison::kNaN),
        scales_B_(kScaled ? ceil_div(N, SCALED) : 0, ceil_div(K, SCALED),
                  place(ceil_div(K, SCALED)), Poison::kNaN) {
    bias_.fill([&](int, int col) { return bias[col]; });
    const auto fill = [](DeviceMatrix<float>& to, const std::vector<float>& from, int width) {
      to.fill([&](int r, int c) { return from.empty() ? 1 : from[size_t(r) * width + c]; });
    };
    fill(scales_A_, scales_A, M);
    fill(scales_B_, scales_B, ceil_div(K, SCALED));
  }

  Problem with(const Gemm<Input, Acc, Output, false>& product) const {
    return with_more<Input, Acc, Output>(product, bias_.data(), scales_A_.data(), scales_B_.data());
  }

 private:
  static Placement place(int width) { return {width, backend::is_gpu() ? 256 : 0, 0}; }

  DeviceMatrix<Output> bias_;
  DeviceMatrix<float> scales_A_, scales_B_;
};

class Given {
 public:
  // Starts with integers from -4 to 4 without 0, so that sums of their products are exact.
  Given(int M, int N, int K, double alpha = 1, double beta = 0)
      : M(M),
        N(N),
        K(K),
        alpha(Acc(alpha)),
        beta(Acc(beta)),
        A_(size_t(M) * K),
        B_(size_t(K) * N),
        C_(size_t(M) * N),
        bias_(kFused ? N : 0) {
    fill(Inputs(Mode::kExact, 4, uint64_t(M) * 31 + uint64_t(K)));
  }

  void fill(const Inputs& inputs) {
    for_each(M, K, [&](int row, int col) { a(row, col) = inputs.a<Input>(row, col); });
    for_each(K, N, [&](int row, int col) { b(row, col) = inputs.b<Input>(row, col); });
    for_each(M, N, [&](int row, int col) { c(row, col) = inputs.c<Output>(row, col); });
    for (size_t col = 0; col < bias_.size(); ++col) bias_[col] = inputs.bias<Output>(int(col));
  }

  // The layout of A is gemm()'s: transposed if it takes a transposed A.
  std::pair<int, int> shape_of_A() const { return ::shape_of_A(M, K); }
  Input& a(int row, int k) {
    return A_[takes_transposed_A() ? size_t(k) * M + row : size_t(row) * K + k];
  }
  std::pair<int, int> shape_of_B() const { return ::shape_of_B<Input>(K, N); }
  Input& b(int k, int col) { return B_[kScaled ? size_t(col) * K + k : size_t(k) * N + col]; }
  Output& c(int row, int col) { return C_[size_t(row) * N + col]; }

  // The bias of a column, which an epilogue adds. No effect without one.
  void set_bias(int col, Output value) {
    if (kFused) bias_[col] = value;
  }
  Wide<Acc> bias(int col) const { return kFused ? Wide<Acc>(widen(bias_[col])) : 0; }

  // The scale of an element of A or B, 1 until set_scales().
  float scale_of_A(int row, int k) const {
    return scales_A_.empty() ? 1 : scales_A_[size_t(k / SCALED) * M + row];
  }
  float scale_of_B(int k, int col) const {
    return scales_B_.empty() ? 1
                             : scales_B_[size_t(col / SCALED) * ceil_div(K, SCALED) + k / SCALED];
  }

  // of_A(row, step) and of_B(step, block of columns) return scales; a step is SCALED of K.
  template <typename OfA, typename OfB>
  void set_scales(OfA of_A, OfB of_B) {
    const int steps = ceil_div(K, SCALED);
    for_each(steps, M, [&](int step, int row) { scales_A_.push_back(of_A(row, step)); });
    for_each(ceil_div(N, SCALED), steps,
             [&](int block, int step) { scales_B_.push_back(of_B(step, block)); });
  }

  // Calls gemm() with matrices in device memory.
  void call(const Gemm<Input, Acc, Output, false>& product) const {
    const More more(product.M, product.N, product.K, bias_, scales_A_, scales_B_);
    watched<Input, Acc, Output, gemm>(more.with(product));
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  template <typename Visit>
  static void for_each(int rows, int cols, Visit visit) {
    for (int row = 0; row < rows; ++row) {
      for (int col = 0; col < cols; ++col) visit(row, col);
    }
  }

  // Calls gemm() and returns C's M x N elements. With `same`, A's memory is passed as B, too; their elements must be equal.
  std::vector<Output> run(bool same = false) {
    const int64_t guard = backend::is_gpu() ? 256 : 0;  // the CPU backend watches allocations
    const auto [rows_of_A, cols_of_A] = shape_of_A();
    DeviceMatrix<Input> A(rows_of_A, cols_of_A, {cols_of_A + gap, guard, 0}, Poison::kNaN);
    const auto [rows_of_B, cols_of_B] = shape_of_B();
    DeviceMatrix<Input> B(rows_of_B, cols_of_B, {cols_of_B + gap, guard, 0}, Poison::kNaN);
    DeviceMatrix<Output> C(M, N, {N + gap, guard, 0}, Poison::kHuge);
    A.fill([&, cols = cols_of_A](int row, int col) { return A_[size_t(row) * cols + col]; });
    B.fill([&, cols = cols_of_B](int row, int col) { return B_[size_t(row) * cols + col]; });
    C.fill([&](int row, int col) { return c(row, col); });
    const Input* const b = same ? A.data() : B.data();
    call({M, N, K, alpha, A.data(), cols_of_A + gap, b, cols_of_B + gap, beta, C.data(), N + gap});
    return elements(C);
  }

  void expect_right() { expect_right(run()); }

  // Compares M x N results. NaN must stand where IEEE arithmetic gives NaN, an infinity where it gives that infinity or
  // the result is too large. Other results must be within the roundings of alpha s + beta c, and one more after an
  // epilogue. The sums s must be exact.
  void expect_right(const std::vector<Output>& results) {
    std::vector<Wide<Acc>> wide_a(size_t(M) * K), wide_b(size_t(K) * N), sums(N);
    for_each(M, K, [&](int row, int k) {
      wide_a[size_t(row) * K + k] = Wide<Acc>(widen(a(row, k))) * scale_of_A(row, k);
    });
    for_each(K, N, [&](int k, int col) {
      wide_b[size_t(k) * N + col] = Wide<Acc>(widen(b(k, col))) * scale_of_B(k, col);
    });
    int wrong = 0;
    for (int row = 0; row < M; ++row) {
      std::fill(sums.begin(), sums.end(), Wide<Acc>(0));
      for_each(K, N, [&](int k, int col) {  // in this order, additions need not wait for each other
        sums[col] += wide_a[size_t(row) * K + k] * wide_b[size_t(k) * N + col];
      });
      for (int col = 0; col < N; ++col) {
        const auto got = widen(results[size_t(row) * N + col]);
        if (right(row, col, sums[col], got) || wrong++ != 0) continue;
        INFO("found: wrong: C[" << row << "][" << col << "] is " << got << "; expected "
                                << value_at(row, col, sums[col]));
        INFO("M N K " << M << " " << N << " " << K << ", alpha " << alpha << ", beta " << beta);
        FAIL_CHECK();
      }
    }
    CHECK(wrong == 0);
  }

  const int M, N, K;
  const Acc alpha, beta;
  int gap = 0;  // elements between the rows of each matrix

 private:
  // The right value without roundings. sum: of the products of the row's and the column's elements.
  Wide<Acc> value_at(int row, int col, Wide<Acc> sum) {
    const Wide<Acc> added = beta == 0 ? 0 : Wide<Acc>(beta) * Wide<Acc>(widen(c(row, col)));
    const Wide<Acc> sums = Wide<Acc>(alpha) * sum + added + bias(col);
    return kFused ? Wide<Acc>(gelu(double(Acc(sums)))) : sums;
  }

  bool right(int row, int col, Wide<Acc> sum, Wide<Acc> got) {
    const Wide<Acc> product = Wide<Acc>(alpha) * sum;
    const Wide<Acc> added = beta == 0 ? 0 : Wide<Acc>(beta) * Wide<Acc>(widen(c(row, col)));
    const Wide<Acc> value = value_at(row, col, sum);
    if (std::isnan(double(value))) return std::isnan(double(got));
    const Wide<Acc> roundings = 2.5 * unit_roundoff<Acc>(), most = largest<Output>();
    const Wide<Acc> bound =
        roundings * (std::fabs(product) + std::fabs(added) + std::fabs(bias(col))) +
        Wide<Acc>(smallest<Acc>());
    if (std::fabs(value) > most * (kNarrow ? 1 + unit_roundoff<Output>() / 2 : 1)) {
      return std::isinf(double(got)) && (got > 0) == (value > 0);
    }
    return std::fabs(got - value) <=
           (kFused ? kMostSlope * bound + kEpilogueError * std::fabs(value) : bound) +
               (kNarrow ? smallest<Output>() + unit_roundoff<Output>() * std::fabs(value) : 0);
  }

  std::vector<Input> A_, B_;
  std::vector<Output> C_, bias_;
  std::vector<float> scales_A_, scales_B_;
};
