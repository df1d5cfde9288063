// Calls gemm() and watches that it keeps to its matrices. Only the CPU backend can see that.
#pragma once
#include "common/gemm.h"
#include "common/harness/device/backend.h"

// Calls gemm(p). On the CPU backend a launch fails that writes anything but elements of C (though it be
// a value that was there before) or reads C where beta == 0; and it is a DeviceError if host code touches device memory,
// or calls a function of CUDA that waits for the device, since gemm() only launches.
template <typename T, typename Acc, void (*gemm)(const Gemm<T, Acc>&)>
void watched(const Gemm<T, Acc>& p) {
  const auto window = [](const auto* data, int rows, int cols, int64_t ld, bool reads,
                         bool writes) {
    const size_t size = sizeof *data;
    return backend::Window{data, size_t(rows), cols * size, size_t(ld) * size, reads, writes};
  };
  backend::watch(
      {window(p.A, p.M, p.K, p.lda, true, false), window(p.B, p.K, p.N, p.ldb, true, false),
       window(p.C, p.M, p.N, p.ldc, p.beta != 0, true)},
      [&p] { gemm(p); });
}
