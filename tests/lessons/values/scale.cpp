// Many blocks and many tiles at little cost: thin problems, so that few of the blocks' elements exist.
#include <algorithm>

#include "tests/lessons/suite/lesson_cases.h"

// Beyond 256 rows of blocks, and columns: a number of a block fits into no 8 bits, a row into no short.
TEST_CASE("more than 256 blocks and 32768 elements in one direction", "[values][wide]") {
  expect_right(sizes(std::max(258 * BM - 1, 33000), 1, 1, 1, 1));
  expect_right(sizes(1, std::max(258 * BN - 1, 33000), 1, 1, 1));
}

// k leaves 15 bits, and where that is cheap 16; the loop over tiles runs hundreds of times or more.
TEST_CASE("more tiles along K than a short integer counts", "[values][wide]") {
  const bool cheap = backend::is_gpu() || BM * BN <= 1024;
  expect_right(sizes(4, 16, (cheap ? 65536 : 32768) + 2 * BK + 8));
}

// The same loops where vectors do not fit, and over whole tiles.
TEST_CASE("eighty tiles along K, on each path", "[values]") {
  expect_right(sizes(2, 3, std::max(80 * BK, 1200) + 1));
  expect_right(sizes(BM, BN, 80 * BK, 1, 1));
}
