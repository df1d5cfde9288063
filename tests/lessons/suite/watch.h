// Calls gemm() and watches that it keeps to its matrices; memory for far offsets. What differs between the backends is in
// watch_cpu.cpp and watch_gpu.cpp: only the CPU backend can watch.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "common/gemm.h"
#include "common/harness/answer/verify.h"
#include "common/harness/device/gemm_call.h"

// A matrix in device memory as a kernel may use it: rows of row_bytes each, whose starts lie pitch bytes apart.
struct Window {
  const void* data;
  size_t rows, row_bytes, pitch;
  bool reads, writes;  // whether its elements may be read, or written
};

// Calls the function. On the CPU backend a launch in it fails that writes to the allocation of one of these matrices, but
// not to what it may write, or reads one that it may not read; and it is a DeviceError if host code touches device
// memory, or calls a function of CUDA that waits for the device.
void watch(const std::vector<Window>& windows, const std::function<void()>& call);

// Of the calls of CUDA's functions that may fail though the caller does nothing wrong, launches among them, the n-th
// from now on does nothing and fails; 0: none of them. On the CPU backend only.
void fail_call(int n);

// While it lives, errors in kernels are not printed: they have been before.
struct Quiet {
  Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet();
};

// The name of the function that has failed so since then; "" if there were fewer calls.
std::string failed_call();

// Device memory of which only a few pages will be touched, to be given back by release(); null where there is not so much.
// The CPU backend needs addresses for it, and memory for what is touched; kernels may touch only what was copied there. A
// GPU needs all of it, so one large block is kept there and handed out again: one caller at a time may have it.
void* reserve(size_t bytes);
void release(void* memory);

// Calls gemm(p). On the CPU backend a launch fails that writes anything but elements of C, even a value that was there
// before, or reads C where beta == 0; and what watch() calls a DeviceError is one, since gemm() only launches.
template <typename T, typename Acc, typename Out, void (*gemm)(const Gemm<T, Acc, Out>&)>
void watched(const Gemm<T, Acc, Out>& p) {
  const auto window = [](const auto* data, int rows, int cols, int64_t ld, bool reads,
                         bool writes) {
    const size_t size = sizeof *data;
    return Window{data, size_t(rows), cols * size, size_t(ld) * size, reads, writes};
  };
  const auto [rows_of_A, cols_of_A] = shape_of_A(p.M, p.K);
  std::vector<Window> windows = {window(p.A, rows_of_A, cols_of_A, p.lda, true, false),
                                 window(p.B, p.K, p.N, p.ldb, true, false),
                                 window(p.C, p.M, p.N, p.ldc, p.beta != 0, true)};
  if constexpr (!std::is_same_v<Acc, Out>) {
    windows.push_back(window(p.bias, 1, p.N, p.N, true, false));
  }
  watch(windows, [&p] {
    const GemmCall call;
    gemm(p);
  });
}
