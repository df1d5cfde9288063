// Device memory for the tests of the CPU backend.
#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <vector>

template <typename T>
class DeviceArray {
 public:
  // Not initialised.
  explicit DeviceArray(size_t count) : count_(count) {
    if (cudaMalloc(&data_, count * sizeof(T)) != cudaSuccess) {
      throw std::runtime_error("cudaMalloc failed");
    }
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* get() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> result(count_);
    cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};
