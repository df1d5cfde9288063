// Many blocks, many tiles and a large K at little cost: the problems are thin, so few of the tiles' elements exist.
#include <algorithm>

#include "tests/lessons/suite/lesson_cases.h"

namespace {

// K rounded up to a multiple of BK.
int whole_depth(int K) {
  return (K + BK - 1) / BK * BK;
}

}  // namespace

// Numbers of rows, columns and blocks exceed 16, 9 and 8 bits.
TEST_CASE("more than 65536 rows or columns", "[.long][wide]") {
  expect_right(sizes(65536 + 72, 8, 8, 1, 1));
  expect_right(sizes(1, 65536 + 67, 1, 1, 1));
}

TEST_CASE("more than 512 tiles or 32 rows of tiles", "[.long][wide]") {
  expect_right(sizes(33 * BM + 4, BN + 8, 8, 1, 1));
  expect_right(sizes(513 * std::min(BM, 64), 1, 1, -1));
  expect_right(sizes(19 * BM - 3, BN + 1, 3));
  expect_right(sizes(37 * 128 - 3, 264, 3));  // lessons 09 and 13: a partial last group of rows
}

TEST_CASE("more than 65536 along K", "[.long][wide]") {
  expect_right(sizes(4, 16, 65536 + 2 * BK + 8));
}

// With sizes that do not fit vectors, and with whole tiles.
TEST_CASE("eighty tiles along K, on each path", "[.long]") {
  expect_right(sizes(2, 3, std::max(80 * BK, 1200) + 1));
  expect_right(sizes(BM, BN, 80 * BK, 3, 1));
}

TEST_CASE("whole tiles and a large K, with alpha other than 1", "[values]") {
  const int K = whole_depth(544);
  expect_right(sizes(BM, BN, K, -3, 2));
  if (std::is_integral_v<Acc>) return;
  Case c = sizes(BM, BN, K, 0.1f, 0);
  c.mode = Mode::kRounding;
  expect_right(c);
}

TEST_CASE("a ragged size after whole tiles, in each direction", "[values]") {
  const int K = 2 * BK;
  for (const int by : {-1, 1}) {
    expect_right(sizes(2 * BM + by, BN, K, 1, 2));
    expect_right(sizes(BM, 2 * BN + by, K, 1, 2));
    expect_right(sizes(BM, BN, 4 * BK + by));
    expect_right(sizes(3 * BM + by, BN, BK));
    expect_right(sizes(BM, 3 * BN + by, BK, -1, 1));
  }
}

TEST_CASE("large squares", "[values]") {
  for (const int n : {512, 520, 513}) expect_right(sizes(n, n, 8, 1, n % 2));
}

TEST_CASE("every remainder of a large K", "[.long]") {
  const int K = whole_depth(928);
  for (int n = 1; n < BK; ++n) {
    if (BK <= 32 || n < 10 || n % 8 == 0 || n == BK - 1) expect_right(sizes(1 + n % 3, 5, K + n));
    if (n % 8 == 0) expect_right(sizes(3, 8, K + n, 2, 1));
  }
}
