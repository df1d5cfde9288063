// What the CPU backend has no counterpart of: a cuBLAS to compare with and a GPU's properties. It
// takes the place of common/cublas.cu and of the device half of common/launch.cu.
#include <cuda_fp16.h>

#include "common/check.h"
#include "common/cublas.h"
#include "common/device.h"

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
