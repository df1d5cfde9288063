// Measures what FP8 products lose in the tensor cores: lesson 17 or its variant LADDER_NAME, and on a GPU cublasLt without
// promotion (fast accumulation). All scales are 1. The argument is the largest K.
#ifndef GEMM_LADDER_CPU
#include <cublasLt.h>
#endif
#include <cuda_fp8.h>
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "common/gemm.h"
#include "common/harness/answer/inputs.h"
#include "common/harness/answer/parallel.h"
#include "common/harness/device/buffer.h"
#include "common/harness/device/cuda_error.h"
#include "common/lesson.h"

using Problem = Gemm<e4m3, float>;

void gemm(const Problem&);

namespace {

constexpr int SIZE = 256;  // rows and columns of C

#ifndef GEMM_LADDER_CPU
#define LT(function) reinterpret_cast<decltype(&function)>(dlsym(RTLD_DEFAULT, #function))

void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw DeviceError(std::string(call) + ": " + cublasGetStatusString(status));
  }
}

// C = A B^T by cublasLt. In its column-major view the operands swap places.
void multiply_fast(const Problem& p) {
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t first = nullptr, second = nullptr, result = nullptr;
  cublasLtMatmulPreference_t wanted = nullptr;
  check(LT(cublasLtCreate)(&handle), "cublasLtCreate");
  check(LT(cublasLtMatmulDescCreate)(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F), "create");
  const cublasOperation_t turned = CUBLAS_OP_T;
  const int8_t fast = 1;
  const auto set = LT(cublasLtMatmulDescSetAttribute);
  check(set(product, CUBLASLT_MATMUL_DESC_TRANSA, &turned, sizeof(turned)), "transa");
  check(set(product, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof(fast)), "fast accumulation");
  const auto create = LT(cublasLtMatrixLayoutCreate);
  check(create(&first, CUDA_R_8F_E4M3, p.K, p.N, p.ldb), "layout");
  check(create(&second, CUDA_R_8F_E4M3, p.K, p.M, p.lda), "layout");
  check(create(&result, CUDA_R_32F, p.N, p.M, p.ldc), "layout");
  check(LT(cublasLtMatmulPreferenceCreate)(&wanted), "preference");
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  check(LT(cublasLtMatmulAlgoGetHeuristic)(handle, product, first, second, result, result, wanted,
                                           1, &found, &count),
        "cublasLtMatmulAlgoGetHeuristic");
  check(LT(cublasLtMatmul)(handle, product, &p.alpha, p.B, first, p.A, second, &p.beta, p.C, result,
                           p.C, result, &found.algo, nullptr, 0, nullptr),
        "cublasLtMatmul");
  CUDA_CHECK(cudaDeviceSynchronize());
  LT(cublasLtMatmulPreferenceDestroy)(wanted);
  for (const auto layout : {first, second, result}) LT(cublasLtMatrixLayoutDestroy)(layout);
  LT(cublasLtMatmulDescDestroy)(product);
  LT(cublasLtDestroy)(handle);
}
#endif

template <typename T>
T* upload(const DeviceBuffer& buffer, const std::vector<T>& values) {
  CUDA_CHECK(
      cudaMemcpy(buffer.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return static_cast<T*>(buffer.data());
}

// Prints the root mean square and the largest error of C, each relative to the sum of the magnitudes of the products.
void print_errors(const char* way, const char* inputs, int K, const std::vector<float>& C,
                  const std::vector<double>& sums, const std::vector<double>& magnitudes) {
  double squares = 0, largest = 0;
  for (size_t i = 0; i < C.size(); ++i) {
    const double error = std::fabs(C[i] - sums[i]) / magnitudes[i];
    squares += error * error;
    largest = std::fmax(largest, error);
  }
  std::printf("{\"way\": \"%s\", \"inputs\": \"%s\", \"K\": %d, \"rms\": %.3e, \"max\": %.3e}\n",
              way, inputs, K, std::sqrt(squares / double(C.size())), largest);
}

void measure(const char* name, bool positive, int K) {
  const Inputs inputs(Mode::kRounding, 0, uint64_t(K));
  std::vector<e4m3> A(size_t(SIZE) * K), B(A.size());
  for (size_t i = 0; i < A.size(); ++i) {
    const float a = inputs.a<float>(0, int(i)), b = inputs.b<float>(0, int(i));
    A[i] = e4m3(positive ? std::fabs(a) : a), B[i] = e4m3(positive ? std::fabs(b) : b);
  }
  std::vector<double> sums(size_t(SIZE) * SIZE), magnitudes(sums.size());
  parallel_for(int64_t(SIZE) * SIZE, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (int k = 0; k < K; ++k) {
        const double product =
            double(widen(A[i / SIZE * K + k])) * double(widen(B[i % SIZE * K + k]));
        sums[i] += product, magnitudes[i] += std::fabs(product);
      }
    }
  });
  const std::vector<float> ones(size_t(SIZE) * ceil_div(K, SCALED), 1.0f);
  const DeviceBuffer of_A(A.size()), of_B(B.size()), scales(ones.size() * sizeof(float)),
      of_C(sums.size() * sizeof(float));
  const auto C = static_cast<float*>(of_C.data());
  const float* const one = upload(scales, ones);
  const Problem p{{SIZE, SIZE, K, 1, upload(of_A, A), K, upload(of_B, B), K, 0, C, SIZE}, one, one};
  const std::pair<const char*, std::function<void(const Problem&)>> ways[] = {
      {LADDER_NAME, gemm},
#ifndef GEMM_LADDER_CPU
      {"cublasLt, fast accumulation", multiply_fast},
#endif
  };
  for (const auto& [way, multiply] : ways) {
    multiply(p);
    std::vector<float> results(sums.size());
    CUDA_CHECK(cudaMemcpy(results.data(), C, of_C.bytes(), cudaMemcpyDeviceToHost));
    print_errors(way, name, K, results, sums, magnitudes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 32768;
  try {
    for (const int K : {128, 512, 2048, 8192, 32768}) {
      if (K > largest) break;
      measure("uniform in [-1, 1)", false, K);
      measure("uniform in [0, 1)", true, K);
    }
  } catch (const DeviceError& error) {
    std::fprintf(stderr, "fp8_errors: %s\n", error.what());
    return kDevice;
  }
}
