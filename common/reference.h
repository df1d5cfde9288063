// What C has to be, element by element, and which elements are compared with it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "common/gemm.h"
#include "common/inputs.h"

// The componentwise bound: |error| <= c (K + 2) u (|alpha| |A| |B| + |beta| |C|), with the unit
// roundoff u of Acc. It holds for any order of summation (Higham, "Accuracy and Stability of
// Numerical Algorithms", section 3.1) with c = 1 / (1 - (K + 2) u): 1.25 is enough up to K = 3e6.
// Half inputs may run on tensor cores, which cut off instead of rounding to nearest, so that an
// addition errs by 2 u, and align up to 17 terms at once: c = 4.
template <typename T, typename Acc>
inline constexpr double kBoundFactor = std::is_same_v<T, half> ? 4 : 1.25;

// The reference's sums are carried out with more bits than the kernel's.
template <typename Acc>
using Wide = std::conditional_t<std::is_same_v<Acc, double>, long double, double>;

template <typename Acc>
double unit_roundoff() {
  return std::is_integral_v<Acc> ? 0 : double(std::numeric_limits<Acc>::epsilon()) / 2;
}

// Expected elements of C and their error bounds.
template <typename T, typename Acc>
class Reference {
 public:
  // all: every element will be asked for, so that the columns of B are worth keeping.
  Reference(const Gemm<T, Acc>& problem, const Inputs& inputs, Mode mode, bool all)
      : p_(problem),
        inputs_(inputs),
        exact_(mode == Mode::kExact),
        keep_B_(all && double(problem.K) * problem.N <= kMostKept),
        a_(problem.K),
        b_(size_t(problem.K) * (keep_B_ ? problem.N : 1)) {
    for (int col = 0; keep_B_ && col < p_.N; ++col) {
      load_column(col, size_t(col) * p_.K);
    }
  }

  struct Element {
    Wide<Acc> value;
    double bound;
  };

  Element operator()(int row, int col) {
    load_row(row);
    if (!keep_B_) {
      load_column(col, 0);
    }
    const Wide<Acc>* b = b_.data() + (keep_B_ ? size_t(col) * p_.K : 0);
    Wide<Acc> sum = 0;
    double magnitude = 0;
    for (int k = 0; k < p_.K; ++k) {
      const Wide<Acc> product = a_[k] * b[k];
      sum += product;
      magnitude += std::fabs(double(product));
    }
    const Wide<Acc> c = p_.beta == 0 ? 0 : Wide<Acc>(inputs_.c<Acc>(row, col));
    magnitude = std::fabs(double(p_.alpha)) * magnitude + std::fabs(double(p_.beta) * double(c));
    const double factor = kBoundFactor<T, Acc> * (double(p_.K) + 2) * unit_roundoff<Acc>();
    return {p_.alpha * sum + p_.beta * c, exact_ ? 0 : factor * magnitude};
  }

 private:
  static constexpr double kMostKept = 1 << 22;  // elements of B

  void load_row(int row) {
    for (int k = 0; k < p_.K && row != row_; ++k) {
      a_[k] = widen(inputs_.a<T>(row, k));
    }
    row_ = row;
  }

  void load_column(int col, size_t at) {
    for (int k = 0; k < p_.K; ++k) {
      b_[at + k] = widen(inputs_.b<T>(k, col));
    }
  }

  const Gemm<T, Acc>& p_;
  const Inputs& inputs_;
  bool exact_, keep_B_;
  int row_ = -1;
  std::vector<Wide<Acc>> a_;  // row row_ of A
  std::vector<Wide<Acc>> b_;  // a column of B, or all of them one after the other
};

// The elements that are compared, in row-major order: all, or the corners, the last row and column
// in part, and random ones.
class Selection {
 public:
  Selection(int M, int N, uint64_t seed, bool all) : all_(all), columns_(N) {
    if (all) {
      return;
    }
    constexpr uint64_t kSamples = 4096;
    const uint64_t last_row = uint64_t(M) - 1;
    const uint64_t last_col = uint64_t(N) - 1;
    add(0, 0);
    add(0, last_col);
    add(last_row, 0);
    add(last_row, last_col);
    for (uint64_t i = 0; i < kSamples; ++i) {
      const uint64_t row = Inputs::mix(seed + 2 * i + 1) % uint64_t(M);
      const uint64_t col = Inputs::mix(seed + 2 * i + 2) % uint64_t(N);
      add(i % 16 == 1 ? last_row : row, i % 16 == 2 ? last_col : col);
    }
    std::sort(chosen_.begin(), chosen_.end());
    chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
  }

  // To be asked in row-major order.
  bool contains(int row, int col) {
    if (all_) {
      return true;
    }
    const bool found = next_ < chosen_.size() && chosen_[next_] == place(row, col);
    next_ += found;
    return found;
  }

 private:
  uint64_t place(uint64_t row, uint64_t col) const { return row * columns_ + col; }
  void add(uint64_t row, uint64_t col) { chosen_.push_back(place(row, col)); }

  bool all_;
  uint64_t columns_;
  size_t next_ = 0;
  std::vector<uint64_t> chosen_;
};
