// The main() of every test program.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.h"

// What the tests of a program need before the first one runs. Not 0: the program ends with this status.
int prepare();

int main(int argc, char** argv) {
  const int status = prepare();
  if (status != 0) {
    return status;
  }
  // Catch2 returns the number of failures, which may be 77, "skipped", too.
  return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}
