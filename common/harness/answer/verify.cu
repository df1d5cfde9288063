#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "common/harness/answer/checksum.h"
#include "common/harness/answer/findings.h"
#include "common/harness/answer/pattern.h"
#include "common/harness/answer/reference.h"
#include "common/harness/answer/verify.h"
#include "common/harness/device/backend.h"
#include "common/harness/device/cuda_error.h"

__attribute__((weak)) bool takes_transposed_A() {
  return false;
}

namespace {

// Throws UsageError if a finite value overflows in Acc or, for an integer type, has a fraction.
template <typename Acc>
Acc convert_factor(const char* name, double value) {
  const double limit = double(std::numeric_limits<Acc>::max());
  if (!(std::fabs(value) <= limit) || (std::is_integral_v<Acc> && value != std::floor(value))) {
    throw UsageError(std::string(name) + " does not fit this lesson's accumulator type");
  }
  return Acc(value);
}

// With an epilogue, numbers must stay small, because halves above 2048 cannot represent all integers. The 1 added to
// beta accounts for the bias. With scales, sums of 128 products must fit the 14 bits of FP8 tensor cores.
template <typename T, typename Acc, typename Out>
Inputs make_inputs(const Case& c) {
  const bool fused = HAS_EPILOGUE<T, Acc, Out>;
  const int range = fused ? std::min(exact_range(c.K, c.alpha, std::fabs(c.beta) + 1), 4)
                    : IS_SCALED<T>
                        ? std::min(exact_range(c.K, c.alpha, c.beta, Inputs::kLargestScales), 8)
                        : exact_range(c.K, c.alpha, c.beta);
  if (c.mode == Mode::kExact && range == 0) {
    throw UsageError("no inputs give an exact result with this K, alpha and beta");
  }
  return Inputs(c.mode, range, c.seed);
}

// Fills in default strides. Integers do not round, so their mode is exact.
template <typename T, typename Acc>
Case complete(Case c) {
  const int cols_of_A = shape_of_A(c.M, c.K).second, cols_of_B = shape_of_B<T>(c.K, c.N).second;
  c.lda = c.lda != 0 ? c.lda - c.K + cols_of_A : cols_of_A;
  c.ldb = c.ldb != 0 ? c.ldb - c.N + cols_of_B : cols_of_B;
  c.ldc = c.ldc != 0 ? c.ldc : c.N;
  c.mode = std::is_integral_v<Acc> ? Mode::kExact : c.mode;
  return c;
}

// Each guard band has as many rows as a tile, but at most 2^18 elements.
Placement place(int64_t ld, int offset, bool guarded) {
  constexpr int64_t kTileRows = 256;
  const int64_t guard = std::min<int64_t>(kTileRows * (ld + 1), 1 << 18);
  return {ld, guarded ? (guard + 255) / 256 * 256 : 0, offset};
}

}  // namespace

