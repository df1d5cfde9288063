#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/harness/answer/pattern.h"
#include "common/harness/answer/places.h"

namespace {

// Fewer elements may match a formula by chance.
constexpr size_t kEnough = 4;
// products() tries many formulas, so it needs more elements.
constexpr size_t kEnoughForProducts = 8;
// The limit of multiply-adds for the search for missing products.
constexpr double kMostWork = 5e8;
// No right result is as large.
constexpr double kHugeValue = 1e36;
constexpr int kTiles[] = {4, 8, 16, 32, 64, 128};

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

bool equal(const ComparedElement& e, double value) {
  return std::fabs(e.got - value) <= 4 * e.bound + 1e-7 * std::fabs(value);
}

template <typename Holds>
bool all(const Elements& wrong, Holds holds) {
  return std::all_of(wrong.begin(), wrong.end(), [&](const auto* e) { return holds(*e); });
}

double added(const ComparedProblem& p, const ComparedElement& e) {
  return p.beta == 0 ? 0 : p.beta * e.before;
}

// Recognizes values that need no formula.
std::string plain(const ComparedProblem& p, const Elements& wrong) {
  if (all(wrong, [](const auto& e) { return e.untouched; })) {
    return p.beta == 0 ? "they are still NaN: not written or C was read although beta is 0"
                       : "they still have the old value of C: not written";
  }
  const auto is_nan = [](const ComparedElement* e) { return std::isnan(e->got); };
  if (std::any_of(wrong.begin(), wrong.end(), is_nan)) {
    return std::string(std::all_of(wrong.begin(), wrong.end(), is_nan) ? "they" : "some") +
           " are NaN as after a read outside the rows of A or B (or of C although beta is 0)";
  }
  if (p.beta != 0 && all(wrong, [&](const auto& e) {
        return std::fabs(p.gap) > kHugeValue && equal(e, p.alpha * e.sum + p.beta * p.gap);
      })) {
    return "beta * C is read outside the rows of C";
  }
  if (all(wrong, [](const auto& e) { return std::fabs(e.got) > kHugeValue; }) &&
      all(wrong, [](const auto& e) { return std::isfinite(e.got); })) {
    return "they are huge as after a sum with a variable that was never given a value";
  }
  if (all(wrong, [](const auto& e) { return std::isinf(e.got); })) {
    return "they are infinite as after a product with a variable that was never given a value";
  }
  if (all(wrong, [](const auto& e) { return e.got == 0; })) return "they are 0";
  return "";
}

// Recognizes a forgotten or misapplied factor.
std::string factors(const ComparedProblem& p, const Elements& wrong) {
  struct Formula {
    double of_sum, of_before;
    const char* text;
  };
  const double alpha = p.alpha, beta = p.beta;
  for (const Formula& f :
       {Formula{1, beta, "alpha is missing"}, Formula{alpha, 0, "beta * C is missing"},
        Formula{alpha, 1, "C is added without beta"}, Formula{1, 1, "alpha and beta are missing"},
        Formula{1, 0, "alpha and beta * C are missing"},
        Formula{alpha, alpha * beta, "alpha is also applied to beta * C"},
        Formula{alpha * beta, beta, "beta is also applied to the product"},
        Formula{alpha, 2 * beta, "beta * C is added twice"},
        Formula{alpha, -beta, "beta * C is subtracted"},
        Formula{-alpha, beta, "the product is subtracted"},
        Formula{alpha * alpha, beta, "alpha is applied twice"},
        Formula{alpha * (1 + beta), beta * beta, "C is computed twice"},
        Formula{beta, alpha, "alpha and beta are swapped"},
        Formula{0, beta, "the product is missing: only beta * C is there"}}) {
    if (beta == 0 && f.of_before != 0) continue;  // with beta == 0, C has no known value
    if (all(wrong, [&](const auto& e) {
          return equal(e, f.of_sum * e.sum + (f.of_before == 0 ? 0 : f.of_before * e.before));
        })) {
      return f.text;
    }
  }
  return "";
}

// Recognizes values that belong to other elements.
std::string moved(const ComparedProblem& p, const Elements& wrong) {
  // Either the element has moved, or its product has and beta * C is right.
  const auto holds = [&](const ComparedElement& e, int row, int col) {
    if (row < 0 || row >= p.M || col < 0 || col >= p.N) return false;
    const double there = p.expected(row, col);
    return equal(e, there) ||
           (p.beta != 0 && !p.fused && equal(e, there - p.beta * p.before(row, col) + added(p, e)));
  };
  if (all(wrong, [&](const auto& e) { return holds(e, e.col, e.row); })) {
    return "C[i][j] has the value of C[j][i]";
  }
  for (const int tile : kTiles) {
    if (all(wrong, [&](const auto& e) {
          const int row0 = e.row / tile * tile, col0 = e.col / tile * tile;
          return holds(e, row0 + e.col - col0, col0 + e.row - row0);
        })) {
      const std::string side = std::to_string(tile);
      return "each tile of " + side + " x " + side + " is transposed";
    }
  }
  for (int tile = 256; tile >= 4; tile /= 2) {  // the largest of those that fit
    if (all(wrong, [&](const auto& e) { return holds(e, e.row % tile, e.col); })) {
      return "row i has the values of row i % " + std::to_string(tile);
    }
    if (all(wrong, [&](const auto& e) { return holds(e, e.row, e.col % tile); })) {
      return "column j has the values of column j % " + std::to_string(tile);
    }
  }
  for (const bool down : {false, true}) {
    for (int by = 1; by <= 256; by *= 2) {
      for (const int step : {by, -by}) {
        if (all(wrong, [&](const auto& e) {
              return holds(e, e.row + (down ? step : 0), e.col + (down ? 0 : step));
            })) {
          const std::string unit = down ? "row" : "column", side = down ? "below" : "to the right";
          const std::string other = down ? "above" : "to the left";
          return "each has the value that belongs " + std::to_string(by) + " " + unit +
                 (by > 1 ? "s " : " ") + (step > 0 ? side : other);
        }
      }
    }
  }
  return "";
}

// A range of k whose products are missing, are added twice, or are the only ones.
struct Part {
  enum Kind { kMissing, kOnly, kTwice } kind;
  int first, end;

