// The command line of a lesson program. tests/lessons/program_test.py tests how the program reports errors.
#include "common/harness/program/options.h"

#include <climits>
#include <string>
#include <vector>

#include "common/harness/device/cuda_error.h"
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

void expect_error(const std::vector<std::string>& words, const std::string& part) {
  try {
    parse(words);
    INFO("expected an error: " + part);
    CHECK(false);
  } catch (const UsageError& error) {
    const std::string text = error.what();
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
    CHECK(text.find('\n') == std::string::npos);
  }
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

TEST_CASE("invalid sizes") {
  expect_error({"1"}, "three sizes");
  expect_error({"1", "2"}, "three sizes");
  expect_error({"1", "2", "3", "4"}, "three sizes");
  expect_error({"-1", "2", "3"}, "negative");
  expect_error({"1", "-22", "3"}, "negative");
  expect_error({"--", "-1", "2", "3"}, "M must be a whole number");
  for (const char* bad : {"", " 1", "1 ", "1.5", "1e3", "0x10", "x", "2147483392", "99999999999",
                          "99999999999999999999999", "nan"}) {
    expect_error({bad, "2", "3"}, "M must be a whole number");
    expect_error({"1", bad, "3"}, "N must be a whole number");
    expect_error({"1", "2", bad}, "K must be a whole number");
  }
}

TEST_CASE("row strides below the rows' width") {
  expect_error({"4", "5", "6", "--lda", "5"}, "--lda 5 is less than the width of a row, K = 6");
  expect_error({"4", "5", "6", "--ldb", "4"}, "--ldb 4 is less than the width of a row, N = 5");
  expect_error({"4", "5", "6", "--ldc", "4"}, "--ldc 4 is less than the width of a row, N = 5");
  expect_error({"--lda", "255"}, "--lda 255");
  expect_error({"4", "5", "6", "--lda", "0"}, "--lda must be");
  expect_error({"4", "5", "6", "--ldb", "-5"}, "--ldb must be");
  expect_error({"4", "5", "6", "--ldc", "99999999999999"}, "--ldc must be");
}

TEST_CASE("invalid values") {
  for (const char* bad : {"", "x", "1x", " 1", "inf", "-inf", "nan", "1e999"}) {
    expect_error({"--alpha", bad}, "--alpha must be a finite number");
    expect_error({"--beta", bad}, "--beta must be a finite number");
  }
  expect_error({"--reps", "-1"}, "--reps must be");
  expect_error({"--reps", "1.5"}, "--reps must be");
  expect_error({"--seed", "-1"}, "--seed must be");
  expect_error({"--device", "-1"}, "--device must be");
  expect_error({"--device", "x"}, "--device must be");
}

TEST_CASE("unknown options and missing values") {
  expect_error({"--frobnicate"}, "unknown option --frobnicate");
  expect_error({"--frobnicate=3"}, "unknown option --frobnicate");
  expect_error({"1", "2", "3", "-x"}, "unknown option -x");
  expect_error({"--alpha"}, "option --alpha needs a value");
  expect_error({"1", "2", "3", "--lda"}, "option --lda needs a value");
  expect_error({"--json=yes"}, "option --json takes no value");
  expect_error({"--l"}, "--l");  // ambiguous
}

TEST_CASE("a lesson's name") {
  CHECK(lesson_name("/a/b/03_thread_tile") == "03_thread_tile");
  CHECK(lesson_name("03_thread_tile") == "03_thread_tile");
  CHECK(lesson_name("/a/gemm") != "gemm");
}