template <typename T, typename Acc, typename Out>
Operands<T, Acc, Out>::Operands(const Case& original)
    : case_(complete<T, Acc>(original)),
      inputs_(make_inputs<T, Acc, Out>(case_)),
      A_(shape_of_A(case_.M, case_.K).first, shape_of_A(case_.M, case_.K).second,
         place(case_.lda, case_.offset_A, case_.guard_inputs), Poison::kNaN),
      B_(shape_of_B<T>(case_.K, case_.N).first, shape_of_B<T>(case_.K, case_.N).second,
         place(case_.ldb, case_.offset_B, case_.guard_inputs), Poison::kNaN),
      C_(case_.M, case_.N, place(case_.ldc, case_.offset_C, case_.guard_output), Poison::kHuge),
      bias_(HAS_EPILOGUE<T, Acc, Out> ? 1 : 0, case_.N,
            place(case_.N, case_.offset_A, case_.guard_inputs), Poison::kNaN),
      scales_A_(IS_SCALED<T> ? ceil_div(case_.K, SCALED) : 0, case_.M,
                place(case_.M, case_.offset_A, case_.guard_inputs), Poison::kNaN),
      scales_B_(IS_SCALED<T> ? ceil_div(case_.N, SCALED) : 0, ceil_div(case_.K, SCALED),
                place(ceil_div(case_.K, SCALED), case_.offset_A, case_.guard_inputs), Poison::kNaN),
      problem_(with_more<T, Acc, Out>(
          {case_.M, case_.N, case_.K, convert_factor<Acc>("alpha", case_.alpha), A_.data(),
           case_.lda, B_.data(), case_.ldb, convert_factor<Acc>("beta", case_.beta), C_.data(),
           case_.ldc},
          bias_.data(), scales_A_.data(), scales_B_.data())) {
  A_.fill([&](int row, int col) { return in_A(row, col); });
  B_.fill([&](int row, int col) { return in_B(row, col); });
  const Out old = unread<Out>();
  C_.fill([&](int row, int col) { return problem_.beta == 0 ? old : inputs_.c<Out>(row, col); });
  bias_.fill([&](int, int col) { return inputs_.bias<Out>(col); });
  scales_A_.fill([&](int block, int row) { return inputs_.scale_a(row, block); });
  scales_B_.fill([&](int of_cols, int block) { return inputs_.scale_b(block, of_cols); });
  const auto [rows_of_B, cols_of_B] = shape_of_B<T>(case_.K, case_.N);
  backend::name_matrix("A", A_.data(), case_.M, case_.K, case_.lda, sizeof(T));
  backend::name_matrix("B", B_.data(), rows_of_B, cols_of_B, case_.ldb, sizeof(T));
  backend::name_matrix("C", C_.data(), case_.M, case_.N, case_.ldc, sizeof(Out));
  backend::name_matrix("bias", bias_.data(), HAS_EPILOGUE<T, Acc, Out> ? 1 : 0, case_.N, case_.N,
                       sizeof(Out));
  if (IS_SCALED<T>) {
    const int blocks = ceil_div(case_.K, SCALED);
    backend::name_matrix("scales_A", scales_A_.data(), blocks, case_.M, case_.M, sizeof(float));
    backend::name_matrix("scales_B", scales_B_.data(), ceil_div(case_.N, SCALED), blocks, blocks,
                         sizeof(float));
  }
}

template <typename T, typename Acc, typename Out>
Verdict Operands<T, Acc, Out>::verify() const {
  Findings findings;
  verify_C(findings);
  A_.find_change(
      [&](int row, int col) { return in_A(row, col); },
      [&](int64_t row, int64_t col) { findings.touched("A or the memory around it", row, col); });
  B_.find_change(
      [&](int row, int col) { return in_B(row, col); },
      [&](int64_t row, int64_t col) { findings.touched("B or the memory around it", row, col); });
  bias_.find_change([&](int, int col) { return inputs_.bias<Out>(col); },
                    [&](int64_t row, int64_t col) {
                      findings.touched("the bias or the memory around it", row, col);
                    });
  const auto scales = [&](int64_t row, int64_t col) {
    findings.touched("a scale or the memory around it", row, col);
  };
  scales_A_.find_change([&](int block, int row) { return inputs_.scale_a(row, block); }, scales);
  scales_B_.find_change([&](int of_cols, int block) { return inputs_.scale_b(block, of_cols); },
                        scales);
  return findings.verdict(findings.any_wrong() ? find_pattern() : "");
}

