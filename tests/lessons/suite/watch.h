// Calls gemm() and watches which memory it accesses; reserves memory for 64-bit offsets. watch_cpu.cpp and watch_gpu.cpp
// implement this for the two backends. Only the CPU backend can watch.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "common/gemm.h"
#include "common/harness/answer/verify.h"
#include "common/harness/device/gemm_call.h"

// A matrix in device memory and the accesses that a kernel may make. Rows of row_bytes start pitch bytes apart.
struct Window {
  const void* data;
  size_t rows, row_bytes, pitch;
  bool reads, writes;  // whether kernels may read or write its elements
};

// Calls the function. On the CPU backend, a launch in it fails if a kernel accesses an allocation of these matrices in a
// way that no window allows. Host code that touches device memory, or calls a CUDA function that waits for the device,
// causes a DeviceError.
void watch(const std::vector<Window>& windows, const std::function<void()>& call);

// Makes the n-th CUDA call from now on do nothing and fail. Counts only calls that can fail without a mistake of the
// caller, launches among them. 0 stops this. On the CPU backend only.
void fail_call(int n);

// Suppresses messages about errors in kernels while it lives, since they have been printed before.
struct Quiet {
  Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet();
};

// The name of the function that fail_call() made fail, "" if there were fewer than n calls.
std::string failed_call();

// Device memory of which the caller will touch only a few pages, or null if there is not enough. Free it with release().
// The CPU backend needs addresses for all of it but memory only for touched pages; kernels may touch only bytes that were
// copied there before. A GPU needs memory for all of it, so this keeps one large block and returns it to each caller: use
// one at a time.
void* reserve(size_t bytes);
void release(void* memory);

// Calls gemm(p) under watch(). On the CPU backend a launch fails if it writes anything but elements of C, even with an
// unchanged value, or reads C where beta == 0.
template <typename T, typename Acc, typename Out, void (*gemm)(const Gemm<T, Acc, Out>&)>
void watched(const Gemm<T, Acc, Out>& p) {
  const auto window = [](const auto* data, int rows, int cols, int64_t ld, bool reads,
                         bool writes) {
    const size_t size = sizeof *data;
    return Window{data, size_t(rows), cols * size, size_t(ld) * size, reads, writes};
  };
  const auto [rows_of_A, cols_of_A] = shape_of_A(p.M, p.K);
  const auto [rows_of_B, cols_of_B] = shape_of_B<T>(p.K, p.N);
  std::vector<Window> windows = {window(p.A, rows_of_A, cols_of_A, p.lda, true, false),
                                 window(p.B, rows_of_B, cols_of_B, p.ldb, true, false),
                                 window(p.C, p.M, p.N, p.ldc, p.beta != 0, true)};
  if constexpr (HAS_EPILOGUE<T, Acc, Out>) {
    windows.push_back(window(p.bias, 1, p.N, p.N, true, false));
  }
  if constexpr (IS_SCALED<T>) {
    const int blocks = ceil_div(p.K, SCALED);
    windows.push_back(window(p.scales_A, blocks, p.M, p.M, true, false));
    windows.push_back(window(p.scales_B, ceil_div(p.N, SCALED), blocks, blocks, true, false));
  }
  watch(windows, [&p] {
    const GemmCall call;
    gemm(p);
  });
}
