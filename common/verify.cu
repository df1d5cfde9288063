#include <cmath>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <vector>

#include "common/check.h"
#include "common/verify.h"

namespace {

// The componentwise bound: |error| <= c (K + 2) u (|alpha| |A| |B| + |beta| |C|), with the unit
// roundoff u of Acc. It holds for any order of summation (Higham, "Accuracy and Stability of
// Numerical Algorithms", section 3.1) with c = 1 / (1 - (K + 2) u): 1.25 is enough up to K = 3e6.
// Half inputs may run on tensor cores, which cut off instead of rounding to nearest, so that an
// addition errs by 2 u, and align up to 17 terms at once: c = 4.
template <typename T, typename Acc>
constexpr double kBoundFactor = std::is_same_v<T, half> ? 4 : 1.25;

// The reference's sums are carried out with more bits than the kernel's.
template <typename Acc>
using Wide = std::conditional_t<std::is_same_v<Acc, double>, long double, double>;

template <typename Acc>
double unit_roundoff() {
  return std::is_integral_v<Acc> ? 0 : double(std::numeric_limits<Acc>::epsilon()) / 2;
}

template <typename T>
auto widen(T value) {
  if constexpr (std::is_same_v<T, half>) {
    return float(value);
  } else {
    return value;
  }
}

// Expected elements of C and their error bounds.
template <typename T, typename Acc>
class Reference {
 public:
  Reference(const Gemm<T, Acc>& problem, const Inputs& inputs, Mode mode)
      : p_(problem), inputs_(inputs), exact_(mode == Mode::kExact), a_(problem.K) {}

  struct Element {
    Wide<Acc> value;
    double bound;
  };

  Element operator()(int row, int col) {
    load_row(row);
    Wide<Acc> sum = 0;
    double magnitude = 0;
    for (int k = 0; k < p_.K; ++k) {
      const Wide<Acc> product = a_[k] * Wide<Acc>(widen(inputs_.b<T>(k, col)));
      sum += product;
      magnitude += std::fabs(double(product));
    }
    const Wide<Acc> c = p_.beta == 0 ? 0 : Wide<Acc>(inputs_.c<Acc>(row, col));
    magnitude = std::fabs(double(p_.alpha)) * magnitude + std::fabs(double(p_.beta) * double(c));
    const double factor = kBoundFactor<T, Acc> * (double(p_.K) + 2) * unit_roundoff<Acc>();
    return {p_.alpha * sum + p_.beta * c, exact_ ? 0 : factor * magnitude};
  }

 private:
  void load_row(int row) {
    for (int k = 0; k < p_.K && row != row_; ++k) {
      a_[k] = widen(inputs_.a<T>(row, k));
    }
    row_ = row;
  }

