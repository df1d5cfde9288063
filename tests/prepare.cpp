// Selects the device for tests of lessons and of the harness. Returns 77, "skipped", if there is none.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/device/gemm_call.h"
#include "tests/supervise.h"

int prepare();

namespace {

// A message without numbers and template arguments: messages that differ only there have one cause.
std::string shape_of(const std::string& message) {
  std::string shape;
  int depth = 0;
  for (const char c : message) {
    depth += (c == '<') - (c == '>');
    if (depth == 0 && (c < '0' || c > '9')) shape += c;
  }
  return shape;
}

// "gemm.cu:26"
std::string place_of(const std::string& message) {
  return message.substr(0, message.find(": "));
}

}  // namespace

int prepare() {
  // On the CPU backend. With two multiprocessors, small problems reach every plan of a lesson that plans by their number.
  setenv("SIMT_MULTIPROCESSORS", "2", 0);  // NOLINT(concurrency-mt-unsafe): no thread yet
  report_fault = [](const std::string& text) { note(progress().found, text); };
  backend::after_errors([](const std::string& message, bool doubt) {
    progress().explained |= !doubt;
    for (auto& error : progress().errors) {
      const std::string text = message.substr(0, sizeof error - 1);
      if (place_of(error) == place_of(text) && shape_of(error) == shape_of(text)) return;
      if (error[0] == '\0') return note(error, text);
    }
  });
  // Several tests run at the same time on a GPU. A test that waits for the GPU leaves its core to the others. If this call
  // fails, the next one does, too, and reports why.
  cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
  try {
    backend::select_device(0);
  } catch (const DeviceError& error) {
    std::printf("skipped: %s\n", error.what());
    return 77;
  }
  return 0;
}
