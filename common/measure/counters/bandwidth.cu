// Measures the bandwidth that a kernel can reach. The kernel computes B = a * A + b, which reads and writes
// each element once, on arrays far larger than L2. Prints docs/results/bandwidth-GPU.json, which also has
// the device's nominal peaks. The best median is the roof of the roofline in docs/pictures.
#include <cuda_runtime.h>

#include <cstdio>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "common/harness/device/backend.h"
#include "common/harness/device/buffer.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/program/timer.h"
#include "common/lesson.h"

namespace {

constexpr int kThreads = 256;
constexpr float kScale = 2, kOffset = 1;

__device__ float scaled(float x) {
  return kScale * x + kOffset;
}

__device__ float4 scaled(float4 v) {
  return {scaled(v.x), scaled(v.y), scaled(v.z), scaled(v.w)};
}

// Each thread handles one element or one vector. count is a multiple of kThreads.
template <typename Vector>
__global__ void scale_kernel(const Vector* __restrict__ A, Vector* __restrict__ B) {
  const size_t i = size_t(blockIdx.x) * kThreads + threadIdx.x;
  B[i] = scaled(A[i]);
}

template <typename Vector>
void scale(const DeviceBuffer& A, const DeviceBuffer& B) {
  const size_t count = A.bytes() / sizeof(Vector);
  scale_kernel<<<unsigned(count / kThreads), kThreads>>>(static_cast<const Vector*>(A.data()),
                                                         static_cast<Vector*>(B.data()));
  CUDA_CHECK(cudaGetLastError());
}

// Throws DeviceError unless the first and last MiB of B have the right values for a zero A.
void check(const DeviceBuffer& B) {
  constexpr size_t kBytes = 1 << 20;
  std::vector<float> values(kBytes / sizeof(float));
  for (const size_t from : {size_t(0), B.bytes() - kBytes}) {
    CUDA_CHECK(cudaMemcpy(values.data(), static_cast<const char*>(B.data()) + from, kBytes,
                          cudaMemcpyDeviceToHost));
    for (const float value : values) {
      if (value != kOffset) {
        throw DeviceError("wrong values in B");
      }
    }
  }
}

template <typename Vector>
void measure(size_t bytes, bool last) {
  const DeviceBuffer A(bytes), B(bytes);
  CUDA_CHECK(cudaMemset(A.data(), 0, bytes));
  CUDA_CHECK(cudaMemset(B.data(), 0, bytes));
  const Stats ms = time_interleaved({[&] { scale<Vector>(A, B); }}, {11, false, 20})[0];
  check(B);
  std::printf(
      "    {\"array_bytes\": %zu, \"access_bytes\": %zu, \"ms\": {\"min\": %.9g, "
      "\"median\": %.9g, \"max\": %.9g}, \"gb_per_s\": %.9g}%s\n",
      bytes, sizeof(Vector), ms.min, ms.median, ms.max, 2e-6 * double(bytes) / ms.median,
      last ? "" : ",");
}

void measure_all() {
  backend::select_device(0);
  const Device device = backend::query_device();
  char date[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
  std::printf(
      "{\n  \"gpu\": \"%s\",\n  \"sm_clock_mhz\": %g,\n  \"cuda\": \"%s\",\n  \"date\": \"%s\",\n",
      device.name.c_str(), device.sm_clock_mhz, cuda_version(device.runtime).c_str(), date);
  std::printf("  \"l2_bytes\": %zu,\n  \"fp32_peak_tflops\": %.9g,\n", device.l2_bytes,
              device.fp32_peak() / 1e12);
  std::printf("  \"half_tensor_peak_tflops\": %.9g,\n  \"stated_gb_per_s\": %.9g,\n  \"runs\": [\n",
              device.half_tensor_peak() / 1e12, device.memory_bandwidth() / 1e9);
  constexpr size_t kSizes[] = {size_t(512) << 20, size_t(1) << 30, size_t(2) << 30,
                               size_t(4) << 30};
  for (const size_t bytes : kSizes) {
    measure<float>(bytes, false);
    measure<float4>(bytes, bytes == kSizes[3]);
  }
  std::printf("  ]\n}\n");
}

}  // namespace

int main() {
  try {
    measure_all();
    return kRight;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bandwidth: %s\n", error.what());
    return kDevice;
  }
}
