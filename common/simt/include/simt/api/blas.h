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
enum cublasOperation_t {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2
};
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasFillMode_t {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
};
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
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
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5,
  CUBLAS_GEMM_ALGO6 = 6,
  CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO8 = 8,
  CUBLAS_GEMM_ALGO9 = 9,
  CUBLAS_GEMM_ALGO10 = 10,
  CUBLAS_GEMM_ALGO11 = 11,
  CUBLAS_GEMM_ALGO12 = 12,
  CUBLAS_GEMM_ALGO13 = 13,
  CUBLAS_GEMM_ALGO14 = 14,
  CUBLAS_GEMM_ALGO15 = 15,
  CUBLAS_GEMM_ALGO16 = 16,
  CUBLAS_GEMM_ALGO17 = 17,
  CUBLAS_GEMM_ALGO18 = 18,
  CUBLAS_GEMM_ALGO19 = 19,
  CUBLAS_GEMM_ALGO20 = 20,
  CUBLAS_GEMM_ALGO21 = 21,
  CUBLAS_GEMM_ALGO22 = 22,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
  CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
  CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
  CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
  CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
  CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
  CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
  CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
  CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
  CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
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

struct float2;
struct double2;

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
// The next two have no effect: nothing here needs them.
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
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
      long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int count);           \
  cublasStatus_t cublas##letter##gemmBatched(                                                     \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
      const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta,    \
      T* const c[], int ldc, int count);
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

// The arrays of pointers lie in device memory.
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                   const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb,
                                   const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                   int count, simt::ComputeType compute,
                                   cublasGemmAlgo_t algorithm);

// Of complex numbers. dotc takes the conjugates of x.
#define SIMT_COMPLEX(letter, Number)                                                               \
  cublasStatus_t cublas##letter##gemm(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const Number* alpha, const Number* a, int lda, const Number* b, int ldb, const Number* beta, \
      Number* c, int ldc);                                                                         \
  cublasStatus_t cublas##letter##dotc(cublasHandle_t handle, int n, const Number* x, int incx,     \
                                      const Number* y, int incy, Number* result);                  \
  cublasStatus_t cublas##letter##dotu(cublasHandle_t handle, int n, const Number* x, int incx,     \
                                      const Number* y, int incy, Number* result);
SIMT_COMPLEX(C, float2)
SIMT_COMPLEX(Z, double2)
#undef SIMT_COMPLEX

// geam: C = alpha * op(A) + beta * op(B). dgmm: C = diag(x) * A, or A * diag(x). ger: A = alpha * x * y' + A. syrk: a
// triangle of C = alpha * op(A) * op(A)' + beta * C. trsm: solves op(A) * X = alpha * B, or X * op(A) = alpha * B, and
// puts X in B. A is a triangle.
#define SIMT_MATRICES(letter, T)                                                                  \
  cublasStatus_t cublas##letter##geam(                                                            \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,        \
      const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc);    \
  cublasStatus_t cublas##letter##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, \
                                      const T* a, int lda, const T* x, int incx, T* c, int ldc);  \
  cublasStatus_t cublas##letter##ger(cublasHandle_t handle, int m, int n, const T* alpha,         \
                                     const T* x, int incx, const T* y, int incy, T* a, int lda);  \
  cublasStatus_t cublas##letter##syrk(cublasHandle_t handle, cublasFillMode_t triangle,           \
                                      cublasOperation_t op, int n, int k, const T* alpha,         \
                                      const T* a, int lda, const T* beta, T* c, int ldc);         \
  cublasStatus_t cublas##letter##trsm(cublasHandle_t handle, cublasSideMode_t side,               \
                                      cublasFillMode_t triangle, cublasOperation_t op,            \
                                      cublasDiagType_t diagonal, int m, int n, const T* alpha,    \
                                      const T* a, int lda, T* b, int ldb);                        \
  cublasStatus_t cublas##letter##trsmBatched(                                                     \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t triangle,                    \
      cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* alpha,              \
      const T* const a[], int lda, T* const b[], int ldb, int count);
SIMT_MATRICES(S, float)
SIMT_MATRICES(D, double)
#undef SIMT_MATRICES

// gemv: y = alpha * op(A) * x + beta * y, where A is m x n. axpy: y = alpha * x + y. scal: x = alpha * x. dot, asum and
// nrm2: the sum of x * y, the sum of |x|, the root of the sum of x * x. amax and amin: the number, from 1 on, of the first
// element with the largest or smallest |x|. A negative step walks a vector from its end.
#define SIMT_VECTORS(letter, small, T)                                                           \
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
                                      T* result);                                                \
  cublasStatus_t cublas##letter##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y,  \
                                      int incy);                                                 \
  cublasStatus_t cublas##letter##swap(cublasHandle_t handle, int n, T* x, int incx, T* y,        \
                                      int incy);                                                 \
  cublasStatus_t cublasI##small##amax(cublasHandle_t handle, int n, const T* x, int incx,        \
                                      int* result);                                              \
  cublasStatus_t cublasI##small##amin(cublasHandle_t handle, int n, const T* x, int incx,        \
                                      int* result);
SIMT_VECTORS(S, s, float)
SIMT_VECTORS(D, d, double)
#undef SIMT_VECTORS
