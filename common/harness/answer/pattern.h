// What wrong elements of C have in common: where they lie, and what they hold instead.
#pragma once
#include <functional>
#include <string>
#include <vector>

struct ComparedElement {
  int row, col;
  double got, expected;
  double bound;  // got may be as far off
  double sum, before;  // expected is alpha * sum + beta * before
  bool untouched;  // it holds what C held before
  bool wrong;
};

struct ComparedProblem {
  int M, N, K;
  double alpha, beta;
  bool exact;  // inputs are small integers
  bool fused;  // an epilogue has changed the sums
  std::vector<ComparedElement> elements;  // all that were compared, in row-major order
  std::function<double(int row, int k)> a;
  std::function<double(int k, int col)> b;
  std::function<double(int row, int col)> expected;
};

// In a few words without commas or quotes, such as "all in rows 64 to 96; the product at k = 5 is missing". Only what
// holds for each wrong element is said; "" if nothing is known that does.
std::string pattern_of(const ComparedProblem& problem);
