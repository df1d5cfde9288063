// State that one call could leave for the next. ctest and ./ladder mutate run the first case by its tag, in a process in
// which nothing ran before.
#include <algorithm>
#include <vector>

#include "tests/lessons/suite/lesson_cases.h"

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

// A call could wrongly reuse what it kept from a similar one. Each problem follows one that differs in a single property,
// and precedes it. Matrices of the same size get the same addresses.
TEST_CASE("a call differs from the previous one in one property", "[values]") {
  const Case whole = sizes(std::max(BM, 16), std::max(BN, 16), 3 * BK, 2, 1);
  const Case small = sizes(24, 40, 16, 2, 1);
  for (const Case& c : {whole, small}) {
    std::vector<Case> others = {pitched(c, 1, 0, 0), pitched(c, 0, 1, 0), pitched(c, 0, 0, 1),
                                pitched(c, 8, 0, 0), pitched(c, 0, 8, 0), pitched(c, 0, 0, 8),
                                shifted(c, 1, 0, 0), shifted(c, 0, 1, 0), shifted(c, 0, 0, 1)};
    for (int Case::*size : {&Case::M, &Case::N, &Case::K}) {
      for (const int by : {-8, -1, 1, 8}) {
        others.push_back(c);
        others.back().*size += by;
      }
    }
    for (double Case::*scale : {&Case::alpha, &Case::beta}) {
      for (const double to : {0, -1, 3}) {
        others.push_back(c);
        others.back().*scale = to;
      }
    }
    for (const Case& other : others) {
      expect_right(other);
      expect_right(c);
    }
  }
}

TEST_CASE("gemm() leaves no error behind", "[values]") {
  for (const Case& c : {sizes(BM, BN, 3 * BK), sizes(5, 7, 3), sizes(0, 5, 5), sizes(5, 0, 5),
                        sizes(5, 7, 0, 1, 1), shifted(sizes(BM, BN, 3 * BK), 1, 1, 1)}) {
    INFO(describe(c));
    const Operands<Input, Acc, Output> operands(c);
    gemm(operands.problem());
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
}
