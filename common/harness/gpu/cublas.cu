// Implements the baseline of common/harness/device/backend.h on a GPU.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "common/harness/answer/verify.h"
#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/gpu/cublas_lt.h"
#include "common/lesson.h"

namespace {

void check_cublas(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw DeviceError(std::string(call) + ": " + cublasGetStatusString(status));
  }
}

// cuBLAS is column-major: it sees a row-major matrix as its transpose. So it computes C^T = B^T * A^T,
// and the operands swap places. The function returns the operation on A.
cublasOperation_t transposed() {
  return takes_transposed_A() ? CUBLAS_OP_T : CUBLAS_OP_N;
}

void multiply(cublasHandle_t handle, const Gemm<float, float>& p) {
  check_cublas(cublasSgemm_64(handle, CUBLAS_OP_N, transposed(), p.N, p.M, p.K, &p.alpha, p.B,
                              p.ldb, p.A, p.lda, &p.beta, p.C, p.ldc),
               "cublasSgemm");
}

void multiply(cublasHandle_t handle, const Gemm<double, double>& p) {
  check_cublas(cublasDgemm_64(handle, CUBLAS_OP_N, transposed(), p.N, p.M, p.K, &p.alpha, p.B,
                              p.ldb, p.A, p.lda, &p.beta, p.C, p.ldc),
               "cublasDgemm");
}

void multiply(cublasHandle_t handle, const Gemm<half, float>& p) {
  check_cublas(cublasGemmEx_64(handle, CUBLAS_OP_N, transposed(), p.N, p.M, p.K, &p.alpha, p.B,
                               CUDA_R_16F, p.ldb, p.A, CUDA_R_16F, p.lda, &p.beta, p.C, CUDA_R_32F,
                               p.ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
               "cublasGemmEx");
}

// The process's only handle, since creating one is slow. It ends with the process.
cublasHandle_t the_handle() {
  static cublasHandle_t handle = nullptr;
  if (handle == nullptr) {
    check_cublas(cublasCreate(&handle), "cublasCreate");
    // By default, cuBLAS computes FP32 products in FP32; TF32 would need another mode.
    check_cublas(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
    check_cublas(cublasSetStream(handle, DEFAULT_STREAM), "cublasSetStream");
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    // Without a workspace of its own, cuBLAS would allocate one in each recorded call (timer.cu). 32 MB is its default
    // on Hopper.
    constexpr size_t WORKSPACE = size_t(32) << 20;
    void* workspace = nullptr;
    CUDA_CHECK(cudaMalloc(&workspace, WORKSPACE));
    check_cublas(cublasSetWorkspace(handle, workspace, WORKSPACE), "cublasSetWorkspace");
#endif
  }
  return handle;
}

template <typename T, typename Acc>
backend::Baseline make(const Gemm<T, Acc>& problem, const char* name) {
  backend::Baseline baseline{name, [problem] { multiply(the_handle(), problem); }, {}};
  baseline.run();
  CUDA_CHECK(cudaDeviceSynchronize());
  baseline.others = cublas_lt_choices(the_handle(), problem);
  return baseline;
}

// Only cublasLt has epilogues and scales. Its heuristics list its choice first.
template <typename T, typename Acc, typename Out>
backend::Baseline make_lt(const Gemm<T, Acc, Out>& problem) {
  std::vector<std::function<void()>> others = cublas_lt_choices(the_handle(), problem);
  if (others.empty()) return {};
  backend::Baseline baseline{"cublasLtMatmul", others[0], {others.begin() + 1, others.end()}};
  baseline.run();
  CUDA_CHECK(cudaDeviceSynchronize());
  return baseline;
}

}  // namespace

template <>
backend::Baseline backend::make_baseline(const Gemm<float, float>& problem) {
  return make(problem, "cublasSgemm");
}

template <>
backend::Baseline backend::make_baseline(const Gemm<double, double>& problem) {
  return make(problem, "cublasDgemm");
}

template <>
backend::Baseline backend::make_baseline(const Gemm<half, float>& problem) {
  return make(problem, "cublasGemmEx");
}

template <>
backend::Baseline backend::make_baseline(const Gemm<half, float, half>& problem) {
  return make_lt(problem);
}

template <>
backend::Baseline backend::make_baseline(const Gemm<e4m3, float>& problem) {
  return make_lt(problem);
}

template <>
backend::Baseline backend::make_baseline(const Gemm<e4m3, float, bf16>& problem) {
  return make_lt(problem);
}

template <>
backend::Baseline backend::make_baseline(const Gemm<int, int>&) {
  return {};
}