// In a small problem, the pattern is that of all elements; otherwise, of the corners and random elements.
template <typename T, typename Acc, typename Out>
std::string Operands<T, Acc, Out>::find_pattern() const {
  constexpr double kMostWork = 1 << 24, kMostElements = 1 << 18;
  const double size = double(case_.M) * case_.N;
  const bool all = size <= kMostElements && size * case_.K <= kMostWork;
  Reference<T, Acc, Out> reference(problem_, inputs_, case_.mode, all);
  Selection selection(case_.M, case_.N, case_.seed, all);
  ComparedProblem p{case_.M,
                    case_.N,
                    case_.K,
                    double(problem_.alpha),
                    double(problem_.beta),
                    case_.mode == Mode::kExact,
                    HAS_EPILOGUE<T, Acc, Out>,
                    {},
                    {},
                    {},
                    {},
                    {},
                    double(widen(poisoned<Out>(Poison::kHuge)))};
  p.a = [&](int row, int k) { return double(inputs_.a_value<T>(row, k)); };
  p.b = [&](int k, int col) { return double(inputs_.b_value<T>(k, col)); };
  p.expected = [&](int row, int col) { return double(reference(row, col).value); };
  p.before = [&](int row, int col) { return double(widen(inputs_.c<Out>(row, col))); };
  const Out old = unread<Out>();
  C_.scan(
      [&](int row, int col, Out got) {
        if (!selection.contains(row, col)) return;
        const auto expected = reference(row, col);
        const Out before = problem_.beta == 0 ? old : inputs_.c<Out>(row, col);
        double sum = 0;
        for (int k = 0; k < case_.K; ++k) sum += p.a(row, k) * p.b(k, col);
        p.elements.push_back({row, col, double(widen(got)), double(expected.value), expected.bound,
                              sum, double(widen(before)),
                              std::memcmp(&got, &before, sizeof(Out)) == 0,  // NOLINT: NaN too
                              !(expected.error(got) <= expected.bound)});
      },
      [](int64_t, int64_t) {});
  return pattern_of(p);
}

Verdict explained(Verdict verdict) {
  const std::string why = verdict.right ? "" : backend::why_wrong();
  if (!why.empty()) verdict.text = "wrong: " + why;
  return verdict;
}

template <typename T, typename Acc, typename Out>
void Operands<T, Acc, Out>::verify_C(Findings& findings) const {
  const bool all = double(case_.M) * case_.N * case_.K <= kFullWork;
  Reference<T, Acc, Out> reference(problem_, inputs_, case_.mode, all);
  Selection selection(case_.M, case_.N, case_.seed, all);
  const bool overflows = reference.may_overflow();
  std::optional<RowChecksums<T, Acc>> checksums;
  if constexpr (std::is_same_v<Acc, Out>) {
    if (!all && case_.mode == Mode::kExact) checksums.emplace(problem_, inputs_);
  }
  C_.scan(
      [&](int row, int col, Out result) {
        const auto got = widen(result);
        if (selection.contains(row, col)) {
          const auto expected = reference(row, col);
          findings.compare(row, col, double(got), double(expected.value), expected.error(result),
                           expected.bound);
        } else if (std::isnan(double(got)) || (std::isinf(double(got)) && !overflows)) {
          findings.refuse(row, col, double(got), "a finite number");
        }
        if (checksums && !checksums->add(col, got)) {
          findings.refuse(row, col, double(got), "an exact result");
        }
        if (checksums && col == case_.N - 1 && !checksums->row_is_right(row)) {
          findings.row_is_wrong(row);
        }
      },
      [&](int64_t row, int64_t col) { findings.touched("memory outside C", row, col); });
}

template <typename T, typename Acc, typename Out>
double Operands<T, Acc, Out>::bytes_needed(const Case& original) {
  const Case c = complete<T, Acc>(original);
  const auto elements = [](double rows, double cols, int64_t ld, int offset) {
    const Placement p = place(ld, offset, true);
    const double extent = rows == 0 || cols == 0 ? 0 : (rows - 1) * double(ld) + cols;
    return extent + 2 * double(p.guard) + p.offset;
  };
  const auto [rows_of_A, cols_of_A] = shape_of_A(c.M, c.K);
  const auto [rows_of_B, cols_of_B] = shape_of_B<T>(c.K, c.N);
  return (elements(rows_of_A, cols_of_A, c.lda, c.offset_A) +
          elements(rows_of_B, cols_of_B, c.ldb, c.offset_B)) *
             sizeof(T) +
         elements(c.M, c.N, c.ldc, c.offset_C) * sizeof(Out);
}

template class Operands<float, float>;
template class Operands<double, double>;
template class Operands<half, float>;
template class Operands<half, float, half>;
template class Operands<e4m3, float>;
template class Operands<e4m3, float, bf16>;
template class Operands<int, int>;
