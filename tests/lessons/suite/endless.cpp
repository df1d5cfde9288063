// Ends the test program after a kernel that does not end. Each further case would run until its time limit.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <iostream>

#include "common/harness/device/backend.h"
#include "tests/catch.h"
#include "tests/supervise.h"

namespace {

struct StopAfterEndless : Listener {
  using Listener::Listener;

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    ++cases_;
    if (stats.totals.assertions.failed == 0 || !backend::last_launch().endless) return;
    std::cout << "test cases: " << cases_ << " | " << cases_ - 1 << " passed | 1 failed\n"
              << "The kernel does not end; the other tests did not run." << std::endl;
    end_tests(1);
  }

 private:
  int cases_ = 0;
};

}  // namespace

CATCH_REGISTER_LISTENER(StopAfterEndless)
