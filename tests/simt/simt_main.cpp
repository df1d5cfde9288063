// The main() of the CPU backend's tests.
#define CATCH_CONFIG_RUNNER
#include <cstdlib>

#include "common/simt/report.h"
#include "tests/catch.h"

int main(int argc, char** argv) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets variables
  if (std::getenv("SIMT_PRINT") == nullptr) {
    simt::set_printing(false);
  }
  return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}
