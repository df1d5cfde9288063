// Products of matrices.
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "blas/operands.h"
#include "host/host.h"

#ifdef SIMT_OPENBLAS
#include <cblas.h>
#endif

namespace simt {
namespace {

struct Gemm {
  const char* function;
  cublasOperation_t op_a, op_b;
  int m, n, k;
  const void *alpha, *beta;
  Operand a, b, c;  // as they lie in memory, of the first product of a batch
  long long stride_a, stride_b, stride_c;
  int count;
};

#ifdef __clang__
#define SIMT_FAST
#else
#define SIMT_FAST __attribute__((optimize("O3")))
#endif

// Columns of c, m x n: c += a * b. A column is made of columns of a, so that neighbours in memory are used together.
template <typename T>
SIMT_FAST void multiply(int m, int n, int k, const T* a, const T* b, T* c) {
  for (int64_t col = 0; col < n; ++col) {
    for (int64_t at = 0; at < k; ++at) {
      const T factor = b[col * k + at];
      const T* __restrict from = a + at * m;
      T* __restrict to = c + col * m;
      for (int64_t row = 0; row < m; ++row) {
        to[row] += from[row] * factor;
      }
    }
  }
}

#ifdef SIMT_OPENBLAS
template <>
void multiply(int m, int n, int k, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, m, b, std::max(k, 1), 1, c,
              m);
}
template <>
void multiply(int m, int n, int k, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, m, b, std::max(k, 1), 1, c,
              m);
}
#endif

Operand moved(Operand operand, long long by) {
  operand.data = static_cast<const char*>(operand.data) + by * int64_t(size_of(operand.type));
  return operand;
}

// T: what is computed in; Scalar: what alpha and beta are.
template <typename T, typename Scalar>
cublasStatus_t run(const Gemm& g) {
  const OpenMemory open;
  const T alpha = T(scalar<Scalar>(g.alpha)), beta = T(scalar<Scalar>(g.beta));
  for (int i = 0; i < g.count; ++i) {
    const Operand a = moved(g.a, i * g.stride_a), b = moved(g.b, i * g.stride_b),
                  c = moved(g.c, i * g.stride_c);
    const bool multiplies = alpha != 0 && g.k > 0;
    if ((multiplies &&
         !(is_usable(g.function, "A", a, true) && is_usable(g.function, "B", b, true))) ||
        !is_usable(g.function, "C", c, beta != 0)) {
      return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    std::vector<T> sums(size_t(int64_t(g.m) * g.n), 0);
    if (multiplies) {
      const std::vector<T> left = read<T>(a, g.op_a != CUBLAS_OP_N);
      const std::vector<T> right = read<T>(b, g.op_b != CUBLAS_OP_N);
      multiply(g.m, g.n, g.k, left.data(), right.data(), sums.data());
    }
    const std::vector<T> old = beta != 0 ? read<T>(c) : std::vector<T>();
    for (size_t at = 0; at < sums.size(); ++at) {
      sums[at] = alpha * sums[at] + (beta != 0 ? beta * old[at] : 0);
    }
    write(c, sums);
  }
  return CUBLAS_STATUS_SUCCESS;
}

// What cuBLAS says of sizes that make no sense.
bool is_valid(const Gemm& g) {
  const auto known = [](cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; };
  const auto wide = [](const Operand& o) { return o.stride >= std::max<int64_t>(o.rows, 1); };
  return g.m >= 0 && g.n >= 0 && g.k >= 0 && g.count >= 0 && known(g.op_a) && known(g.op_b) &&
         wide(g.a) && wide(g.b) && wide(g.c) && g.alpha != nullptr && g.beta != nullptr;
}

cublasStatus_t compute(cublasHandle_t handle, const Gemm& g, cublasComputeType_t type) {
  if (handle == nullptr) {
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!is_valid(g)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const cudaDataType a = g.a.type, c = g.c.type;
  const bool floats = size_of(a) != 0 && a != CUDA_R_32I && a != CUDA_R_8U && a != CUDA_R_64F;
  if ((a != g.b.type && size_of(a) != 1) || size_of(c) == 0 || size_of(g.b.type) != size_of(a)) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  if (g.m == 0 || g.n == 0 || g.count == 0) {
    return CUBLAS_STATUS_SUCCESS;
  }
  switch (type) {
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return a == CUDA_R_64F && c == CUDA_R_64F ? run<double, double>(g)
                                                : CUBLAS_STATUS_NOT_SUPPORTED;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return a == CUDA_R_8I && c == CUDA_R_32I ? run<int64_t, int32_t>(g)
                                               : CUBLAS_STATUS_NOT_SUPPORTED;
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:  // summed in float, too: more exact than on a GPU
      return a == CUDA_R_16F && c == CUDA_R_16F ? run<float, __half>(g)
                                                : CUBLAS_STATUS_NOT_SUPPORTED;
    default:
      return floats && c != CUDA_R_64F && c != CUDA_R_32I ? run<float, float>(g)
                                                          : CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

Gemm gemm_of(const char* function, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
             int k, const void* alpha, const Operand& a, const Operand& b, const void* beta,
             const Operand& c) {
  Gemm g{function, op_a, op_b, m, n, k, alpha, beta, a, b, c, 0, 0, 0, 1};
  g.a.rows = op_a == CUBLAS_OP_N ? m : k;
  g.a.cols = op_a == CUBLAS_OP_N ? k : m;
  g.b.rows = op_b == CUBLAS_OP_N ? k : n;
  g.b.cols = op_b == CUBLAS_OP_N ? n : k;
  g.c.rows = m;
  g.c.cols = n;
  return g;
}

}  // namespace
}  // namespace simt

using simt::Gemm;

#define SIMT_GEMM(letter, T, type, compute_type)                                                   \
  cublasStatus_t cublas##letter##gemm(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {    \
    return simt::compute(handle,                                                                   \
                         simt::gemm_of(__func__, op_a, op_b, m, n, k, alpha, {a, type, 0, 0, lda}, \
                                       {b, type, 0, 0, ldb}, beta, {c, type, 0, 0, ldc}),          \
                         compute_type);                                                            \
  }                                                                                                \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                               \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,                \
      long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int count) {           \
    return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type, lda, stride_a,  \
                                      b, type, ldb, stride_b, beta, c, type, ldc, stride_c, count, \
                                      compute_type, CUBLAS_GEMM_DEFAULT);                          \
  }                                                                                                \
  cublasStatus_t cublas##letter##gemmBatched(                                                      \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta,     \
      T* const c[], int ldc, int count) {                                                          \
    return cublasGemmBatchedEx(                                                                    \
        handle, op_a, op_b, m, n, k, alpha, reinterpret_cast<const void* const*>(a), type, lda,    \
        reinterpret_cast<const void* const*>(b), type, ldb, beta,                                  \
        reinterpret_cast<void* const*>(c), type, ldc, count, compute_type, CUBLAS_GEMM_DEFAULT);   \
  }
