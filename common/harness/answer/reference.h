// Computes the expected elements of C and selects those that are compared with them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "common/gemm.h"
#include "common/harness/answer/inputs.h"
#include "common/harness/device/backend.h"

// The error bound of an element is the smaller of two.
//
// The certain bound is |error| <= c (K + 2) u (|alpha| |A| |B| + |beta| |C|), with the unit roundoff u of
// Acc. It holds for any order of summation (Higham, "Accuracy and Stability of Numerical Algorithms",
// section 3.1) with c = 1 / (1 - (K + 2) u). c = 1.25 is enough up to K = 3e6. Half inputs may run on
// tensor cores. These truncate instead of rounding to nearest, so an addition has an error of up to 2 u,
// and they align up to 17 terms at once. There, c = 4.
template <typename T, typename Acc>
inline constexpr double kBoundFactor = std::is_same_v<T, half> ? 4 : 1.25;

// FP8 tensor cores keep 14 bits of a sum (DeepSeek-V3, section 3.5.2): they align 32 products and the sum so far to the
// largest of them and truncate 13 bits further. Four wgmma add 128 of K; the next 128 start at 0. The result is in units
// of the FP32 roundoff. The CPU backend truncates nothing unless it is asked to.
template <typename T>
double truncated(double K) {
  return IS_SCALED<T> && backend::cuts_sums() ? (1 << 11) * (std::min<double>(K, SCALED) + 4) : 0;
}

template <typename T, typename Acc>
double certain_factor(double K) {
  return kBoundFactor<T, Acc> * (K + 2) + truncated<T>(K);
}

// The second bound is almost certain for inputs with random signs. Let q be the square root of the sum of
// the squares of alpha a b and of beta c. A partial sum stays below 8 q, so each rounding error stays below
// 8 u q. Errors of rounding to nearest have mean 0, so K of them add up to at most 8 sqrt(K + 2) such errors
// (Higham and Mary, "Sharper probabilistic backward error analysis for basic linear algebra kernels with
// random data", 2020). Errors of tensor cores have another mean and add up to c (K + 2). By Hoeffding's
// inequality, each factor 8 fails with a probability below 2 exp(-32), about 3e-14. With scales, each 128 of
// K have a q of their own; n of these add up to at most sqrt(n) times that of all.
constexpr double kDeviations = 8;
template <typename T, typename Acc>
double likely_factor(double K) {
  const bool is_half = std::is_same_v<T, half>;
  const double roundings =
      is_half ? kBoundFactor<T, Acc> * (K + 2) : kDeviations * std::sqrt(K + 2);
  return kDeviations * (roundings + truncated<T>(K) * std::sqrt(std::ceil(K / SCALED)));
}

// The type of the reference's sums, which has more bits than the kernel's.
template <typename Acc>
using Wide = std::conditional_t<std::is_same_v<Acc, double>, long double, double>;

// The largest number of a type, its unit roundoff and its smallest positive number, also for half and bf16.
template <typename Out>
double largest() {
  return std::is_same_v<Out, half>   ? 65504
         : std::is_same_v<Out, bf16> ? 0x1.FEp127
                                     : double(std::numeric_limits<Out>::max());
}

template <typename Acc>
double unit_roundoff() {
  return std::is_same_v<Acc, half>   ? 0x1p-11
         : std::is_same_v<Acc, bf16> ? 0x1p-8
         : std::is_integral_v<Acc>   ? 0
                                     : double(std::numeric_limits<Acc>::epsilon()) / 2;
}

template <typename Out>
double smallest() {
  return std::is_same_v<Out, half>   ? 0x1p-24
         : std::is_same_v<Out, bf16> ? 0x1p-133
                                     : double(std::numeric_limits<Out>::denorm_min());
}

