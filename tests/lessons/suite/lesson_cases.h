// Declarations that the suite's files share: the lesson, its tiles, problems around them.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/harness/answer/verify.h"
#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"
#include "tests/catch.h"
#include "tests/lessons/card.h"
#include "tests/lessons/case_text.h"
#include "tests/lessons/suite/watch.h"
#include "tests/supervise.h"

using Input = LADDER_INPUT;
using Acc = LADDER_ACC;
using Output = LADDER_OUTPUT;
using Problem = Gemm<Input, Acc, Output>;
constexpr bool kFused = HAS_EPILOGUE<Input, Acc, Output>;  // the lesson has an epilogue
constexpr bool kNarrow = !std::is_same_v<Acc, Output>;  // C is rounded once more
constexpr bool kScaled = IS_SCALED<Input>;  // inputs have scales, and B is N x K

void gemm(const Problem&);

extern const char kLesson[];  // the lesson's name, also in an edited copy
extern const char kKnobs[];  // the block, warp and thread tiles, such as "BM=64 BN=128"

// The knob's value, or the default of a lesson without that knob.
inline int knob(const std::string& name, int otherwise) {
  const std::string text = " " + std::string(kKnobs);
  const size_t at = text.find(" " + name + "=");
  return at == std::string::npos ? otherwise : std::stoi(text.substr(at + name.size() + 2));
}

// A lesson without a knob BM plans by the shape: it chooses the tile and whether to split K. Such lessons have tiles of
// 32 x 64 to 128 x 256 and 256 x 128.
inline const bool kPlans = knob("BM", 0) == 0;
inline const int kRoom = knob("ROOM", 1);  // blocks that must be resident at once
inline const int BM = knob("BM", 128), BN = knob("BN", 128), BK = knob("BK", 32);
// A lesson that multiplies pieces of its inputs. A single product may be off by a unit in the last place.
inline const bool kPieces = knob("PRODUCTS", 0) > 0;

// Sizes of tiles: common ones and the lesson's own.
inline std::set<int> tiles() {
  std::set<int> sizes = {8, 16, 32, 64, 128, BM, BN, BK};
  if (kPlans) sizes.insert(256);
  for (const char* name : {"WM", "WN", "TM", "TN", "MMA", "PATCH"}) {
    sizes.insert(knob(name, 8));
  }
  return sizes;
}

// command_of(c) with the number of multiprocessors of this program's card if the lesson plans by it.
inline std::string repeat_of(const Case& c) {
  const std::string command = command_of(c);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): between launches
  const char* const count = std::getenv(Card::kMultiprocessors);
  if (command.empty() || count == nullptr || backend::is_gpu() || !(kPlans || kPieces)) {
    return command;
  }
  return std::string(Card::kMultiprocessors) + "=" + count + " " + command;
}

// A problem for the output of tests/first_failure.cpp.
inline std::string describe(const Case& c) {
  return "with: M N K = " + arguments_of(c);
}

// Whether the problem fails in a lesson program, too, which does not watch gemm() as tests do.
inline bool fails_unwatched(const Case& c) {
  if (backend::last_launch().endless) return true;
  const Quiet quiet;
  try {
    return !run_case<Input, Acc, Output>(gemm, c).right;
  } catch (const DeviceError&) {
    return true;
  }
}

// The same for a problem that failed, with the command that repeats it if a lesson program can.
inline std::string describe_failed(const Case& c) {
  const std::string command = repeat_of(c);
  return command.empty() || !fails_unwatched(c) ? describe(c) : "repeat: " + command;
}

inline Case sizes(int M, int N, int K, double alpha = 1, double beta = 0) {
  Case c;
  c.M = M;
  c.N = N;
  c.K = K;
  c.alpha = alpha;
  c.beta = beta;
  c.guard_inputs = c.guard_output = backend::is_gpu();
  c.seed = uint64_t(M) * 1000003 + uint64_t(N) * 1009 + uint64_t(K);
  return c;
}

// Row strides exceed the rows' widths by a, b and C elements.
inline Case pitched(Case c, int a, int b, int C) {
  c.lda = c.K + a;
  c.ldb = c.N + b;
  c.ldc = c.N + C;
  return c;
}

inline Case shifted(Case c, int a, int b, int C) {
  c.offset_A = a;
  c.offset_B = b;
  c.offset_C = C;
  return c;
}

// The problem with one row stride or one address moved by some elements.
inline std::vector<Case> moved(const Case& c, int by) {
  return {pitched(c, by, 0, 0), pitched(c, 0, by, 0), pitched(c, 0, 0, by),
          shifted(c, by, 0, 0), shifted(c, 0, by, 0), shifted(c, 0, 0, by)};
}

inline void expect_right(const Case& c) {
  const std::string command = repeat_of(c);
  note(progress().problem, command.empty() ? describe(c) : "repeat: " + command);
  Verdict verdict;
  bool thrown = false;
  try {
    verdict = run_case(watched<Input, Acc, Output, gemm>, c);
  } catch (const DeviceError& error) {
    thrown = true;
    verdict.right = false;
    verdict.text = error.what();
  }
  INFO((verdict.right || progress().failure_printed ? describe(c) : describe_failed(c)));
  INFO("found: " + verdict.text);
  CHECK(verdict.right);
  if (thrown) FAIL();  // the rest of the test might depend on it
}
