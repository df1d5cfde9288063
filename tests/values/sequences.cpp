// What one call leaves for the next. The first case is for a process of its own, in which nothing ran
// before: a row of ctest, and tests/variants/mutant.sh, ask for it by its tag.
#include <algorithm>

#include "tests/lesson/lesson_cases.h"

TEST_CASE("one call does not depend on another", "[.sequence]") {
  const Case whole = sizes(std::max(BM, 128), std::max(BN, 128), std::max(3 * BK, 96), 1, 1);
  const Case large = sizes(2 * whole.M, 2 * whole.N, 2 * whole.K);
  const Case small = sizes(5, 7, 3, -1, 2);
  for (const Case& c : {whole, shifted(whole, 1, 1, 1), whole, pitched(whole, 1, 0, 0), small,
                        large, pitched(whole, 0, 1, 0), sizes(whole.M, whole.N, 0, 1, 2), whole,
                        small, pitched(whole, 0, 0, 1), large, sizes(0, 5, 5),
                        sizes(whole.M + 1, whole.N - 1, 33), whole}) {
    expect_right(c);
  }
}

TEST_CASE("gemm() leaves no error behind", "[values]") {
  for (const Case& c : {sizes(BM, BN, 3 * BK), sizes(5, 7, 3), sizes(0, 5, 5), sizes(5, 0, 5),
                        sizes(5, 7, 0, 1, 1), shifted(sizes(BM, BN, 3 * BK), 1, 1, 1)}) {
    INFO(describe(c));
    const Operands<Input, Acc> operands(c);
    gemm(operands.problem());
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
}
