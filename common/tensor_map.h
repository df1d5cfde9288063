// Tensor maps, which describe matrices to the TMA (Tensor Memory Accelerator). For lessons that need sm_90a.
#pragma once
#include <cuda.h>
#include <cuda_fp16.h>

#include "common/stream_memory.h"

template <typename T>
__global__ void copy_rows(const T* from, int64_t from_ld, T* to, int64_t to_ld, int rows,
                          int cols) {
  const int64_t col = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (col >= cols) return;
#pragma unroll 8
  for (int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
    to[row * to_ld + col] = from[row * from_ld + col];
  }
}

// The map of a matrix whose boxes the TMA copies. Elements outside the matrix arrive as zeros and are not written. If the
// TMA cannot address the matrix, the map describes a copy, which lives as long as this object, in the order of the default
// stream. The TMA writes whole units of 16 bytes, so copy_back() copies its results. A matrix without elements has no map.
class TensorMap {
 public:
  CUtensorMap map{};

  enum class Use { READ, WRITE, UPDATE };  // by the TMA; UPDATE: it reads and writes

  // ld in elements of 1, 2 or 4 bytes. A box has at most 256 rows of 16, 32 ... or 128 bytes. Rows of 64 bytes have the
  // 64-byte swizzle in shared memory, others the 128-byte swizzle. A box of one row has at most 256 columns and no swizzle.
  // Throws DeviceError.
  template <typename T>
  TensorMap(const T* matrix, int64_t ld, int rows, int cols, int box_rows, int box_cols,
            Use use = Use::READ) {
    if (rows == 0 || cols == 0) return;
    constexpr int UNIT = 16 / sizeof(T);
    if (!fits(matrix, ld) || (use != Use::READ && cols % UNIT != 0)) {
      copy_ld_ = ceil_div(cols, UNIT) * int64_t(UNIT);
      copy_ = allocate_async<char>(sizeof(T) * rows * copy_ld_);
      T* const copy = reinterpret_cast<T*>(copy_.get());
      if (use != Use::WRITE) move(matrix, ld, copy, copy_ld_, rows, cols);
      matrix = copy;
      ld = copy_ld_;
    }
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4,
                  "a float of 8, 16 or 32 bits");
    const auto swizzle = box_rows == 1                ? CU_TENSOR_MAP_SWIZZLE_NONE
                         : box_cols * sizeof(T) == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                      : CU_TENSOR_MAP_SWIZZLE_128B;
    // The TMA does not calculate, so the type only has to have the element's bits.
    const auto bits = sizeof(T) == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                      : sizeof(T) == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                                       : CU_TENSOR_MAP_DATA_TYPE_UINT32;
    const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)}, pitch[] = {ld * sizeof(T)};
    const cuuint32_t box[] = {cuuint32_t(box_cols), cuuint32_t(box_rows)}, step[] = {1, 1};
    const CUresult result =
        encode()(&map, bits, 2, const_cast<T*>(matrix), size, pitch, box, step,
                 CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    CUDA_CHECK(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
  }

  // Copies what the TMA has written to a copy back to the matrix. Throws DeviceError.
  template <typename T>
  void copy_back(T* matrix, int64_t ld, int rows, int cols) const {
    if (copy_) move(reinterpret_cast<const T*>(copy_.get()), copy_ld_, matrix, ld, rows, cols);
  }

 private:
  // cuTensorMapEncodeTiled() of the driver, to which CUDA programs are not linked. Looked up once.
  static decltype(&cuTensorMapEncodeTiled) encode() {
    static const auto found = [] {
      void* function = nullptr;
      cudaDriverEntryPointQueryResult status;
#if CUDART_VERSION < 12050
      CUDA_CHECK(
          cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &status));
#else
      CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                  cudaEnableDefault, &status));
#endif
      CUDA_CHECK(status == cudaDriverEntryPointSuccess ? cudaSuccess : cudaErrorNotSupported);
      return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
    }();
    return found;
  }

  // Whether the TMA can address a matrix: rows must start at multiples of 16 bytes, less than
  // 2^40 bytes apart.
  template <typename T>
  static bool fits(const T* matrix, int64_t ld) {
    return uintptr_t(matrix) % 16 == 0 && ld % (16 / sizeof(T)) == 0 &&
           ld < (int64_t(1) << 40) / int64_t(sizeof(T));
  }

  template <typename T>
  static void move(const T* from, int64_t from_ld, T* to, int64_t to_ld, int rows, int cols) {
    const dim3 grid(ceil_div(cols, 256), min(ceil_div(rows, 8), 65535));
    copy_rows<<<grid, 256>>>(from, from_ld, to, to_ld, rows, cols);
    CUDA_CHECK(cudaGetLastError());
  }

  StreamMemory<char> copy_;
  int64_t copy_ld_ = 0;
};
