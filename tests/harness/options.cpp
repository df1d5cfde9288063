// The command line of a lesson program. tests/ladder/bad_calls.txt has its errors.
#include "common/harness/program/options.h"

#include <climits>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace {

Options parse(std::vector<std::string> words) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  return parse_options(int(words.size()), argv.data(), 256);
}

}  // namespace

TEST_CASE("no arguments") {
  const Options o = parse({});
  CHECK(!o.sizes_given);
  CHECK(o.M == 256);
  CHECK(o.N == 256);
  CHECK(o.K == 256);
  CHECK(o.alpha == 1);
  CHECK(o.beta == 0);
  CHECK(o.check);
  CHECK(!o.json);
  CHECK(!o.help);
}

TEST_CASE("--reps 0 is allowed") {
  CHECK(parse({"--reps", "0"}).reps == 0);
}

TEST_CASE("sizes and options in any order") {
  const Options o = parse({"--alpha",    "-0.5",     "1",   "--json", "0",          "--ldb=7",
                           "2147483391", "--beta",   "2e0", "--lda",  "2147483392", "--ldc",
                           "9",          "--reps",   "3",   "--seed", "0",          "--flush-l2",
                           "--no-check", "--device", "1",   "--exact"});
  CHECK(o.sizes_given);
  CHECK(o.M == 1);
  CHECK(o.N == 0);
  CHECK(o.K == INT_MAX - 256);
  CHECK(o.alpha == -0.5);
  CHECK(o.beta == 2);
  CHECK(o.lda == int64_t(INT_MAX) - 255);
  CHECK(o.ldb == 7);
  CHECK(o.ldc == 9);
  CHECK(o.reps == 3);
  CHECK(o.seed == 0);
  CHECK(o.device == 1);
  CHECK(o.flush_l2);
  CHECK(o.exact);
  CHECK(o.json);
  CHECK(!o.check);
  CHECK(parse({"--", "1", "2", "3"}).K == 3);
  CHECK(parse({"1", "2", "--", "3"}).K == 3);
  CHECK(parse({"-h"}).help);
  CHECK(parse({"--help"}).help);
  CHECK(parse({"--device-info"}).device_info);
}

TEST_CASE("a lesson's name") {
  CHECK(lesson_name("/a/b/03_thread_tile") == "03_thread_tile");
  CHECK(lesson_name("03_thread_tile") == "03_thread_tile");
  CHECK(lesson_name("/a/gemm") != "gemm");
}
