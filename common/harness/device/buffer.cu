#include <cuda_runtime.h>

#include <cstdio>

#include "common/harness/device/buffer.h"
#include "common/harness/device/cuda_error.h"
#include "common/lesson.h"

static size_t free_bytes() {
  size_t free = 0;
  size_t total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return free;
}

static void refuse(double bytes, size_t free) {
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  char text[160];
  std::snprintf(text, sizeof(text), "needs %.4g GiB of device memory, but only %.4g GiB are free",
                bytes / kGiB, double(free) / kGiB);
  throw DeviceError(text);
}

void require_device_memory(double bytes) {
  const size_t free = free_bytes();
  if (!(bytes <= double(free))) {
    refuse(bytes, free);
  }
}

DeviceBuffer::DeviceBuffer(size_t bytes) : bytes_(bytes) {
  const cudaError_t status = cudaMalloc(&data_, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // clears the error, which a later launch must not report as its own
    refuse(double(bytes), free_bytes());
  }
  CUDA_CHECK(status);
}

DeviceBuffer::~DeviceBuffer() {
  cudaFree(data_);
}
