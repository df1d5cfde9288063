// Times OpenBLAS's cblas_sgemm (C = A * B, row-major) on this CPU at the sizes of the lessons and prints
// docs/results/openblas-cpu.json. Other work may run on the machine at the same time, so the result is
// the best of many repetitions. The median shows how much other work interfered.
//   OPENBLAS_CORETYPE=SkylakeX openblas_benchmark >docs/results/openblas-cpu.json
// An OpenBLAS that is older than the CPU may not recognize it and fall back to kernels without AVX. The
// output names the chosen kernels ("kernels"), and this variable selects others.
// Exits with 1 if a result is wrong.
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr double kSeconds = 5;  // limit per problem
constexpr int kMinRepetitions = 5;
constexpr int kMaxRepetitions = 1000;

struct Size {
  int M, N, K;
};

// The processor's name in /proc/cpuinfo, or "unknown".
std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

// n uniform random numbers in [-1, 1).
std::vector<float> numbers(size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(n);
  for (float& value : values) value = uniform(generator);
  return values;
}

// Whether 200 elements of C, including the corners, are within the rounding error of FP32 sums.
bool is_right(Size size, const std::vector<float>& A, const std::vector<float>& B,
              const std::vector<float>& C) {
  std::mt19937 generator(7);
  for (int i = 0; i < 200; ++i) {
    const int row = i < 4 ? (i % 2) * (size.M - 1) : int(generator() % unsigned(size.M));
    const int col = i < 4 ? (i / 2) * (size.N - 1) : int(generator() % unsigned(size.N));
    double sum = 0, absolute = 0;
    for (int k = 0; k < size.K; ++k) {
      const double product = double(A[size_t(row) * size_t(size.K) + size_t(k)]) *
                             double(B[size_t(k) * size_t(size.N) + size_t(col)]);
      sum += product;
      absolute += std::abs(product);
    }
    const double error = std::abs(double(C[size_t(row) * size_t(size.N) + size_t(col)]) - sum);
    if (!(error <= 1.25 * (size.K + 2) * std::ldexp(1.0, -24) * absolute)) return false;
  }
  return true;
}

// Prints one run as a line of JSON. Returns false if the result is wrong.
bool measure(Size size, int threads, const char* end) {
  const std::vector<float> A = numbers(size_t(size.M) * size_t(size.K), 1);
  const std::vector<float> B = numbers(size_t(size.K) * size_t(size.N), 2);
  std::vector<float> C(size_t(size.M) * size_t(size.N));
  openblas_set_num_threads(threads);
  std::vector<double> ms;
  double spent = 0;
  for (int i = -1; i < kMaxRepetitions && (i < kMinRepetitions || spent < kSeconds); ++i) {
    const auto start = std::chrono::steady_clock::now();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size.M, size.N, size.K, 1, A.data(),
                size.K, B.data(), size.N, 0, C.data(), size.N);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    spent += time.count();
    if (i >= 0) ms.push_back(time.count() * 1e3);  // the first one warms up
  }
  std::sort(ms.begin(), ms.end());
  const double gflops = 2e-6 * size.M * size.N * size.K / ms[0];
  std::printf("    {\"M\": %d, \"N\": %d, \"K\": %d, \"threads\": %d, \"repetitions\": %zu, ",
              size.M, size.N, size.K, threads, ms.size());
  std::printf("\"ms\": {\"best\": %.6g, \"median\": %.6g}, \"gflops\": %.4g}%s\n", ms[0],
              ms[ms.size() / 2], gflops, end);
  std::fflush(stdout);
  return is_right(size, A, B, C);
}

}  // namespace

int main() {
  const int cores = int(std::max(1u, std::thread::hardware_concurrency()));
  const std::vector<Size> sizes = {{128, 128, 128},    {256, 256, 256},    {512, 512, 512},
                                   {1024, 1024, 1024}, {2048, 2048, 2048}, {2048, 2048, 1024},
                                   {4096, 4096, 4096}};
  std::printf("{\n  \"cpu\": \"%s\",\n  \"cores\": %d,\n", cpu_name().c_str(), cores);
  std::printf("  \"library\": \"%s\",\n  \"kernels\": \"%s\",\n  \"runs\": [\n",
              openblas_get_config(), openblas_get_corename());
  bool right = true;
  for (const Size& size : sizes) {
    if (cores > 1) right = measure(size, 1, ",") && right;
    right = measure(size, cores, &size == &sizes.back() ? "" : ",") && right;
  }
  std::printf("  ]\n}\n");
  if (!right) std::fprintf(stderr, "openblas_benchmark: a result is wrong\n");
  return right ? 0 : 1;
}
