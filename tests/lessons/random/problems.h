// Random problems for gemm(): each is a function of a seed, a number and the lesson's tiles.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "common/harness/answer/inputs.h"
#include "common/harness/answer/verify.h"
#include "tests/lessons/case_text.h"

// What random problems depend on beside the seed.
struct Limits {
  std::vector<int> tiles = {16, 32, 64, 128};  // the lesson's knobs, in elements
  int whole[3] = {128, 128, 192};  // M, N and K of whole tiles
  double work = 3e6;  // the most multiply-adds of one problem
  bool fractions = true;  // alpha and beta may be fractions
  bool guarded = false;  // guard bands surround the matrices; else they fill their allocations
};

class Problems {
 public:
  Problems(uint64_t seed, const Limits& limits) : seed_(seed), limits_(limits) {}

  // The problem with that number. It is the same on every machine. The first one has whole tiles in rows at multiples of
  // 16 bytes: the kernels for such problems come first.
  Case make(uint64_t number) const {
    Draw draw = begin(number);
    Case c;
    if (number == 0) return whole(draw);
    do {
      c.M = size(draw);
      c.N = size(draw);
      c.K = size(draw);
    } while (double(c.M) * c.N * c.K > limits_.work || double(c.M) * c.N > limits_.work);
    return rest(c, draw);
  }

  // The same with one or two long sizes. They are between 60 and `most` with a uniform logarithm; other sizes are at most
  // 20. The limit of work counts a small size as 64, since a kernel computes whole tiles anyway.
  Case make_long(uint64_t number, int most) const {
    Draw draw = begin(~number);
    Case c;
    int* const sizes[] = {&c.M, &c.N, &c.K};
    do {
      const int is_long = 1 + draw(6);  // one bit per size, one or two of which are set
      for (int i = 0; i < 3; ++i) {
        const double bits = std::log2(most / 60.0) * draw(1 << 20) * 0x1p-20;
        *sizes[i] = (is_long >> i & 1) != 0 ? int(60 * std::exp2(bits)) : 1 + draw(20);
      }
    } while (double(std::max(c.M, 64)) * std::max(c.N, 64) * std::max(c.K, 64) > 4 * limits_.work);
    return rest(c, draw);
  }

  // Exact mode where it is possible. Allows for a bias or scales.
  static Mode mode(const Case& c) {
    const double scales = IS_SCALED<LADDER_INPUT> ? Inputs::kLargestScales : 1;
    const int range = exact_range(c.K, c.alpha, std::fabs(c.beta) + 1, scales);
    return range > 0 ? Mode::kExact : Mode::kRounding;
  }

 private:
  struct Draw {
    uint64_t state;
    // Uniform in [0, n), for n far below 2^32.
    int operator()(int n) {
      state = Inputs::mix(state + 0x9E3779B97F4A7C15u);
      return int((state >> 32) * uint64_t(n) >> 32);
    }
  };

  Draw begin(uint64_t number) const { return {Inputs::mix(seed_ * 0x9E3779B97F4A7C15u + number)}; }

  Case whole(Draw& draw) const {
    Case c;
    c.M = limits_.whole[0];
    c.lda = c.K = limits_.whole[2];
    c.ldb = c.ldc = c.N = limits_.whole[1];
    c.alpha = 2;
    c.beta = 3;
    c.mode = mode(c);
    c.guard_inputs = c.guard_output = limits_.guarded;
    c.seed = draw(1 << 30);
    return c;
  }

  // Adds all but the sizes.
  Case rest(Case c, Draw& draw) const {
    c.lda = c.K + gap(draw, c.K);
    c.ldb = c.N + gap(draw, c.N);
    c.ldc = c.N + gap(draw, c.N);
    c.offset_A = offset(draw);
    c.offset_B = offset(draw);
    c.offset_C = offset(draw);
    c.alpha = scale(draw);
    c.beta = draw(3) == 0 ? 0 : scale(draw);
    c.mode = mode(c);
    c.guard_inputs = c.guard_output = limits_.guarded;
    c.seed = draw(1 << 30);
    return c;
  }

