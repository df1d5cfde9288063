#include "blas/operands.h"

#include <cmath>
#include <cstring>
#include <string>

#include "host/host.h"
#include "memory/memory.h"
#include "simt/api/bfloat16.h"
#include "simt/api/fp8.h"

namespace simt {
namespace {

uintptr_t address_of(const Operand& o, int64_t col) {
  return reinterpret_cast<uintptr_t>(o.data) + uintptr_t(col * o.stride) * size_of(o.type);
}

template <typename T, typename Stored>
T load(const char* at) {
  Stored value;
  std::memcpy(static_cast<void*>(&value), at, sizeof value);
  return T(value);
}

template <typename T>
T element(cudaDataType type, const char* at) {
  switch (type) {
    case CUDA_R_16F:
      return T(float(load<__half, __half>(at)));
    case CUDA_R_16BF:
      return T(float(load<__nv_bfloat16, __nv_bfloat16>(at)));
    case CUDA_R_64F:
      return load<T, double>(at);
    case CUDA_R_8I:
      return load<T, int8_t>(at);
    case CUDA_R_8U:
      return load<T, uint8_t>(at);
    case CUDA_R_32I:
      return load<T, int32_t>(at);
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
      return T(fp8_value(load<uint8_t, uint8_t>(at), type == CUDA_R_8F_E4M3));
    default:
      return load<T, float>(at);
  }
}

template <typename T>
void set_element(cudaDataType type, char* at, T value) {
  const auto store = [at](auto stored) { std::memcpy(at, &stored, sizeof stored); };
  switch (type) {
    case CUDA_R_16F:
      return store(half_bits(float(value)));
    case CUDA_R_16BF:
      return store(bfloat16_bits(float(value)));
    case CUDA_R_64F:
      return store(double(value));
    case CUDA_R_32I:
      return store(int32_t(int64_t(value)));
    case CUDA_R_8I:
      return store(int8_t(std::fmin(std::fmax(std::nearbyint(double(value)), -128), 127)));
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
      return store(fp8_bits(double(value), type == CUDA_R_8F_E4M3, true));
    default:
      return store(float(value));
  }
}

}  // namespace

unsigned size_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_64F:
      return 8;
    case CUDA_R_8I:
    case CUDA_R_8U:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
      return 1;
  }
  return 0;
}

bool is_usable(const char* function, const char* name, const Operand& operand, bool reads) {
  Arena& arena = Arena::get();
  const size_t bytes = size_t(operand.rows) * size_of(operand.type);
  for (int64_t col = 0; col < operand.cols; ++col) {
    const uintptr_t begin = address_of(operand, col);
    const char* wrong = nullptr;
    arena.find_host_stores(begin, bytes);
    if (!arena.inside_one(reinterpret_cast<const void*>(begin), bytes)) {
      wrong = "does not lie in device memory with all of its elements";
    } else if (reads && std::memchr(arena.state(begin), kUninitialized, bytes) != nullptr) {
      wrong = "has uninitialised elements";
    }
    if (wrong != nullptr) {
      tell_host_error(std::string(function) + "(): " + name + " " + wrong + " (column " +
                      std::to_string(col) + ")");
      return false;
    }
  }
  return true;
}

template <typename T>
std::vector<T> read(const Operand& o, bool transposed) {
  std::vector<T> values(size_t(o.rows * o.cols));
  for (int64_t col = 0; col < o.cols; ++col) {
    const char* at = reinterpret_cast<const char*>(address_of(o, col));
    for (int64_t row = 0; row < o.rows; ++row, at += size_of(o.type)) {
      values[size_t(transposed ? row * o.cols + col : col * o.rows + row)] = element<T>(o.type, at);
    }
  }
  return values;
}

template <typename T>
void write(const Operand& o, const std::vector<T>& values) {
  for (int64_t col = 0; col < o.cols; ++col) {
    const uintptr_t begin = address_of(o, col);
    char* at = reinterpret_cast<char*>(begin);
    for (int64_t row = 0; row < o.rows; ++row, at += size_of(o.type)) {
      set_element(o.type, at, values[size_t(col * o.rows + row)]);
    }
    Arena::get().set_state(begin, size_t(o.rows) * size_of(o.type), kInitialized);
  }
}

cublasStatus_t with_memory(cublasHandle_t handle, bool valid,
                           const std::function<bool()>& function) {
  if (handle == nullptr) {
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!valid) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const OpenMemory open;
  return function() ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

#define SIMT_FOR(T)                                      \
  template std::vector<T> read<T>(const Operand&, bool); \
  template void write<T>(const Operand&, const std::vector<T>&);
SIMT_FOR(float)
SIMT_FOR(double)
SIMT_FOR(int64_t)

}  // namespace simt
