// Random problems in one process, each compared with the reference. A failing problem is shrunk while it still fails. Then
// both are printed with the command that repeats them. Environment variables:
//   LADDER_SEED    the seed of all problems (1)
//   LADDER_CASES   the number of problems of "many random problems" (CPU backend 300, GPU 2000)
//   LADDER_ONLY    the number of the only problem to run; problems from 1000000 on have long sizes
//   LADDER_SHRINK  0: do not shrink
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <optional>

#include "common/harness/device/cuda_error.h"
#include "tests/lessons/random/problems.h"
#include "tests/lessons/suite/lesson_cases.h"

namespace {

constexpr uint64_t kFew = 24;  // enough to find most bugs, and done in seconds
constexpr uint64_t kLong = 1000000;  // problems from this number on have long sizes

uint64_t variable(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (text == nullptr) return otherwise;
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (end == text || *end != 0 || *text < '0' || *text > '9' || value > 999999999) {
    throw UsageError(std::string(name) + " must be a whole number, not '" + text + "'");
  }
  return value;
}

Limits limits() {
  Limits l;
  l.tiles = {4, 8};
  for (const char* name : {"BM", "BN", "BK"}) {
    if (knob(name, 0) > 0) l.tiles.push_back(knob(name, 0));
  }
  if (kPlans) l.tiles.insert(l.tiles.end(), {32, 64, 128, 256});
  const int whole[] = {knob("BM", 128), 2 * knob("BN", 64), 3 * knob("BK", 64)};
  std::copy(std::begin(whole), std::end(whole), std::begin(l.whole));
  l.fractions = !std::is_integral_v<Acc>;
  l.guarded = backend::is_gpu();
  if (backend::is_gpu()) l.work = 1e8;
  return l;
}

// The multiprocessors of the simulated card for a long problem of a lesson that plans, so that plans vary. 0: no change.
int multiprocessors(uint64_t number) {
  return number < kLong || !kPlans ? 0 : kRoom * (1 + int(number % 9));
}

// A description of wrong elements without its numbers.
std::string kind_of(const std::string& pattern) {
  std::string kind;
  std::remove_copy_if(pattern.begin(), pattern.end(), std::back_inserter(kind),
                      [](char c) { return std::isdigit((unsigned char)c) != 0; });
  return kind;
}

struct Outcome {
  std::string wrong, kind;  // the message and its kind, "" if the result is right
};

Outcome outcome(const Case& c) {
  const std::string command = repeat_of(c);
  note(progress().problem, command.empty() ? describe(c) : "repeat: " + command);
  try {
    const Verdict verdict = run_case(watched<Input, Acc, Output, gemm>, c);
    return verdict.right ? Outcome{} : Outcome{verdict.text, kind_of(verdict.pattern)};
  } catch (const DeviceError& error) {
    return {error.what(), ""};
  }
}

std::string wrong(const Case& c) {
  return outcome(c).wrong;
}

// The same, with the CPU backend's messages about this problem alone. The kind has the line of the first one.
Outcome outcome_alone(const Case& c) {
  progress().explained = false;
  for (auto& error : progress().errors) error[0] = '\0';
  Outcome found = outcome(c);
  const std::string error = progress().errors[0];
  found.kind += error.substr(0, error.find(": "));
  return found;
}

// Shrinks a problem while it still fails in the same way, or in a way that the messages describe better. If none describes
// it, eight columns may show a pattern that one element cannot.
Case shrink(Case c, std::string kind) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Case& s : simpler(c)) {
      const Outcome found = outcome_alone(s);
      if (!found.wrong.empty() && (found.kind == kind || kind.empty())) {
        c = s;
        kind = found.kind;
        smaller = true;
        break;
      }
    }
  }
  Case wide = c;
  wide.N = std::max(c.N, 8);
  wide.ldb = std::max<int64_t>(c.ldb, wide.N);
  wide.ldc = std::max<int64_t>(c.ldc, wide.N);
  wide.mode = Problems::mode(wide);
  const bool describes = kind.empty() && !outcome_alone(wide).kind.empty();
  return describes ? wide : c;
}

// The report of a failing problem: the fault, the problem and the command that repeats it.
struct Failure {
  std::string found, problem, repeat;
};

// Restores the backend's messages about the problem that failed first.
void keep_errors(const Progress& before) {
  progress().explained = before.explained;
  std::memcpy(progress().errors, before.errors, sizeof before.errors);
}

// Prints the failing problem and the smallest one that still fails. Returns the latter's report if a command repeats it.
Failure report(uint64_t number, uint64_t seed, const Case& c, const std::string& text) {
  std::cout << "problem " << number << " of seed " << seed << " fails: " << arguments_of(c)
            << "\n  " << text << "\n";
  const auto again = [&](const std::string& which) {
    return "LADDER_SEED=" + std::to_string(seed) + " " + which + " " +
           command_of_test("many random problems");
  };
  const std::string name =
      "with: problem " + std::to_string(number) + " of seed " + std::to_string(seed);
  const Failure first = {text, name + ", M N K = " + arguments_of(c),
                         again("LADDER_ONLY=" + std::to_string(number))};
  if (variable("LADDER_SHRINK", 1) == 0) return first;
  if (backend::last_launch().endless) {
    std::cout << "The kernel does not end, so the problem was not shrunk.\n";
    return first;
  }
  const Quiet quiet;
  const Progress before = progress();
  const Outcome again_wrong = outcome_alone(c);
  if (again_wrong.wrong.empty()) {
    std::cout << "It passes when it runs again: the failure depends on earlier problems or on "
                 "chance.\n";
    keep_errors(before);
    return {text, first.problem, again("LADDER_CASES=" + std::to_string(number + 1))};
  }
  const Case s = shrink(c, again_wrong.kind);
  const std::string found = outcome_alone(s).wrong;
  std::cout << "smallest failing problem: " << arguments_of(s) << "\n  " << found << std::endl;
  const std::string command = repeat_of(s);
  if (!command.empty() && fails_unwatched(s)) return {found, name + ", shrunk", command};
  keep_errors(before);
  return first;
}

void try_problems(uint64_t first, uint64_t end) {
  const uint64_t seed = variable("LADDER_SEED", 1);
  const Problems problems(seed, limits());
  uint64_t exact = 0;
  for (uint64_t i = first; i < end; ++i) {
    const Case c = i < kLong ? problems.make(i)
                             : problems.make_long(i - kLong, backend::is_gpu() ? 100000 : 4000);
    std::optional<Card> card;
    if (multiprocessors(i) > 0) card.emplace(Card::kMultiprocessors, multiprocessors(i));
    exact += c.mode == Mode::kExact;
    const std::string text = wrong(c);
    if (!text.empty()) {
      const Failure failure = report(i, seed, c, text);
      INFO("repeat: " << failure.repeat);
      INFO(failure.problem);
      INFO("found: " << failure.found);
      FAIL();
    }
  }
  std::cout << end - first << " random problems are right, " << exact << " of them exactly; seed "
            << seed << std::endl;
}

}  // namespace

TEST_CASE("a few random problems", "[.first][few]") {
  try_problems(0, kFew);
}

TEST_CASE("random problems with sizes in the hundreds and thousands", "[.long][limits]") {
  try_problems(kLong, kLong + (backend::is_gpu() ? 200 : 10));
}

TEST_CASE("many random problems", "[.long][many]") {
  const uint64_t only = variable("LADDER_ONLY", UINT64_MAX);
  if (only != UINT64_MAX) {
    try_problems(only, only + 1);
  } else {
    try_problems(0, variable("LADDER_CASES", backend::is_gpu() ? 2000 : 300));
  }
}
