// The counters of a pipeline: rounds of its stages and tiles of a block. A card with room for one block or cluster makes
// both larger than usual problems do.
#include "tests/lessons/card.h"
#include "tests/lessons/suite/lesson_cases.h"

TEST_CASE("a block computes a hundred tiles", "[.long]") {
  if (!is_hopper() || backend::is_gpu()) return;
  const Card card(Card::kMultiprocessors, kRoom);
  expect_right(sizes(8, 101 * 256, 8, 1, 1));  // tiles have at most 256 columns
}

TEST_CASE("a block computes several tiles with K = 0", "[values]") {
  if (!is_hopper() || backend::is_gpu()) return;
  const Card card(Card::kMultiprocessors, kRoom);
  expect_right(sizes(8, 5 * 256, 0, 1, 3));
}

TEST_CASE("more than 128 rounds of the stages", "[.long]") {
  if (!is_hopper() || backend::is_gpu()) return;
  const Card card(Card::kMultiprocessors, kRoom);
  const int stages = kPlans ? 12 : 4;  // the most that a lesson has
  expect_right(sizes(4, 16, 130 * stages * BK + 8));
}

// On a GPU only, where blocks and copies run concurrently: many steps, many tiles, or both.
TEST_CASE("long chains of tiles", "[.long]") {
  if (!backend::is_gpu()) return;
  for (const Case& c :
       {sizes(4, 16, 500000), sizes(16, 64, 100008, 1, 1), sizes(262144 + 77, 40, 72),
        sizes(40, 262144 + 77, 72, 1, 1), sizes(8, 9, 600011), sizes(6000, 5000, 264, 2, 1),
        pitched(sizes(4200, 4100, 2056, -1, 1), 8, 8, 8)}) {
    expect_right(c);
  }
}

// A kernel of its own splits the inputs into pieces; a row of its blocks takes four rows of A. The call after it fails on
// purpose, so that the multiplication takes no time.
TEST_CASE("more rows than the grid of the splitting kernel covers", "[.long]") {
  if (!kPieces || backend::is_gpu()) return;
  const auto failed = [](int M, int n) {
    const Operands<Input, Acc, Output> operands(sizes(M, 1, 1));
    fail_call(n);
    CHECK_THROWS_AS(gemm(operands.problem()), DeviceError);
    const std::string name = failed_call();
    fail_call(0);
    cudaGetLastError();
    return name;
  };
  int n = 1;
  while (n < 30 && failed(1, n) != "cudaFuncSetAttribute") ++n;
  CHECK(failed(4 * 65535 + 9, n) == "cudaFuncSetAttribute");
}
