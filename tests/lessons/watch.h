// What only tests ask of the place where kernels run: to watch gemm(), and memory for far offsets.
#pragma once
#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "common/gemm.h"
#include "common/harness/device/cuda_error.h"
#include "common/lesson.h"
#ifdef GEMM_LADDER_CPU
#include "common/simt/report.h"
#endif

// Calls gemm(p). On the CPU backend, a launch fails that writes anything but elements of C (even the value that
// was there before) or reads C where beta == 0; and a call of CUDA that waits for the device is a
// DeviceError, since gemm() only launches. A GPU cannot watch.
template <typename T, typename Acc, void (*gemm)(const Gemm<T, Acc>&)>
void watched(const Gemm<T, Acc>& p) {
#ifdef GEMM_LADDER_CPU
  const auto window = [](const auto* data, int rows, int cols, int64_t ld, bool reads,
                         bool writes) {
    const size_t size = sizeof *data;
    return simt::Window{data, size_t(rows), cols * size, size_t(ld) * size, reads, writes};
  };
  simt::begin_watch({window(p.A, p.M, p.K, p.lda, true, false),
                     window(p.B, p.K, p.N, p.ldb, true, false),
                     window(p.C, p.M, p.N, p.ldc, p.beta != 0, true)});
  try {
    gemm(p);
  } catch (...) {
    simt::end_watch();
    throw;
  }
  const std::vector<std::string> waits = simt::end_watch();
  if (!waits.empty()) {
    throw DeviceError("gemm() waits for the device: it calls " + waits[0] + "()");
  }
#else
  gemm(p);
#endif
}

// Device memory for cudaFree() of which only a few pages will be touched; null where there is not as much.
// The CPU backend needs addresses for it, and memory for what is touched; kernels may touch only what was
// copied there. A GPU needs all of it.
inline void* reserve(size_t bytes) {
#ifdef GEMM_LADDER_CPU
  return simt::malloc_sparse(bytes);
#else
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // it was this call's error, not that of a later launch
    return nullptr;
  }
  CUDA_CHECK(status);
  return memory;
#endif
}
