// The main() of every test program.
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <algorithm>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/supervise.h"

// Prepares the program for its tests. If it does not return 0, the program ends with that status.
int prepare();

namespace {

// Reports progress to the parent process, which judges the result.
struct Reporter : Listener {
  using Listener::Listener;

  void testRunStarting(const Catch::TestRunInfo&) override { progress().began = true; }

  void testCaseStarting(const Catch::TestCaseInfo& test) override {
    note(progress().test, test.name);
    note(progress().problem, "");
  }

  void testCaseEnded(const Catch::TestCaseStats&) override { ++progress().cases; }
};

int run(int argc, char** argv) {
  const int status = prepare();
  if (status != 0) {
    return status;
  }
  std::vector<const char*> arguments(argv, argv + argc);
#if CATCH_VERSION_MAJOR > 2
  const auto names = std::find_if(arguments.begin(), arguments.end(), [](const std::string& each) {
    return each == "--list-test-names-only";  // Catch2 2's option
  });
  if (names != arguments.end()) {
    *names = "--list-tests";
    arguments.insert(names + 1, {"--verbosity", "quiet"});
  }
#endif
  // Catch2 returns the number of failures. It may be 77, which would mean "skipped". Version 2 returns the number of
  // names when it lists them.
  const int failed = Catch::Session().run(int(arguments.size()), arguments.data());
  return failed == 0 || !progress().began ? 0 : 1;
}

}  // namespace

CATCH_REGISTER_LISTENER(Reporter)

int main(int argc, char** argv) {
  return supervised(run, argc, argv);
}
