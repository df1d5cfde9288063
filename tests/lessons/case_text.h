// A problem in words that a command takes.
#pragma once
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <string>

#include "common/harness/answer/verify.h"

// The problem as arguments of a lesson program. Offsets have no option there: they are told behind it.
inline std::string arguments_of(const Case& c) {
  char text[400];
  int n = std::snprintf(text, sizeof text, "%d %d %d", c.M, c.N, c.K);
  const auto add = [&](const char* format, auto... values) {
    n += std::snprintf(text + n, sizeof text - n, format, values...);
  };
  if (c.lda > c.K) add(" --lda %lld", (long long)c.lda);
  if (c.ldb > c.N) add(" --ldb %lld", (long long)c.ldb);
  if (c.ldc > c.N) add(" --ldc %lld", (long long)c.ldc);
  if (c.alpha != 1) add(" --alpha %.9g", c.alpha);
  if (c.beta != 0) add(" --beta %.9g", c.beta);
  if (c.mode == Mode::kExact) add(" --exact");
  add(" --seed %llu", (unsigned long long)c.seed);
  if (c.offset_A + c.offset_B + c.offset_C > 0) {
    add(" (A, B and C begin %d, %d and %d elements behind an aligned address)", c.offset_A,
        c.offset_B, c.offset_C);
  }
  return text;
}

// The ./ladder run that repeats a problem, in the test program of a lesson or of a file in practice/; "" for a problem
// that no option describes, and in the programs of edited copies.
inline std::string command_of(const Case& c) {
  const std::string program = program_invocation_short_name;
  const size_t end = program.rfind(".test");
  const bool practice = program.rfind("practice.", 0) == 0;
  if ((!practice && (!std::isdigit(program[0]) || program.find('.') != end)) ||
      c.offset_A + c.offset_B + c.offset_C > 0) {
    return "";
  }
  const std::string file =
      practice ? "practice/" + program.substr(9, end - 9) : program.substr(0, 2);
  return "./ladder run " + file + " " + arguments_of(c);
}
