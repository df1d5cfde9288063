// What half inputs cost in accuracy: the same random problem through the FP32 lesson and through the
// tensor core lesson, both against a double reference of the inputs before they were rounded to half.
// Prints docs/results/errors.json: the largest error of an element, as a share of the K products'
// summed magnitudes. Built by tests/CMakeLists.txt from the sources of lessons 07 and 08.
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "common/harness/device/cuda_error.h"
#include "common/lesson.h"

void gemm(const Gemm<float, float>&);
void gemm(const Gemm<half, float>&);

namespace {

constexpr int kRows = 256;  // M and N

template <typename T>
T* upload(const std::vector<float>& values) {
  const std::vector<T> rounded(values.begin(), values.end());
  T* device = nullptr;
  CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&device), rounded.size() * sizeof(T)));
  CUDA_CHECK(cudaMemcpy(device, rounded.data(), rounded.size() * sizeof(T), cudaMemcpyDefault));
  return device;
}

template <typename T>
double largest_error(int K, const std::vector<float>& a, const std::vector<float>& b,
                     const std::vector<double>& reference, const std::vector<double>& magnitude) {
  T* A = upload<T>(a);
  T* B = upload<T>(b);
  float* C = upload<float>(std::vector<float>(kRows * kRows, NAN));
  gemm(Gemm<T, float>{kRows, kRows, K, 1.0f, A, K, B, kRows, 0.0f, C, kRows});
  std::vector<float> c(kRows * kRows);
  CUDA_CHECK(cudaMemcpy(c.data(), C, c.size() * sizeof(float), cudaMemcpyDefault));
  double largest = 0;
  for (size_t i = 0; i < c.size(); ++i) {
    const double error = std::fabs(c[i] - reference[i]) / magnitude[i];
    if (!(error <= largest)) largest = error;  // a NaN stays
  }
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  return largest;
}

}  // namespace

int main() try {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "error_table: no GPU\n");
    return 77;
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::printf("{\"rows\": [");
  bool right = true;
  for (const int K : {256, 1024, 4096}) {
    std::vector<float> a(size_t(kRows) * K), b(size_t(K) * kRows);
    for (std::vector<float>* matrix : {&a, &b}) {
      std::generate(matrix->begin(), matrix->end(), [&] { return uniform(random); });
    }
    std::vector<double> reference(kRows * kRows), magnitude(kRows * kRows);
    for (int row = 0; row < kRows; ++row) {
      for (int k = 0; k < K; ++k) {
        for (int col = 0; col < kRows; ++col) {
          const double product = double(a[size_t(row) * K + k]) * b[size_t(k) * kRows + col];
          reference[row * kRows + col] += product;
          magnitude[row * kRows + col] += std::fabs(product);
        }
      }
    }
    const double fp32 = largest_error<float>(K, a, b, reference, magnitude);
    const double tensor = largest_error<half>(K, a, b, reference, magnitude);
    // Rounding an input to half moves it by at most 2^-11 of itself.
    right = right && fp32 < 1e-6 && tensor < 2e-3 && tensor > fp32;
    std::printf("%s{\"K\": %d, \"fp32\": %.3g, \"half\": %.3g}", K == 256 ? "" : ", ", K, fp32,
                tensor);
  }
  std::printf("]}\n");
  return right ? 0 : 1;
} catch (const DeviceError& error) {
  std::fprintf(stderr, "error_table: %s\n", error.what());
  return 3;
}
