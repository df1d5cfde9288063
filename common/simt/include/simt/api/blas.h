// cuBLAS. Matrices are column-major. Matrices and vectors lie in device memory. Calls are synchronous.
#pragma once
#include <cstddef>

#include "simt/api/data_types.h"
#include "simt/api/events.h"
#include "simt/api/half.h"

#ifndef CUBLAS_API_H_  // the toolkit's header declares the same types
#define CUBLAS_API_H_
#define CUBLASWINAPI
enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
};
enum cublasGemmAlgo_t {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99
};
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
typedef struct cublasContext* cublasHandle_t;
#endif

namespace simt {
// What a product is summed in: cublasComputeType_t, or the type of numbers that earlier versions took.
struct ComputeType {
  cublasComputeType_t type;
  ComputeType(cublasComputeType_t value) : type(value) {}
  ComputeType(cudaDataType value)
      : type(value == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
             : value == CUDA_R_64F ? CUBLAS_COMPUTE_64F
             : value == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                                   : CUBLAS_COMPUTE_32F) {}
};
}  // namespace simt

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
// Whether alpha, beta and single results lie in host or device memory.
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
// Has no effect: nothing here needs it.
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

// Copies elements between a host and a device, with strides in elements.
cublasStatus_t cublasSetVector(int n, int size, const void* from, int step, void* to, int to_step);
cublasStatus_t cublasGetVector(int n, int size, const void* from, int step, void* to, int to_step);
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void* from, int ld, void* to,
                               int to_ld);
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void* from, int ld, void* to,
                               int to_ld);

// C = alpha * op(A) * op(B) + beta * C, where op(A) is m x k and op(B) k x n. With beta 0, C is not read.
#define SIMT_GEMM(letter, T)                                                                      \
  cublasStatus_t cublas##letter##gemm(                                                            \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
      const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc);    \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                              \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
      const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,               \
      long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int count);
SIMT_GEMM(S, float)
SIMT_GEMM(D, double)
SIMT_GEMM(H, __half)
#undef SIMT_GEMM
// alpha and beta have the compute type.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                            int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            simt::ComputeType compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType type_a,
                                          int lda, long long stride_a, const void* b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count, simt::ComputeType compute,
                                          cublasGemmAlgo_t algorithm);

// gemv: y = alpha * op(A) * x + beta * y, where A is m x n. axpy: y = alpha * x + y. scal: x = alpha * x. dot, asum and
// nrm2: the sum of x * y, the sum of |x|, the root of the sum of x * x. A negative step walks a vector from its end.
#define SIMT_VECTORS(letter, T)                                                                  \
  cublasStatus_t cublas##letter##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, \
                                      const T* alpha, const T* a, int lda, const T* x, int incx, \
                                      const T* beta, T* y, int incy);                            \
  cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,  \
                                      int incx, T* y, int incy);                                 \
  cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const T* alpha, T* x,        \
                                      int incx);                                                 \
  cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const T* x, int incx,         \
                                     const T* y, int incy, T* result);                           \
  cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const T* x, int incx,        \
                                      T* result);                                                \
  cublasStatus_t cublas##letter##asum(cublasHandle_t handle, int n, const T* x, int incx,        \
                                      T* result);
SIMT_VECTORS(S, float)
SIMT_VECTORS(D, double)
#undef SIMT_VECTORS
