// The main() of every test program: 77 means skipped, for want of a GPU.
#define CATCH_CONFIG_RUNNER
#include <cstdio>
#include <cstdlib>

#include "common/harness/device/cuda_error.h"
#include "common/harness/device/device.h"
#include "tests/catch.h"

int main(int argc, char** argv) {
  // The CPU backend: so few that small problems have all of what a lesson plans by their number.
  setenv("SIMT_MULTIPROCESSORS", "2", 0);  // NOLINT(concurrency-mt-unsafe): no thread yet
  try {
    select_device(0);
  } catch (const DeviceError& error) {
    std::printf("skipped: %s\n", error.what());
    return 77;
  }
  // Catch2 returns the number of failures, which may be 77 too.
  return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}
