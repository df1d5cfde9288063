// The main() of the tests of the CPU backend. They expect its reports, so it prints none, and goes on after each.
#define CATCH_CONFIG_RUNNER
#include <cstdlib>

#include "simt/report.h"
#include "simt/testing.h"
#include "tests/catch.h"

int main(int argc, char** argv) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets variables
  simt::set_printing(std::getenv("SIMT_PRINT") != nullptr);
  simt::set_sticky(false);
  return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}
