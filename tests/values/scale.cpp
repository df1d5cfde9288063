// Many blocks and many tiles at little cost: as few elements and as shallow as they can be.
#include "tests/lesson_cases.h"

// Beyond 256 rows of blocks, and columns: a number of a block fits into no 8 bits.
TEST_CASE("more than 256 blocks in one direction", "[values]") {
  expect_right(sizes(258 * BM - 1, 1, 1, 1, 1));
  expect_right(sizes(1, 258 * BN - 1, 1, 1, 1));
}

// k leaves 15 bits, and the loop over tiles runs a thousand times or more.
TEST_CASE("more than a thousand tiles along K", "[values]") {
  expect_right(sizes(2, 3, 32768 + 2 * BK + 1));
}
