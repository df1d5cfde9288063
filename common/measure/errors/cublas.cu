// Measures cuBLAS with float inputs, in FP32 and in TF32 (which rounds the inputs), and with inputs rounded to half.
// The last row requests FP32 emulated by nine products of BF16 parts, which cuBLAS offers for Blackwell.
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "common/harness/device/cuda_error.h"
#include "common/measure/errors/ways.h"

namespace {

template <typename T>
std::function<void(const Gemm<T, float>&)> way(cublasHandle_t handle, cublasComputeType_t compute) {
  return [=](const Gemm<T, float>& p) {
    const cudaDataType_t type = sizeof(T) == 2 ? CUDA_R_16F : CUDA_R_32F;
    const cublasStatus_t status = cublasGemmEx_64(
        handle, CUBLAS_OP_N, CUBLAS_OP_N, p.N, p.M, p.K, &p.alpha, p.B, type, p.ldb, p.A, type,
        p.lda, &p.beta, p.C, CUDA_R_32F, p.ldc, compute, CUBLAS_GEMM_DEFAULT);
    if (status != CUBLAS_STATUS_SUCCESS) throw DeviceError(cublasGetStatusString(status));
  };
}

}  // namespace

bool measure_ways() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) throw DeviceError("no cuBLAS");
  bool right = measure_way<float>("cuBLAS FP32", way<float>(handle, CUBLAS_COMPUTE_32F), 1e-6);
  right &=
      measure_way<float>("cuBLAS TF32", way<float>(handle, CUBLAS_COMPUTE_32F_FAST_TF32), 2e-3);
  right &= measure_way<half>("cuBLAS half", way<half>(handle, CUBLAS_COMPUTE_32F), 2e-3);
#if CUBLAS_VERSION >= 120900
  cublasSetEmulationStrategy(handle, CUBLAS_EMULATION_STRATEGY_EAGER);
  right &= measure_way<float>("cuBLAS emulated",
                              way<float>(handle, CUBLAS_COMPUTE_32F_EMULATED_16BFX9), 1e-6);
#endif
  cublasDestroy(handle);
  return right;
}
