#include <string>

#include "common/harness/device/cuda_error.h"
#include "tests/lessons/suite/watch.h"

void watch(const std::vector<simt::Window>& windows, const std::function<void()>& call) {
  simt::begin_watch(windows);
  try {
    call();
  } catch (...) {
    simt::end_watch();
    throw;
  }
  const std::vector<std::string> waits = simt::end_watch();
  if (!waits.empty()) {
    throw DeviceError("gemm() waits for the device: it calls " + waits[0] + "()");
  }
}

void* reserve(size_t bytes) {
  return simt::malloc_sparse(bytes);
}
