// What the CPU backend has no counterpart of: a cuBLAS to compare with and a GPU's properties. It
// takes the place of common/harness/gpu/cublas.cu and of the device half of common/harness/gpu/backend.cu.
#include <cuda_fp16.h>

#include "common/harness/device/cublas.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/device/device.h"

template <typename T, typename Acc>
Baseline make_baseline(const Gemm<T, Acc>&) {
  return {};
}

template Baseline make_baseline(const Gemm<float, float>&);
template Baseline make_baseline(const Gemm<double, double>&);
template Baseline make_baseline(const Gemm<half, float>&);
template Baseline make_baseline(const Gemm<int, int>&);

void select_device(int number) {
  if (number != 0) {
    throw DeviceError("no device " + std::to_string(number) + ": the CPU backend is device 0");
  }
}

Device query_device() {
  Device device;
  device.name = "CPU backend";
  return device;
}
