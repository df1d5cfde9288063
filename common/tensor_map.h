// What the copy engine (TMA) is told of a matrix of halves. For lessons that need sm_90a.
#pragma once
#include <cuda.h>
#include <cuda_fp16.h>

#include "common/lesson.h"

static __global__ void copy_rows(const half* from, int64_t from_ld, half* to, int64_t to_ld,
                                 int rows, int cols) {
  const int64_t col = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (col >= cols) return;
#pragma unroll 8
  for (int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
    to[row * to_ld + col] = from[row * from_ld + col];
  }
}

// The map of a matrix of which the engine is to fetch boxes, swizzled by 128 bytes; what lies outside
// of the matrix arrives as zeros. The engine takes rows that start at multiples of 16 bytes, less than
// 2^40 bytes apart. Of another matrix it maps a copy, which lives as long as this object, in the order
// of the default stream. A matrix without elements has no map: nothing may be fetched of it.
class TensorMap {
 public:
  CUtensorMap map{};

  // ld in elements. Box: at most 256 rows and 64 columns. A failed CUDA call throws DeviceError.
  TensorMap(const half* matrix, int64_t ld, int rows, int cols, int box_rows, int box_cols) {
    if (rows == 0 || cols == 0) return;
    if (uintptr_t(matrix) % 16 != 0 || ld % 8 != 0 || ld >= int64_t(1) << 39) {
      const int64_t aligned_ld = ceil_div(cols, 8) * int64_t(8);
      copy_to(matrix, ld, rows, cols, aligned_ld);
      matrix = copy_;
      ld = aligned_ld;
    }
    const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)}, pitch[] = {ld * sizeof(half)};
    const cuuint32_t box[] = {cuuint32_t(box_cols), cuuint32_t(box_rows)}, step[] = {1, 1};
    const CUresult result =
        encode()(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, const_cast<half*>(matrix), size, pitch,
                 box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    CUDA_CHECK(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
  }
  TensorMap(const TensorMap&) = delete;
  TensorMap& operator=(const TensorMap&) = delete;
  ~TensorMap() {
    if (copy_ != nullptr) cudaFreeAsync(copy_, 0);
  }

 private:
  // cuTensorMapEncodeTiled() of the driver, which a CUDA program is not linked with. Looked up once.
  static decltype(&cuTensorMapEncodeTiled) encode() {
    static const auto found = [] {
      void* function = nullptr;
      cudaDriverEntryPointQueryResult status;
      CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                  cudaEnableDefault, &status));
      CUDA_CHECK(status == cudaDriverEntryPointSuccess ? cudaSuccess : cudaErrorNotSupported);
      return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
    }();
    return found;
  }

  // Fills copy_, from a pool that keeps its memory for the next call.
  void copy_to(const half* matrix, int64_t from_ld, int rows, int cols, int64_t to_ld) {
    int device;
    cudaMemPool_t pool;
    uint64_t keep = UINT64_MAX;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
    CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    CUDA_CHECK(cudaMallocAsync(&copy_, sizeof(half) * rows * to_ld, 0));
    const dim3 grid(ceil_div(cols, 256), min(ceil_div(rows, 8), 65535));
    copy_rows<<<grid, 256>>>(matrix, from_ld, copy_, to_ld, rows, cols);
    CUDA_CHECK(cudaGetLastError());
  }

  half* copy_ = nullptr;
};
