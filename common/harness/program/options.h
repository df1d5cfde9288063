// The command line of a lesson program.
#pragma once
#include <cstdint>
#include <string>

#include "common/harness/answer/verify.h"

struct Options {
  bool sizes_given = false;
  int M = 0, N = 0, K = 0;
  int64_t lda = 0, ldb = 0, ldc = 0;  // 0: the width of a row
  int offset_A = 0, offset_B = 0, offset_C = 0;  // elements from an aligned address
  double alpha = 1, beta = 0;
  int reps = 11;  // timed batches; 0: no timing
  uint64_t seed = 1;
  int device = 0;
  bool flush_l2 = false, exact = false, check = true, json = false;
  bool help = false, device_info = false;
};

// Throws UsageError with a one-line message. If no sizes are given, they are default_size.
Options parse_options(int argc, char** argv, int default_size);

// The problem that the options describe, with inputs for an exact result.
Case case_of(const Options& o);

// The text that --help prints.
std::string help_text(const std::string& program, int default_size);

// The lesson's name: the name of the program's file, or of its folder if the file is called gemm.
std::string lesson_name(const char* program);
