// Finds the common properties of C's wrong elements: their positions and their values.
#pragma once
#include <functional>
#include <string>
#include <vector>

struct ComparedElement {
  int row, col;
  double got, expected;
  double bound;  // largest error of got that is accepted
  double sum, before;  // expected == alpha * sum + beta * before
  bool untouched;  // got is the old value of C
  bool wrong;
};

struct ComparedProblem {
  int M, N, K;
  double alpha, beta;
  bool exact;  // inputs are small integers
  bool fused;  // the kernel has an epilogue
  std::vector<ComparedElement> elements;  // all compared elements in row-major order
  std::function<double(int row, int k)> a;
  std::function<double(int k, int col)> b;
  std::function<double(int row, int col)> expected;
  std::function<double(int row, int col)> before;
  double gap;  // the value between the rows of C
};

// A short text without commas or quotes, such as "all in rows 64 to 96; the product at k = 5 is missing". It holds for
// each wrong element; "" if no such property is found.
std::string pattern_of(const ComparedProblem& problem);