  const Gemm<T, Acc>& p_;
  const Inputs& inputs_;
  bool exact_;
  int row_ = -1;
  std::vector<Wide<Acc>> a_;  // row row_ of A
};

// The elements that are compared, in row-major order: all, or the corners, the last row and column
// in part, and random ones.
class Selection {
 public:
  Selection(const Case& c, bool all) : all_(all), columns_(c.N) {
    if (all) {
      return;
    }
    constexpr uint64_t kSamples = 4096;
    const uint64_t last_row = uint64_t(c.M) - 1;
    const uint64_t last_col = uint64_t(c.N) - 1;
    add(0, 0);
    add(0, last_col);
    add(last_row, 0);
    add(last_row, last_col);
    for (uint64_t i = 0; i < kSamples; ++i) {
      const uint64_t row = Inputs::mix(c.seed + 2 * i + 1) % uint64_t(c.M);
      const uint64_t col = Inputs::mix(c.seed + 2 * i + 2) % uint64_t(c.N);
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

// Collects what is wrong; the text is about the first of each kind.
class Findings {
 public:
  // got against expected. Written so that a NaN fails.
  void compare(int row, int col, double got, double expected, double error, double bound) {
    ++compared_;
    if (!(error <= bound)) {
      wrong(row, col, got, "%.9g within %.2g", expected, bound);
    }
    const double ratio = bound > 0 ? error / bound : error;
    if (!(ratio <= worst_ratio_)) {
      worst_ratio_ = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
      verdict_.max_error = error;
      verdict_.bound = bound;
    }
  }

  // An element that is not compared with the reference unless it must be wrong.
  void look_at(int row, int col, double got) {
    if (!std::isfinite(got)) {
      ++compared_;
      wrong(row, col, got, "a finite number");
    }
  }

  void touched(const char* what, int64_t row, int64_t col) {
    if (outside_++ == 0) {
      first_outside_ =
          format("%s was written: row %lld column %lld", what, (long long)row, (long long)col);
    }
  }

  Verdict verdict() const {
    Verdict v = verdict_;
    v.right = wrong_ == 0 && outside_ == 0;
    if (!v.right) {
      v.text = "wrong: ";
    }
    if (wrong_ != 0) {
      v.text += first_ + "; " + std::to_string(wrong_) + " of " + std::to_string(compared_) +
                " compared elements are wrong";
    }
    if (outside_ != 0) {
      v.text += (wrong_ != 0 ? "; " : "") + first_outside_;
    }
    return v;
  }

 private:
  template <typename... Values>
  static std::string format(const char* text, Values... values) {
    char buffer[160];
    std::snprintf(buffer, sizeof(buffer), text, values...);
    return buffer;
  }

  template <typename... Values>
  void wrong(int row, int col, double got, const char* expected, Values... values) {
    if (wrong_++ == 0) {
      first_ = format("C[%d][%d] is %.9g; expected ", row, col, std::isnan(got) ? NAN : got) +
               format(expected, values...);
    }
  }

  Verdict verdict_;
  double worst_ratio_ = 0;
  int64_t wrong_ = 0, compared_ = 0, outside_ = 0;
  std::string first_, first_outside_;
};

// Throws UsageError unless value, finite, stays finite in Acc and, for integers, is whole.
template <typename Acc>
Acc convert_factor(const char* name, double value) {
  const double limit = double(std::numeric_limits<Acc>::max());
  if (!(std::fabs(value) <= limit) || (std::is_integral_v<Acc> && value != std::floor(value))) {
    throw UsageError(std::string(name) + " is not a value of this lesson's type");
  }
  return Acc(value);
}

template <typename Acc>
Inputs make_inputs(const Case& c) {
  const int range = exact_range(c.K, c.alpha, c.beta);
  if (c.mode == Mode::kExact && range == 0) {
    throw UsageError("no inputs make this K, alpha and beta exact");
  }
  return Inputs(c.mode, range, c.seed);
}

// Integers have nothing to round.
template <typename Acc>
Case complete(Case c) {
  c.lda = c.lda != 0 ? c.lda : c.K;
  c.ldb = c.ldb != 0 ? c.ldb : c.N;
  c.ldc = c.ldc != 0 ? c.ldc : c.N;
  c.mode = std::is_integral_v<Acc> ? Mode::kExact : c.mode;
  return c;
}

// Guard bands that reach over the rows of a tile, at most 2^18 elements each.
Placement place(int64_t ld, int offset, bool guarded) {
  constexpr int64_t kTileRows = 256;
  const int64_t guard = std::min<int64_t>(kTileRows * (ld + 1), 1 << 18);
  return {ld, guarded ? (guard + 255) / 256 * 256 : 0, offset};
}

}  // namespace

template <typename T, typename Acc>
Operands<T, Acc>::Operands(const Case& original)
    : case_(complete<Acc>(original)),
      inputs_(make_inputs<Acc>(case_)),
      A_(case_.M, case_.K, place(case_.lda, case_.offset_A, case_.guard_inputs), Poison::kNaN),
      B_(case_.K, case_.N, place(case_.ldb, case_.offset_B, case_.guard_inputs), Poison::kNaN),
      C_(case_.M, case_.N, place(case_.ldc, case_.offset_C, true), Poison::kHuge),
      problem_{
          case_.M,   case_.N,   case_.K,   convert_factor<Acc>("alpha", case_.alpha), A_.data(),
          case_.lda, B_.data(), case_.ldb, convert_factor<Acc>("beta", case_.beta),   C_.data(),
          case_.ldc} {
  A_.fill([&](int row, int col) { return inputs_.a<T>(row, col); });
  B_.fill([&](int row, int col) { return inputs_.b<T>(row, col); });
  const Acc unread = poisoned<Acc>(Poison::kNaN);
  C_.fill([&](int row, int col) { return problem_.beta == 0 ? unread : inputs_.c<Acc>(row, col); });
}

template <typename T, typename Acc>
Verdict Operands<T, Acc>::verify() const {
  Findings findings;
  Reference<T, Acc> reference(problem_, inputs_, case_.mode);
  Selection selection(case_, double(case_.M) * case_.N * case_.K <= kFullWork);
  C_.scan(
      [&](int row, int col, Acc got) {
        if (selection.contains(row, col)) {
          const auto expected = reference(row, col);
          const double error = double(std::fabs(Wide<Acc>(got) - expected.value));
          findings.compare(row, col, double(got), double(expected.value), error, expected.bound);
        } else {
          findings.look_at(row, col, double(got));
        }
      },
      [&](int64_t row, int64_t col) { findings.touched("memory outside C", row, col); });

  const auto check_input = [&](const char* name, const DeviceMatrix<T>& matrix, auto original) {
    matrix.scan(
        [&](int row, int col, T got) {
          const T before = original(row, col);
          if (std::memcmp(&got, &before, sizeof(T)) != 0) {
            findings.touched(name, row, col);
          }
        },
        [&](int64_t row, int64_t col) { findings.touched(name, row, col); });
  };
  check_input("A or the memory around it", A_,
              [&](int row, int col) { return inputs_.a<T>(row, col); });
  check_input("B or the memory around it", B_,
              [&](int row, int col) { return inputs_.b<T>(row, col); });
  return findings.verdict();
}

template <typename T, typename Acc>
double Operands<T, Acc>::bytes_needed(const Case& original) {
  const Case c = complete<Acc>(original);
  const auto elements = [](double rows, double cols, int64_t ld, int offset) {
    const Placement p = place(ld, offset, true);
    const double extent = rows == 0 || cols == 0 ? 0 : (rows - 1) * double(ld) + cols;
    return extent + 2 * double(p.guard) + p.offset;
  };
  return (elements(c.M, c.K, c.lda, c.offset_A) + elements(c.K, c.N, c.ldb, c.offset_B)) *
             sizeof(T) +
         elements(c.M, c.N, c.ldc, c.offset_C) * sizeof(Acc);
}

template class Operands<float, float>;
template class Operands<double, double>;
template class Operands<half, float>;
template class Operands<int, int>;
