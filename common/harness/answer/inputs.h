// The elements of A, B and C are functions of their position. So the host need not keep the matrices, and
// each element of the reference can be computed separately.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "common/gemm.h"

enum class Mode {
  kExact,  // small integers; alpha and beta keep every product and sum exact; compared with ==
  kRounding,  // uniform in [-1, 1); compared within an error bound for each element
};

// After a multiplication by exact_scale(), exact values are integers below this limit. FP32 has 24 bits.
constexpr double kExactLimit = 1 << 24;

// The least power of two that makes alpha and beta integers; kExactLimit if no smaller one does.
inline double exact_scale(double alpha, double beta) {
  double scale = 1;
  while (scale < kExactLimit &&
         (std::floor(alpha * scale) != alpha * scale || std::floor(beta * scale) != beta * scale)) {
    scale *= 2;
  }
  return scale;
}

// The largest r <= 16 for which inputs from -r to r make all products and sums of C = alpha A B + beta C
// exact in FP32, in any order of summation; 0 if there is none. scales: the largest product of two scales.
inline int exact_range(int K, double alpha, double beta, double scales = 1) {
  const double scale = exact_scale(alpha, beta);
  for (int r = 16; r > 0 && scale < kExactLimit; --r) {
    const double product = scales * r * r * std::max(K, 1);
    const double sum = std::fabs(alpha) * product + std::fabs(beta) * r;
    if (std::max(product, sum * scale) < kExactLimit) {
      return r;
    }
  }
  return 0;
}

// Converts half, bf16 and e4m3 to float for arithmetic on the host; other types stay as they are.
template <typename T>
auto widen(T value) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bf16> || std::is_same_v<T, e4m3>) {
    return float(value);
  } else {
    return value;
  }
}

// A reproducible generator of elements. Exact values are never 0, because 0 could hide a wrong factor.
class Inputs {
 public:
  Inputs(Mode mode, int range, uint64_t seed) : mode_(mode), range_(range), seed_(mix(seed)) {}

  template <typename T>
  T a(int row, int col) const {
    return element<T>(1, row, col);
  }
  template <typename T>
  T b(int row, int col) const {
    return element<T>(2, row, col);
  }
  template <typename T>
  T c(int row, int col) const {
    return element<T>(3, row, col);
  }

  template <typename T>
  T bias(int col) const {
    return element<T>(4, 0, col);
  }

  // For SCALED elements along K, of row `row` of A and of the same number of columns of B. If all is exact, 1 or 2.
  float scale_a(int row, int block) const { return scale(element<float>(5, row, block)); }
  float scale_b(int block, int block_of_cols) const {
    return scale(element<float>(6, block_of_cols, block));
  }
  static constexpr double kLargestScales = 4;  // the product of the largest scale of A and of B

  // What an element stands for.
  template <typename T>
  auto a_value(int row, int k) const {
    if constexpr (IS_SCALED<T>) {
      return double(widen(a<T>(row, k))) * scale_a(row, k / SCALED);
    } else {
      return widen(a<T>(row, k));
    }
  }
  template <typename T>
  auto b_value(int k, int col) const {
    if constexpr (IS_SCALED<T>) {
      return double(widen(b<T>(k, col))) * scale_b(k / SCALED, col / SCALED);
    } else {
      return widen(b<T>(k, col));
    }
  }

  // The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
  // generators", 2014): a bijection that spreads every bit.
  static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }

 private:
  template <typename T>
  T element(uint64_t matrix, int row, int col) const {
    const uint64_t position = (uint64_t(uint32_t(row)) << 32 | uint32_t(col)) + 1;
    const uint64_t bits =
        mix(seed_ + matrix * 0xD1B54A32D192ED03u + position * 0x9E3779B97F4A7C15u);
    if (mode_ == Mode::kExact) {
      const int magnitude = 1 + int((bits >> 32) * uint64_t(range_) >> 32);
      const int sign = 1 - 2 * int(bits & 1);  // a branch would be mispredicted half the time
      return convert<T>(float(sign * magnitude));
    }
    if constexpr (std::is_same_v<T, double>) {
      return double(bits >> 11) * 0x1p-52 - 1;
    } else {
      return convert<T>(float(bits >> 40) * 0x1p-23f - 1);
    }
  }

  template <typename T>
  static T convert(float value) {
    return T(value);  // half, bf16 and e4m3 round to nearest
  }

  // 2 or -1; from 1/2 to 3/2 where inputs are not exact.
  float scale(float element) const {
    return mode_ == Mode::kExact ? (element > 0 ? 2.0f : -1.0f) : 1 + element / 2;
  }

  Mode mode_;
  int range_;
  uint64_t seed_;
};
