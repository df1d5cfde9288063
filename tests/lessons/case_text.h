// A problem as a command's arguments.
#pragma once
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "common/harness/answer/verify.h"
#include "common/harness/device/backend.h"

// The shortest digits that strtod() converts back to value.
inline std::string digits_of(double value) {
  char text[40];
  for (const int digits : {9, 17}) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

// The problem as arguments of a lesson program.
inline std::string arguments_of(const Case& c) {
  std::string text = std::to_string(c.M) + " " + std::to_string(c.N) + " " + std::to_string(c.K);
  const auto add = [&text](bool needed, const char* option, const std::string& value) {
    if (needed) text += std::string(" ") + option + value;
  };
  add(c.lda > c.K, "--lda ", std::to_string(c.lda));
  add(c.ldb > c.N, "--ldb ", std::to_string(c.ldb));
  add(c.ldc > c.N, "--ldc ", std::to_string(c.ldc));
  add(c.offset_A > 0, "--offset-a ", std::to_string(c.offset_A));
  add(c.offset_B > 0, "--offset-b ", std::to_string(c.offset_B));
  add(c.offset_C > 0, "--offset-c ", std::to_string(c.offset_C));
  add(c.alpha != 1, "--alpha ", digits_of(c.alpha));
  add(c.beta != 0, "--beta ", digits_of(c.beta));
  add(c.mode == Mode::kExact, "--exact", "");
  add(true, "--seed ", std::to_string(c.seed));
  return text;
}

// The ./ladder run that repeats a problem of a lesson's test program or of a file's in practice/. "" in the programs of
// edited copies, and for guard bands that a lesson program does not have.
inline std::string command_of(const Case& c) {
  const std::string program = program_invocation_short_name;
  const size_t end = program.rfind(".test");
  const bool practice = program.rfind("practice.", 0) == 0;
  const bool named = practice || (std::isdigit(program[0]) && program.find('.') == end);
  if (!named || c.guard_inputs != backend::is_gpu() || c.guard_output != backend::is_gpu()) {
    return "";
  }
  const std::string file =
      practice ? "practice/" + program.substr(9, end - 9) : program.substr(0, 2);
  return "./ladder run " + file + " " + arguments_of(c);
}
