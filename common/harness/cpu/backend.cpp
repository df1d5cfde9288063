// common/harness/device/backend.h for the CPU backend.
#include "common/harness/device/backend.h"

#include <string>

#include "common/harness/device/cuda_error.h"
#include "common/simt/cuda/cuda.h"
#include "common/simt/report.h"

namespace backend {

bool is_gpu() {
  return false;
}

Launch last_launch() {
  const simt::LaunchShape shape = simt::last_shape();
  Launch launch;
  launch.known = shape.known;
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.shared_bytes = shape.shared_bytes;
  for (const simt::Error& error : simt::last_errors()) {
    launch.endless |= error.kind == simt::ErrorKind::Endless;
  }
  return launch;
}

void watch(const std::vector<Window>& windows, const std::function<void()>& call) {
  std::vector<simt::Window> watched;
  watched.reserve(windows.size());
  for (const Window& w : windows) {
    watched.push_back({w.data, w.rows, w.row_bytes, w.pitch, w.reads, w.writes});
  }
  simt::begin_watch(watched);
  try {
    call();
  } catch (...) {
    simt::end_watch();
    throw;
  }
  const std::vector<std::string> waits = simt::end_watch();
  if (simt::touched_by_host() != nullptr) {
    throw DeviceError(
        "gemm() touches device memory on the host, where only kernels and CUDA's functions may");
  }
  if (!waits.empty()) {
    throw DeviceError("gemm() waits for the device: it calls " + waits[0] + "()");
  }
}

void fail_call(int n) {
  simt::fail_call(n);
}

std::string failed_call() {
  return simt::failed_call();
}

void* reserve(size_t bytes) {
  return simt::malloc_sparse(bytes);
}

}  // namespace backend