  double value(const std::vector<double>& up_to) const {
    const double part = up_to[end] - up_to[first], sum = up_to.back();
    return kind == kMissing ? sum - part : kind == kOnly ? part : sum + part;
  }

  std::string text() const {
    const bool one = end - first == 1;
    const std::string last = one ? "" : " to " + std::to_string(end - 1);
    const std::string place = "at k = " + std::to_string(first) + last;
    if (kind == kOnly)
      return "only the product" + std::string(one ? " " : "s ") + place + (one ? " is" : " are") +
             " there";
    return "the product" + std::string(one ? " " : "s ") + place + (one ? " is " : " are ") +
           (kind == kMissing ? "missing" : "added twice");
  }
};

std::vector<Part> parts_of(int K) {
  std::vector<Part> parts;
  for (const Part::Kind kind : {Part::kMissing, Part::kOnly, Part::kTwice}) {
    for (int length = 1; length < K && length <= 256; length *= 2) {
      for (int first = 0; first < K; first += length) {
        parts.push_back({kind, first, std::min(first + length, K)});
      }
    }
  }
  for (int k = 1; k < K; ++k) {
    parts.push_back({Part::kOnly, 0, k});
    parts.push_back({Part::kOnly, k, K});
  }
  return parts;
}

bool allows_products(const ComparedProblem& p, const Elements& wrong) {
  return wrong.size() >= kEnoughForProducts && p.alpha != 0 && p.K >= 2 &&
         double(wrong.size()) * p.K <= kMostWork;
}

std::string products(const ComparedProblem& p, const Elements& wrong) {
  if (!allows_products(p, wrong)) return "";
  std::vector<Part> parts = parts_of(p.K);
  std::vector<double> up_to(p.K + 1);
  for (const ComparedElement* e : wrong) {
    for (int k = 0; k < p.K; ++k) up_to[k + 1] = up_to[k] + p.a(e->row, k) * p.b(k, e->col);
    parts.erase(std::remove_if(parts.begin(), parts.end(),
                               [&](const Part& part) {
                                 return !equal(*e, p.alpha * part.value(up_to) + added(p, *e));
                               }),
                parts.end());
    if (parts.empty()) return "";
  }
  return parts[0].text();
}

// Recognizes tiles of A or B whose rows and columns are exchanged.
std::string transposed(const ComparedProblem& p, const Elements& wrong) {
  if (!allows_products(p, wrong)) return "";
  for (const bool of_A : {true, false}) {
    const int rows = of_A ? p.M : p.K, cols = of_A ? p.K : p.N;
    for (const int tile : kTiles) {
      const auto element = [&](int row, int col) {
        const int i = row / tile * tile + col % tile, j = col / tile * tile + row % tile;
        return i >= rows || j >= cols ? 0 : of_A ? p.a(i, j) : p.b(i, j);
      };
      if (all(wrong, [&](const auto& e) {
            double sum = 0;
            for (int k = 0; k < p.K; ++k) {
              sum += of_A ? element(e.row, k) * p.b(k, e.col) : p.a(e.row, k) * element(k, e.col);
            }
            return equal(e, p.alpha * sum + added(p, e));
          })) {
        const std::string name = of_A ? "A" : "B", side = std::to_string(tile);
        return tile >= std::max(rows, cols)
                   ? name + " is read transposed"
                   : "each tile of " + side + " x " + side + " of " + name + " is read transposed";
      }
    }
  }
  return "";
}

// Recognizes errors that have the same size, absolutely or relatively.
std::string sizes(const ComparedProblem& p, const Elements& wrong) {
  const double factor = wrong[0]->got / wrong[0]->expected;
  if (std::isfinite(factor) &&
      all(wrong, [&](const auto& e) { return equal(e, factor * e.expected); })) {
    return "each is " + number(factor) + " times the right value";
  }
  const double more = wrong[0]->got - wrong[0]->expected;
  if (all(wrong, [&](const auto& e) { return equal(e, e.expected + more); })) {
    return "each is " + number(std::fabs(more)) + (more > 0 ? " too large" : " too small");
  }
  double largest = 0, error = 0;
  for (const ComparedElement& e : p.elements) largest = std::max(largest, std::fabs(e.expected));
  for (const ComparedElement* e : wrong) {
    error = std::isfinite(e->got) ? std::max(error, std::fabs(e->got - e->expected)) : INFINITY;
  }
  if (!p.exact && error < 0.01 * largest) {
    return "all are close: the error is at most " + number(error) + " and the largest value is " +
           number(largest);
  }
  return "";
}

std::string content_of(const ComparedProblem& p, const Elements& wrong) {
  const std::string text = plain(p, wrong);
  if (!text.empty() || wrong.size() < kEnough) return text;
  using Look = std::string (*)(const ComparedProblem&, const Elements&);
  const Look looks[] = {factors, products, transposed, moved, sizes};
  for (size_t i = p.fused ? 3 : 0; i < 5; ++i) {  // formulas of sums do not hold after an epilogue
    const std::string found = looks[i](p, wrong);
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace

std::string pattern_of(const ComparedProblem& problem) {
  Elements wrong;
  for (const ComparedElement& e : problem.elements) {
    if (e.wrong) wrong.push_back(&e);
  }
  if (wrong.empty() || problem.elements.size() < 2) return "";
  const std::string place = places_of(problem, wrong), content = content_of(problem, wrong);
  return place + (place.empty() || content.empty() ? "" : "; ") + content;
}
