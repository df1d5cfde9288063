// Measures the time and memory of one lesson's gemm() on the CPU backend, at 256 x 256 x 256, best of three.
#include <cuda_fp16.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "common/lesson.h"
#include "tests/device_array.h"

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
  DeviceArray<LADDER_INPUT> a(std::vector<LADDER_INPUT>(n * n, LADDER_INPUT(1.0f)));
  DeviceArray<LADDER_INPUT> b(std::vector<LADDER_INPUT>(n * n, LADDER_INPUT(1.0f)));
  DeviceArray<LADDER_ACC> c(n * n);
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    gemm({n, n, n, 1, a.get(), n, b.get(), n, 0, c.get(), n});
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
  return c.values()[5] == LADDER_ACC(n) ? 0 : 1;
}
