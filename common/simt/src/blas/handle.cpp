#include "blas/operands.h"
#include "simt/api/memory.h"

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (handle == nullptr) {
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

// A setting of the handle, and how it is asked for.
#define SIMT_SETTING(name, T, member)                                                         \
  cublasStatus_t cublasSet##name(cublasHandle_t handle, T value) {                            \
    if (handle == nullptr) {                                                                  \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                   \
    }                                                                                         \
    handle->member = value;                                                                   \
    return CUBLAS_STATUS_SUCCESS;                                                             \
  }                                                                                           \
  cublasStatus_t cublasGet##name(cublasHandle_t handle, T* value) {                           \
    if (handle == nullptr || value == nullptr) {                                              \
      return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_INVALID_VALUE; \
    }                                                                                         \
    *value = handle->member;                                                                  \
    return CUBLAS_STATUS_SUCCESS;                                                             \
  }
SIMT_SETTING(Stream, cudaStream_t, stream)
SIMT_SETTING(MathMode, cublasMath_t, math)
SIMT_SETTING(PointerMode, cublasPointerMode_t, pointers)

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  if (handle == nullptr || version == nullptr) {
    return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_INVALID_VALUE;
  }
  *version = 120000;
  return CUBLAS_STATUS_SUCCESS;
}

#define SIMT_COPY(Name, direction)                                                            \
  cublasStatus_t cublas##Name##Matrix(int rows, int cols, int size, const void* from, int ld, \
                                      void* to, int to_ld) {                                  \
    if (rows < 0 || cols < 0 || size <= 0 || ld < rows || to_ld < rows) {                     \
      return CUBLAS_STATUS_INVALID_VALUE;                                                     \
    }                                                                                         \
    const cudaError_t status =                                                                \
        cudaMemcpy2D(to, size_t(to_ld) * size_t(size), from, size_t(ld) * size_t(size),       \
                     size_t(rows) * size_t(size), size_t(cols), direction);                   \
    return status == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;       \
  }                                                                                           \
  cublasStatus_t cublas##Name##Vector(int n, int size, const void* from, int step, void* to,  \
                                      int to_step) {                                          \
    return cublas##Name##Matrix(1, n, size, from, step, to, to_step);                         \
  }
SIMT_COPY(Set, cudaMemcpyHostToDevice)
SIMT_COPY(Get, cudaMemcpyDeviceToHost)
#undef SIMT_COPY

const char* cublasGetStatusName(cublasStatus_t status) {
#define SIMT_NAME(name) \
  case name:            \
    return #name;
  switch (status) {
    SIMT_NAME(CUBLAS_STATUS_SUCCESS)
    SIMT_NAME(CUBLAS_STATUS_NOT_INITIALIZED)
    SIMT_NAME(CUBLAS_STATUS_ALLOC_FAILED)
    SIMT_NAME(CUBLAS_STATUS_INVALID_VALUE)
    SIMT_NAME(CUBLAS_STATUS_ARCH_MISMATCH)
    SIMT_NAME(CUBLAS_STATUS_MAPPING_ERROR)
    SIMT_NAME(CUBLAS_STATUS_EXECUTION_FAILED)
    SIMT_NAME(CUBLAS_STATUS_INTERNAL_ERROR)
    SIMT_NAME(CUBLAS_STATUS_NOT_SUPPORTED)
    SIMT_NAME(CUBLAS_STATUS_LICENSE_ERROR)
  }
  return "unknown status";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS ? "success" : cublasGetStatusName(status);
}
