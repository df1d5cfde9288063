// The main() of every test program.
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <algorithm>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/supervise.h"

// What the tests of a program need before the first one runs. Not 0: the program ends with this status.
int prepare();

namespace {

// Keeps who judges this up to date.
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
  std::vector<const char*> words(argv, argv + argc);
#if CATCH_VERSION_MAJOR > 2
  const auto names = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word == "--list-test-names-only";  // what Catch2 2 calls it
  });
  if (names != words.end()) {
    *names = "--list-tests";
    words.insert(names + 1, {"--verbosity", "quiet"});
  }
#endif
  // Catch2 returns the number of failures, which may be 77, "skipped", too; of names that it lists version 2 theirs.
  const int failed = Catch::Session().run(int(words.size()), words.data());
  return failed == 0 || !progress().began ? 0 : 1;
}

}  // namespace

CATCH_REGISTER_LISTENER(Reporter)

int main(int argc, char** argv) {
  return supervised(run, argc, argv);
}
