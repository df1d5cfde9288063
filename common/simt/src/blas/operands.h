// Numbers in device memory, as the functions of cuBLAS use them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <type_traits>
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

// An array of pointers in device memory.
inline Operand pointers_of(const void* data, int64_t count) {
  return {data, CUDA_R_64F, count, 1, count};
}

unsigned size_of(cudaDataType type);  // 0: there is none such here

// Whether all of it lies in an allocation, and for `reads` has values; else says on stderr what is wrong with it.
bool is_usable(const char* function, const char* name, const Operand& operand, bool reads);

// Its elements as T, column after column, or row after row if transposed. Device memory must be open.
template <typename T>
std::vector<T> read(const Operand& operand, bool transposed = false);
// Rounded to the type of the operand; marks it as initialised.
template <typename T>
void write(const Operand& operand, const std::vector<T>& values);

template <typename T>
constexpr cudaDataType kType = std::is_integral_v<T> ? CUDA_R_32I
                               : sizeof(T) == 8      ? CUDA_R_64F
                                                     : CUDA_R_32F;

// A vector as a row: its elements lie `step` apart, from the end on if that is negative. read() and write() go upwards,
// so a vector that goes downwards is turned around.
template <typename T>
struct Vector {
  Operand operand;
  bool reversed;
  Vector(const T* data, int64_t count, int step)
      : operand{data, kType<T>, 1, count, std::abs(step)}, reversed(step < 0) {}
  std::vector<double> values() const {
    std::vector<double> all = read<double>(operand);
    if (reversed) std::reverse(all.begin(), all.end());
    return all;
  }
  void set(std::vector<double> all) const {
    if (reversed) std::reverse(all.begin(), all.end());
    write(operand, all);
  }
};

// The function on open memory, where the arguments are valid. It returns false if an operand cannot be used.
cublasStatus_t with_memory(cublasHandle_t handle, bool valid,
                           const std::function<bool()>& function);

// A single number, of the host or of the device.
template <typename T>
T scalar(const void* pointer) {
  return *static_cast<const T*>(pointer);
}

}  // namespace simt
