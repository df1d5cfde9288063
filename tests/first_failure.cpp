// Prints the first failure of a test program in lines that ./ladder repeats unchanged:
//   first failure: the title of the test case
//     found: wrong: C[0][0] is 7 ...
//     repeat: ./ladder run 02 3 4 5 --ldb 9 --exact --seed 7
// A test's INFO() follows "  with: " unless it begins with "found: " or "repeat: " itself. Messages of the CPU backend come
// first; what was found follows from its errors and is left out then. Catch2's own report would wrap these lines.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <algorithm>
#include <iostream>
#include <string>
#include <utility>

#include "tests/catch.h"
#include "tests/supervise.h"

namespace {

bool begins(const std::string& text, const char* with) {
  return text.rfind(with, 0) == 0;
}

// A failed assertion's message or that of its exception, else its expression.
std::string message_of(const Catch::AssertionResult& result) {
  if (!std::string(result.getMessage()).empty()) return std::string(result.getMessage());
  const std::string expression(result.getExpressionInMacro());
  return result.hasExpandedExpression() ? expression + " is " + result.getExpandedExpression()
                                        : expression;
}

struct FirstFailure : Listener {
  using Listener::Listener;
  using Result = decltype(std::declval<Listener&>().assertionEnded(
      std::declval<const Catch::AssertionStats&>()));

  void testCaseStarting(const Catch::TestCaseInfo& test) override {
    title_ = test.name;
    progress().explained = false;
    for (auto& error : progress().errors) error[0] = '\0';
  }

  Result assertionEnded(const Catch::AssertionStats& stats) override {
    if (!stats.assertionResult.isOk() && !progress().failure_printed) {
      progress().failure_printed = true;
      print(stats);
    }
    return Result(true);
  }

 private:
  void print(const Catch::AssertionStats& stats) const {
    std::cout << "first failure: " << title_ << "\n" << error_lines();
    const std::string message = message_of(stats.assertionResult);
    bool found = false;
    std::string repeat;
    for (const Catch::MessageInfo& info : stats.infoMessages) {
      found |= begins(info.message, "found: ");
      if (begins(info.message, "repeat: ")) {
        repeat = info.message;
      } else if (info.message != message) {
        const bool named = begins(info.message, "found: ") || begins(info.message, "with: ");
        line(named ? info.message : "with: " + info.message);
      }
    }
    if (!found) line("found: " + message);
    line(repeat.empty() ? "repeat: " + command_of_test(title_) : repeat);
    std::cout << std::flush;
  }

  static void line(std::string text) {
    if (progress().explained && begins(text, "found: ")) return;
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::cout << "  " << text << "\n";
  }

  std::string title_;
};

}  // namespace

CATCH_REGISTER_LISTENER(FirstFailure)