SIMT_GEMM(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
SIMT_GEMM(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
SIMT_GEMM(H, __half, CUDA_R_16F, CUBLAS_COMPUTE_16F)

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                            int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            simt::ComputeType compute, cublasGemmAlgo_t) {
  return simt::compute(handle,
                       simt::gemm_of(__func__, op_a, op_b, m, n, k, alpha, {a, type_a, 0, 0, lda},
                                     {b, type_b, 0, 0, ldb}, beta, {c, type_c, 0, 0, ldc}),
                       compute.type);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType type_a,
                                          int lda, long long stride_a, const void* b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count, simt::ComputeType compute,
                                          cublasGemmAlgo_t) {
  Gemm g = simt::gemm_of(__func__, op_a, op_b, m, n, k, alpha, {a, type_a, 0, 0, lda},
                         {b, type_b, 0, 0, ldb}, beta, {c, type_c, 0, 0, ldc});
  g.stride_a = stride_a;
  g.stride_b = stride_b;
  g.stride_c = stride_c;
  g.count = count;
  return simt::compute(handle, g, compute.type);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                   const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb,
                                   const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                   int count, simt::ComputeType compute, cublasGemmAlgo_t) {
  const simt::OpenMemory open;
  const char* const function = __func__;
  const auto usable = [&](const char* name, const void* pointers) {
    return simt::is_usable(function, name, simt::pointers_of(pointers, count), true);
  };
  if (count > 0 && !(usable("the array of A", a) && usable("the array of B", b) &&
                     usable("the array of C", c))) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i) {
    status = cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a[i], type_a, lda, b[i], type_b, ldb,
                          beta, c[i], type_c, ldc, compute, CUBLAS_GEMM_DEFAULT);
  }
  return status;
}
