#include <string>

#include "common/harness/device/cuda_error.h"
#include "common/lesson.h"
#include "simt/report.h"
#include "simt/testing.h"
#include "tests/lessons/suite/watch.h"

// A failing case must not make later cases fail.
[[maybe_unused]] const bool goes_on = (simt::set_sticky(false), true);

void watch(const std::vector<Window>& windows, const std::function<void()>& call) {
  std::vector<simt::Window> watched;
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
        "gemm() touches device memory on the host; only kernels and CUDA's functions may");
  }
  if (!simt::last_notes().empty()) {
    const simt::Error& note = simt::last_notes()[0];
    const std::string message = note.message.substr(note.message.find("note: ") == 0 ? 6 : 0);
    const bool stored = note.kind != simt::ErrorKind::Misaligned;
    throw DeviceError((stored ? "stored more than once: " : "") + message);
  }
  if (!waits.empty()) {
    throw DeviceError("gemm() waits for the device: it calls " + waits[0] +
                      "(), but it should only start the work");
  }
}

void fail_call(int n) {
  simt::fail_call(n);
}

Quiet::Quiet() {
  simt::set_printing(false);
}

Quiet::~Quiet() {
  simt::set_printing(true);
}

std::string failed_call() {
  return simt::failed_call();
}

void* reserve(size_t bytes) {
  return simt::malloc_sparse(bytes);
}

void release(void* memory) {
  cudaFree(memory);
}
