// Checks every row of an exact product. Each matrix is read only once.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/gemm.h"
#include "common/harness/answer/inputs.h"

// Freivalds' check ("Probabilistic machines can use less running time", 1977): for a random vector x,
// C x equals alpha A (B x) + beta C0 x. With exact inputs, all elements of C are integers after a
// multiplication by exact_scale(). The sums are computed modulo 2^64 and compared with ==. A row with a
// wrong element passes with a probability below 2^-39.
template <typename T, typename Acc>
class RowChecksums {
 public:
  RowChecksums(const Gemm<T, Acc>& problem, const Inputs& inputs)
      : p_(problem),
        inputs_(inputs),
        scale_(exact_scale(double(p_.alpha), double(p_.beta))),
        Bx_(problem.K) {
    for (int k = 0; k < p_.K; ++k) {
      for (int col = 0; col < p_.N; ++col) {
        Bx_[k] += integer(inputs_.b_value<T>(k, col)) * x(col);
      }
    }
  }

  // Adds an element to the sum of its row. Returns false if no inputs have this value as an exact result.
  bool add(int col, Acc got) {
    const double scaled = double(got) * scale_;
    if (!(std::fabs(scaled) < kExactLimit) || scaled != std::floor(scaled)) {
      return false;
    }
    sum_ += integer(scaled) * x(col);
    return true;
  }

  // Ends a row and returns whether its sum is right.
  bool row_is_right(int row) {
    uint64_t product = 0;
    for (int k = 0; k < p_.K; ++k) {
      product += integer(inputs_.a_value<T>(row, k)) * Bx_[k];
    }
    uint64_t before = 0;
    for (int col = 0; col < p_.N && p_.beta != 0; ++col) {
      before += integer(inputs_.c<Acc>(row, col)) * x(col);
    }
    const uint64_t expected =
        integer(double(p_.alpha) * scale_) * product + integer(double(p_.beta) * scale_) * before;
    const bool right = sum_ == expected;
    sum_ = 0;
    return right;
  }

 private:
  static uint64_t x(int col) { return Inputs::mix(uint64_t(col) + 0x9E3779B97F4A7C15u); }

  template <typename Value>
  static uint64_t integer(Value value) {
    return uint64_t(int64_t(widen(value)));
  }

  const Gemm<T, Acc>& p_;
  const Inputs& inputs_;
  double scale_;
  std::vector<uint64_t> Bx_;
  uint64_t sum_ = 0;  // of the current row
};