  // Zero, up to 9, a prime, up to 300, or one to four tiles and sometimes one more or less.
  int size(Draw& draw) const {
    static constexpr int kPrimes[] = {2, 3, 5, 7, 13, 31, 61, 97, 127, 131, 251, 257, 509, 1021};
    const int kind = draw(20);
    if (kind == 0) return 0;
    if (kind < 4) return 1 + draw(9);
    if (kind < 6) return kPrimes[draw(14)];
    if (kind < 9) return 1 + draw(300);
    const int tile = limits_.tiles[draw(int(limits_.tiles.size()))];
    const int tiles = tile * (1 + draw(4));
    return kind < 14 ? tiles : std::max(0, tiles - 1 + draw(3));
  }

  // Elements between the rows: mostly none, some that make the stride a multiple of 4 or 8, others at random.
  static int gap(Draw& draw, int width) {
    switch (draw(8)) {
      case 0:
        return 1 + draw(17);
      case 1:
        return (8 - width % 8) % 8;
      case 2:
        return (4 - width % 4) % 4 + 4 * draw(5);
      case 3:
        return 100 + draw(3000);
      default:
        return 0;
    }
  }

  static int offset(Draw& draw) { return draw(4) == 0 ? 1 + draw(9) : 0; }

  // Both signs, zero, small and large numbers, short and long binary fractions.
  double scale(Draw& draw) const {
    static constexpr double kWhole[] = {1, 1, 1, 1, -2, 2, -3, 0, 7};
    static constexpr double kOther[] = {0.5,     -0.25,     1.0 / 3, 0.1f,  -0.7f,
                                        0x1p-12, -0x1p-20f, 1e6f,    1e-6f, -2.375};
    if (limits_.fractions && draw(2) == 0) {
      return double(float(kOther[draw(10)]));
    }
    return kWhole[draw(9)];
  }

  uint64_t seed_;
  Limits limits_;
};

// Simpler problems that shrinking tries, in this order.
inline std::vector<Case> simpler(const Case& c) {
  std::vector<Case> found;
  const auto add = [&](auto change) {
    Case s = c;
    const bool tight[] = {c.lda == c.K, c.ldb == c.N, c.ldc == c.N};
    change(s);
    s.lda = tight[0] ? s.K : std::max<int64_t>(s.lda, s.K);
    s.ldb = tight[1] ? s.N : std::max<int64_t>(s.ldb, s.N);
    s.ldc = tight[2] ? s.N : std::max<int64_t>(s.ldc, s.N);
    s.mode = Problems::mode(s);
    found.push_back(s);
  };
  // Sizes come first, since large problems take long.
  for (int Case::*size : {&Case::M, &Case::N, &Case::K}) {
    for (const int less : {1, c.*size / 2, c.*size - 64, c.*size - 8, c.*size - 1}) {
      if (less > 0 && less < c.*size) add([&](Case& s) { s.*size = less; });
    }
  }
  if (c.lda > c.K) add([](Case& s) { s.lda = s.K; });
  if (c.ldb > c.N) add([](Case& s) { s.ldb = s.N; });
  if (c.ldc > c.N) add([](Case& s) { s.ldc = s.N; });
  if (c.offset_A != 0) add([](Case& s) { s.offset_A = 0; });
  if (c.offset_B != 0) add([](Case& s) { s.offset_B = 0; });
  if (c.offset_C != 0) add([](Case& s) { s.offset_C = 0; });
  if (c.alpha != 1) add([](Case& s) { s.alpha = 1; });
  if (c.beta != 0) add([](Case& s) { s.beta = 0; });
  if (c.beta != 0 && c.beta != 1) add([](Case& s) { s.beta = 1; });
  return found;
}
