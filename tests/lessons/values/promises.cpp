// gemm()'s contract beside C: it frees its memory, reports failures and keeps earlier errors.
#include <algorithm>

#include "tests/lessons/card.h"
#include "tests/lessons/values/given.h"

namespace {

size_t free_memory() {
  size_t free = 0, total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return free;
}

// A problem for each path of a lesson, and for each that allocates memory.
std::vector<Case> paths() {
  std::vector<Case> found = {sizes(std::max(BM, 16), std::max(BN, 16), 4 * BK), sizes(5, 7, 3),
                             sizes(8, 8, 8), sizes(5, 7, 0, 1, 1)};
  if (kPlans) found.push_back(sizes(kParts.M, kParts.N, kParts.K));
  return found;
}

}  // namespace

TEST_CASE("ten calls leave no device memory behind", "[values]") {
  if (backend::is_gpu()) return;  // other programs allocate memory there, too
  for (const Case& c : paths()) {
    INFO(describe(c));
    const Operands<Input, Acc, Output> operands(c);
    const size_t before = free_memory();
    const int calls = double(c.M) * c.N * c.K > 10000 ? 2 : 10;
    for (int i = 0; i < calls; ++i) gemm(operands.problem());
    CUDA_CHECK(cudaDeviceSynchronize());
    CHECK(free_memory() == before);
  }
  size_t free = 0, total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  CHECK(free == total);  // nor did the first call of this process
}

TEST_CASE("each failing CUDA call is reported and leaves no memory behind", "[values]") {
  if (backend::is_gpu()) return;  // fail_call() has no effect there
  for (const Case& c : paths()) {
    for (int n = 1; n < 100; ++n) {
      INFO(describe(c));
      const Operands<Input, Acc, Output> operands(c);
      const size_t before = free_memory();
      fail_call(n);
      const bool reported = !thrown(operands.problem()).empty();
      const std::string failed = failed_call();
      fail_call(0);
      if (failed.empty()) break;
      INFO(failed << " fails, call " << n << " of gemm(); "
                  << (failed == "a launch" ? "CUDA_CHECK(cudaGetLastError()) after it"
                                           : "CUDA_CHECK()")
                  << " would report that");
      if (failed == "cudaFreeAsync") {  // called by a destructor; the next check reports its error
        CHECK((reported || cudaPeekAtLastError() != cudaSuccess));
      } else {
        CHECK(reported);
        CHECK(free_memory() == before);
      }
      cudaGetLastError();
    }
  }
}

TEST_CASE("gemm() runs in the default stream", "[values]") {
  if (backend::is_gpu()) return;  // the CPU backend reports unordered operations of two streams
  for (const Case& c : paths()) {
    INFO(describe(c));
    const Operands<Input, Acc, Output> operands(c);
    const auto& p = operands.problem();
    if (p.K > 0) CUDA_CHECK(cudaMemsetAsync(const_cast<Input*>(p.A), 0, sizeof(Input)));
    CHECK(thrown(p).empty());
    CUDA_CHECK(cudaMemsetAsync(p.C, 0, sizeof(Output)));
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
}

TEST_CASE("gemm() does not clear an earlier error", "[values]") {
  if (backend::is_gpu()) return;  // there cudaFuncSetAttribute() clears it (CUDA 13.0)
  for (const Case& c : paths()) {
    INFO(describe(c));
    const Operands<Input, Acc, Output> operands(c);
    CHECK(cudaSetDevice(-1) != cudaSuccess);
    const bool reported = !thrown(operands.problem()).empty();
    CHECK((reported || cudaGetLastError() != cudaSuccess));
    cudaGetLastError();
    CUDA_CHECK(cudaDeviceSynchronize());
  }
}
