// Compares the mean squared error of many elements with that of K roundings to nearest. A bound for single elements must
// allow for unlucky ones. A bound for the mean need not, so it shows the loss of one or two bits.
#include <algorithm>

#include "tests/lessons/values/given.h"

namespace {

// Right lessons have a ratio of about 1. Tensor cores truncate instead of rounding to nearest, several times per sum. A
// ratio of 1000 allows 32 times the error; inputs that lost a bit give 10^4 and more. If the output is rounded to half or bf16,
// that rounding dominates; a second one doubles the mean square. FP8 tensor cores keep 14 bits instead of 24, so their
// errors are some 2^10 times as large; FP8 inputs that lost a bit give 10^9 and more.
double most_ratio() {
  if (kNarrow) return 1.5;
  if (!backend::cuts_sums()) return 2;
  return kScaled ? 1e7 : std::is_same_v<Input, half> ? 1000 : 2;
}

// The mean squared error of gemm() divided by that of a sum that is rounded after each of its K terms. The error of
// rounding x is uniform, up to u / 2 times the power of two below x. Over all x its variance is 0.18 u^2 x^2.
double error_ratio(int M, int N, int K, double alpha, double beta, bool positive = false) {
  Given g(M, N, K, alpha, beta);
  g.fill(Inputs(Mode::kRounding, 0, uint64_t(K)));
  if (positive) {
    Given::for_each(M, K,
                    [&](int row, int k) { g.a(row, k) = Input(std::fabs(widen(g.a(row, k)))); });
    Given::for_each(K, N,
                    [&](int k, int col) { g.b(k, col) = Input(std::fabs(widen(g.b(k, col)))); });
  }
  const std::vector<Output> results = g.run();
  double errors = 0, expected = 0;
  Given::for_each(M, N, [&](int row, int col) {
    Wide<Acc> sum = 0;
    double squares = 0;
    for (int k = 0; k < K; ++k) {
      sum += Wide<Acc>(widen(g.a(row, k))) * Wide<Acc>(widen(g.b(k, col)));
      squares += double(sum * sum);
    }
    const Wide<Acc> product = g.alpha * sum, added = g.beta * Wide<Acc>(widen(g.c(row, col)));
    const Wide<Acc> before = product + added + g.bias(col);
    const Wide<Acc> value = kFused ? gelu(double(before)) : before;
    const double error = double(Wide<Acc>(widen(results[size_t(row) * N + col])) - value);
    errors += error * error;
    expected += double(g.alpha * g.alpha) * squares + double(product * product) +
                double(added * added) + double(before * before);
    if (kNarrow) expected += std::pow(unit_roundoff<Output>() / unit_roundoff<Acc>() * value, 2);
  });
  const double u = unit_roundoff<Acc>();
  return errors / (0.18 * u * u * expected);
}

void expect_accurate(int M, int N, int K, double alpha = 1, double beta = 0) {
  if (std::is_integral_v<Acc>) return;
  const double ratio = error_ratio(M, N, K, alpha, beta);
  INFO("M N K " << M << " " << N << " " << K << ", alpha " << alpha << ", beta " << beta
                << ": the mean squared error is " << ratio << " times that of K roundings");
  CHECK(ratio <= most_ratio());
}

}  // namespace

TEST_CASE("the mean error is at most that of K roundings", "[values]") {
  expect_accurate(23, 37, 16);  // with few terms, lost bits of the inputs show most
  expect_accurate(23, 37, 512);
  expect_accurate(16, 32, 4104);  // in lessons 12, 14 and 16 two blocks share 65 steps
  expect_accurate(BM, BN, std::max(3 * BK, 96));
  expect_accurate(BM, BN, 512);
}

TEST_CASE("the mean error with alpha and beta", "[values]") {
  expect_accurate(23, 37, 16, 1.0 / 3, 0);
  expect_accurate(23, 37, 16, 0.1, -0.7);
  expect_accurate(BM, BN, std::max(3 * BK, 96), 0.1, 1.0 / 3);
}

// With positive inputs the rounding errors of one long sum grow with each addition. Lesson 15 sums in two levels instead.
TEST_CASE("sums of pieces have smaller errors than those of a loop", "[values]") {
  if (!kPieces) return;
  const double ratio = error_ratio(16, 32, 4096, 1, 0, true);
  INFO("the mean squared error is " << ratio << " times that of K roundings");
  CHECK(ratio <= 0.013);
}
