// Every size up to a bound along M, N and K, every block of a grid, and some larger sizes. alpha and beta change with the
// sizes.
#include <algorithm>

#include "tests/lessons/suite/lesson_cases.h"

namespace {

constexpr int kVector = 16 / int(sizeof(Input));  // fast paths need sizes that are multiples of it

// The largest size to test: one more than the tile.
int most(int tile) {
  return std::max(33, tile + 1);
}

Case mixed(int M, int N, int K, int n) {
  static constexpr double kAlphas[] = {1, -1, 2, 3, 1, -2, 5},
                          kBetas[] = {0, 1, -1, 2, 0, -3, 4, 7};
  return sizes(M, N, K, kAlphas[n % 7], kBetas[n % 8]);
}

}  // namespace

TEST_CASE("every size along M, N and K", "[.long]") {
  for (int n = 1; n <= most(BM); ++n) expect_right(mixed(n, 1 + n % 7, 1 + n % 5, n));
  for (int n = 1; n <= most(BN); ++n) expect_right(mixed(1 + n % 6, n, 1 + n % 5, n));
  for (int n = 1; n <= most(BK); ++n) expect_right(mixed(1 + n % 6, 1 + n % 7, n, n));
}

TEST_CASE("every size that fits vectors", "[.long]") {
  for (int i = 1, n = kVector; n <= most(BN) + kVector; n = ++i * kVector) {
    if (n <= most(BM)) expect_right(mixed(n - i % kVector, 8, 8 * (1 + i % 3), i));
    expect_right(mixed(1 + i % 6, n, 8, i));
    if (n <= 2 * BK) expect_right(mixed(1 + i % 5, 8 * (1 + i % 4), n, i));
  }
}

TEST_CASE("every number of whole tiles", "[.long]") {
  for (int n = 1; n <= 12; ++n) {
    expect_right(mixed(BM, BN, n * BK, n));
  }
  for (int n = 2; n <= 4; ++n) {
    expect_right(mixed(n * BM, BN, 3 * BK, n));
    expect_right(mixed(BM, n * BN, 3 * BK, n + 1));
  }
}

TEST_CASE("every block of a grid", "[values]") {
  expect_right(sizes(6 * BM - 1, 5 * BN - 3, 3, -2, 3));
  expect_right(sizes(6 * BM - 3, 5 * BN - 8, 8, 3));
  expect_right(sizes(5 * BM, 4 * BN, 3 * BK, 2, -1));
}

TEST_CASE("round sizes", "[.long]") {
  for (const int n : {200, 256, 512, 777, 1000, 1024}) {
    expect_right(mixed(n, 3, 2, n));
    expect_right(mixed(3, n, 2, n));
    expect_right(mixed(2, 3, n, n));
    expect_right(mixed(n, 8, 8, 1));
    expect_right(mixed(5, n / 8 * 8, 8, 2));
    expect_right(mixed(5, 8, n / 8 * 8, 3));
  }
}

// Vectors need sizes and strides that are multiples of kVector, and aligned pointers. Each condition fails alone, by every
// smaller power of two, in small, deep, wide and tall problems.
TEST_CASE("one missing condition for vectors", "[.long]") {
  for (const Case& shape :
       {sizes(8, 8, 8), sizes(5, 16, 520), sizes(4, 3 * BN + 8, 8), sizes(3 * BM + 4, 8, 8)}) {
    for (const double beta : {0.0, 1.0}) {
      Case c = shape;
      c.beta = beta;
      c.alpha = 1 - 2 * beta;
      for (int by = 1; by < kVector; by *= 2) {
        for (const Case& other : moved(c, by)) expect_right(other);
        c.N += by, expect_right(pitched(c, 0, kVector - by, kVector - by)), c.N -= by;
        c.K += by, expect_right(pitched(c, kVector - by, 0, 0)), c.K -= by;
      }
    }
  }
}

// The same with larger N and K, and with whole tiles, which the vectors of some lessons need.
TEST_CASE("one missing condition for vectors, in a large problem", "[.long]") {
  const auto rounded_up = [](int size, int tile) { return (size + tile - 1) / tile * tile; };
  for (const Case& c :
       {sizes(4, 304, 608, -1, 1), sizes(BM, rounded_up(304, BN), rounded_up(608, BK), -1, 1)}) {
    expect_right(c);
    for (int by = 1; by < kVector; by *= 2) {
      for (const Case& other : moved(c, by)) expect_right(other);
    }
  }
}