// The gelu() of common/gemm.h in a form without cancellation: 1 + tanh(u) = 2 / (1 + exp(-2 u)).
inline double gelu(double x) {
  return x / (1 + std::exp(-2 * std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

// gelu() magnifies an error by at most this factor. Its largest slope is 1.129.
constexpr double kMostSlope = 1.13;

// The epilogue's own relative error in FP32. Its exponent, up to 25, is rounded three times, and hardware functions
// have errors of a few units in the last place.
constexpr double kEpilogueError = 0x1p-17;

// Expected elements of C and their error bounds.
template <typename T, typename Acc, typename Out = Acc>
class Reference {
 public:
  // all: the caller will request every element, so it pays to keep the columns of B.
  Reference(const Gemm<T, Acc, Out>& problem, const Inputs& inputs, Mode mode, bool all)
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

  // value is not rounded to Out and may exceed its range. In exact mode with an epilogue, value and bound cover the
  // results that FP32 arithmetic may yield.
  struct Element {
    Wide<Acc> value;
    double bound;

    // |got - value|. For an infinite result, the error is 0 if the value plus or minus the bound may overflow.
    double error(Out result) const {
      const auto got = Wide<Acc>(widen(result));
      const bool overflows = std::fabs(value) + bound > Wide<Acc>(largest<Out>());
      const bool same_sign = (got > 0) == (value > 0);
      return std::isinf(double(got)) && overflows && same_sign ? 0 : double(std::fabs(got - value));
    }
  };

  Element operator()(int row, int col) {
    load_row(row);
    if (!keep_B_) {
      load_column(col, 0);
    }
    const Wide<Acc>* b = b_.data() + (keep_B_ ? size_t(col) * p_.K : 0);
    Wide<Acc> sum = exact_ ? exact_sum(b) : 0;
    double magnitude = 0, squares = 0;
    for (int k = 0; k < p_.K && !exact_; ++k) {
      const Wide<Acc> product = a_[k] * b[k];
      sum += product;
      magnitude += std::fabs(double(product));
      squares += double(product) * double(product);
    }
    const Wide<Acc> c = p_.beta == 0 ? 0 : Wide<Acc>(widen(inputs_.c<Out>(row, col)));
    if constexpr (std::is_same_v<Acc, Out>) {
      return {p_.alpha * sum + p_.beta * c,
              exact_ ? 0 : bound(magnitude, squares, double(p_.beta * c))};
    } else {
      constexpr bool fused = HAS_EPILOGUE<T, Acc, Out>;
      const double bias = fused ? double(widen(inputs_.bias<Out>(col))) : 0, added = p_.beta * c;
      const double before = p_.alpha * sum + added + bias, value = fused ? gelu(before) : before;
      const double own = value == before ? 0 : kEpilogueError * std::fabs(value);
      if (exact_) return between(value - own, value + own);
      const double error = bound(magnitude, squares, std::fabs(added) + std::fabs(bias));
      return {value, (fused ? kMostSlope : 1) * error + own +
                         unit_roundoff<Out>() * std::fabs(value) + smallest<Out>()};
    }
  }

  // Whether an element may be too large for Out. Inputs are at most 1, or 16 in exact mode.
  bool may_overflow() const {
    const double most = exact_ ? 16 : 1;
    return std::fabs(double(p_.alpha)) * p_.K * most * most +
               (std::fabs(double(p_.beta)) + 1) * most >
           largest<Out>();
  }

 private:
  // Numbers between these two round to one value of Out or to one of two adjacent values.
  static Element between(double least, double most) {
    const double low = widen(Out(float(least))), high = widen(Out(float(most)));
    return {(low + high) / 2, low == high ? 0 : (high - low) / 2};
  }

  static constexpr double kMostKept = 1 << 22;  // elements of B

  // Exact sums have no order, so four partial sums need not wait for each other.
  Wide<Acc> exact_sum(const Wide<Acc>* b) const {
    Wide<Acc> sums[4] = {};
    int k = 0;
    for (; k + 4 <= p_.K; k += 4) {
      for (int i = 0; i < 4; ++i) sums[i] += a_[k + i] * b[k + i];
    }
    for (; k < p_.K; ++k) sums[0] += a_[k] * b[k];
    return sums[0] + sums[1] + sums[2] + sums[3];
  }

  // Denormal results are rounded to a multiple of the smallest one, regardless of their magnitude.
  double bound(double magnitude, double squares, double added) const {
    const double alpha = std::fabs(double(p_.alpha)), other = std::fabs(added);
    const double certain = certain_factor<T, Acc>(p_.K) * (alpha * magnitude + other);
    const double likely =
        likely_factor<T, Acc>(p_.K) * std::hypot(alpha * std::sqrt(squares), other);
    return std::min(certain, likely) * unit_roundoff<Acc>() + smallest<Acc>();
  }

  void load_row(int row) {
    for (int k = 0; k < p_.K && row != row_; ++k) {
      a_[k] = inputs_.a_value<T>(row, k);
    }
    row_ = row;
  }

  void load_column(int col, size_t at) {
    for (int k = 0; k < p_.K; ++k) {
      b_[at + k] = inputs_.b_value<T>(k, col);
    }
  }

  const Gemm<T, Acc, Out>& p_;
  const Inputs& inputs_;
  bool exact_, keep_B_;
  int row_ = -1;
  std::vector<Wide<Acc>> a_;  // row row_ of A
  std::vector<Wide<Acc>> b_;  // a column of B, or all columns one after the other
};

// The elements to compare, in row-major order. These are either all elements, or the corners, some of the last
// row and column, and random ones.
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

  // Must be called in row-major order.
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
