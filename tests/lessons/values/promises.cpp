// What gemm() promises beside C.
#include <algorithm>

#include "tests/lessons/card.h"
#include "tests/lessons/values/given.h"

namespace {

size_t free_memory() {
  size_t free = 0, total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return free;
}

// On each path of a lesson, and with what it allocates.
std::vector<Case> paths() {
  std::vector<Case> found = {sizes(std::max(BM, 16), std::max(BN, 16), 4 * BK), sizes(5, 7, 3),
                             sizes(8, 8, 8), sizes(5, 7, 0, 1, 1)};
  if (kPlans) found.push_back(sizes(kParts.M, kParts.N, kParts.K));
  return found;
}

}  // namespace

TEST_CASE("ten calls leave no device memory behind", "[values]") {
  if (backend::is_gpu()) return;  // other programs allocate there, too
  for (const Case& c : paths()) {
    INFO(describe(c));
    const Operands<Input, Acc, Output> operands(c);
    const size_t before = free_memory();
    const int calls = double(c.M) * c.N * c.K > 10000 ? 2 : 10;
    for (int i = 0; i < calls; ++i) gemm(operands.problem());
    CUDA_CHECK(cudaDeviceSynchronize());
    CHECK(free_memory() == before);
  }
}

TEST_CASE("what fails is told and leaves no memory behind, whatever call of CUDA it is",
          "[values]") {
  if (backend::is_gpu()) return;  // nothing fails there when it is asked to
  for (const Case& c : paths()) {
    for (int n = 1; n < 100; ++n) {
      INFO(describe(c));
      const Operands<Input, Acc, Output> operands(c);
      const size_t before = free_memory();
      fail_call(n);
      const bool told = !thrown(operands.problem()).empty();
      const std::string failed = failed_call();
      fail_call(0);
      if (failed.empty()) break;
      INFO(failed << " fails, call " << n << " of gemm()");
      if (failed ==
          "cudaFreeAsync") {  // a destructor calls it, which leaves telling to the next check
        CHECK((told || cudaPeekAtLastError() != cudaSuccess));
      } else {
        CHECK(told);
        CHECK(free_memory() == before);
      }
      cudaGetLastError();
    }
  }
}

TEST_CASE("an error that was there before is not swallowed", "[values]") {
  if (backend::is_gpu()) return;  // there, cudaFuncSetAttribute() itself forgets it (CUDA 13.0)
  for (const Case& c : paths()) {
    INFO(describe(c));
    const Operands<Input, Acc, Output> operands(c);
    CHECK(cudaSetDevice(-1) != cudaSuccess);
    const bool told = !thrown(operands.problem()).empty();
    CHECK((told || cudaGetLastError() != cudaSuccess));
    cudaGetLastError();
    CUDA_CHECK(cudaDeviceSynchronize());
  }
}
