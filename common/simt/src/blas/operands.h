// Numbers in device memory, as the functions of cuBLAS use them.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/api/blas.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
};

namespace simt {

// Columns of a matrix, or a vector as one row with a stride (cols elements of it).
struct Operand {
  const void* data;
  cudaDataType type;
  int64_t rows, cols, stride;  // stride: elements from one column to the next
};

unsigned size_of(cudaDataType type);  // 0: there is none such here

// Whether all of it lies in an allocation, and for `reads` has values; else says on stderr what is wrong with it.
bool is_usable(const char* function, const char* name, const Operand& operand, bool reads);

// Its elements as T, column after column, or row after row if transposed. Device memory must be open.
template <typename T>
std::vector<T> read(const Operand& operand, bool transposed = false);
// Rounded to the type of the operand; marks it as initialised.
template <typename T>
void write(const Operand& operand, const std::vector<T>& values);

// A single number, of the host or of the device.
template <typename T>
T scalar(const void* pointer) {
  return *static_cast<const T*>(pointer);
}

}  // namespace simt
