// Before the tests of lessons and of the harness: a device. 77, "skipped", where there is none.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/device/gemm_call.h"
#include "tests/supervise.h"

int prepare();

int prepare() {
  // The CPU backend: so few that small problems have all of what a lesson plans by their number.
  setenv("SIMT_MULTIPROCESSORS", "2", 0);  // NOLINT(concurrency-mt-unsafe): no thread yet
  report_fault = [](const std::string& text) { note(progress().found, text); };
  // Tests run side by side on a GPU: one that waits for the GPU leaves its core to the others. Where this fails, the next
  // call does, too, and says why.
  cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
  try {
    backend::select_device(0);
  } catch (const DeviceError& error) {
    std::printf("skipped: %s\n", error.what());
    return 77;
  }
  return 0;
}
