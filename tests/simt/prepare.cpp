// Before the tests of the CPU backend: they expect its reports, so it prints none, and goes on after each.
#include <cstdlib>

#include "common/simt/report.h"

int prepare();

int prepare() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets variables
  simt::set_printing(std::getenv("SIMT_PRINT") != nullptr);
  simt::set_sticky(false);
  return 0;
}
