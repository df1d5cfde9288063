// Measures the time and memory of one lesson's gemm() on the CPU backend, at 256 x 256 x 256, best of three.
#include <cuda_fp16.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "common/lesson.h"

void gemm(const Gemm<LADDER_INPUT, LADDER_ACC>& p);

void check_cuda(cudaError_t status, const char* call, const char*, int) {
  if (status != cudaSuccess) {
    throw std::runtime_error(call);
  }
}

// Needed only because the lesson's main() calls it.
template <typename T, typename Acc, typename Out>
int run_lesson(void (*)(const Gemm<T, Acc, Out>&), int, char**) {
  return 2;
}
template int run_lesson(void (*)(const Gemm<LADDER_INPUT, LADDER_ACC>&), int, char**);

// NOLINTNEXTLINE(bugprone-exception-escape): an exception ends the program with its message
int main(int, char** argv) {
  constexpr size_t n = 256;
  const std::vector<LADDER_INPUT> ones(n * n, LADDER_INPUT(1.0f));
  LADDER_INPUT *a = nullptr, *b = nullptr;
  LADDER_ACC* c = nullptr;
  CUDA_CHECK(cudaMalloc(&a, n * n * sizeof(*a)));
  CUDA_CHECK(cudaMalloc(&b, n * n * sizeof(*b)));
  CUDA_CHECK(cudaMalloc(&c, n * n * sizeof(*c)));
  CUDA_CHECK(cudaMemcpy(a, ones.data(), n * n * sizeof(*a), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(b, ones.data(), n * n * sizeof(*b), cudaMemcpyHostToDevice));
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    gemm({n, n, n, 1, a, n, b, n, 0, c, n});
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
    best = std::min(best, ms.count());
  }
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const char* name = argv[0];
  for (const char* at = argv[0]; *at != '\0'; ++at) {
    name = *at == '/' ? at + 1 : name;
  }
  std::printf("%-45s %8.1f ms %6ld MB\n", name, best, usage.ru_maxrss / 1024);
  LADDER_ACC sum;
  CUDA_CHECK(cudaMemcpy(&sum, c + 5, sizeof(sum), cudaMemcpyDeviceToHost));
  cudaFree(a), cudaFree(b), cudaFree(c);
  return sum == LADDER_ACC(n) ? 0 : 1;
}
