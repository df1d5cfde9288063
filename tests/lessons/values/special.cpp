// Values at the limits of the number range, and values of alpha and beta for which a shortcut would be wrong. alpha = 0 is
// ordinary arithmetic, so NaN and infinity in A and B reach C. With beta = 0 those in C do not.
#include <algorithm>

#include "tests/lessons/card.h"
#include "tests/lessons/values/given.h"

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Input input(double value) {
  return Input(float(value));
}

// One whole tile for a fast path, one ragged tile, and four tiles with ragged edges. For lessons that plan also split-K.
std::vector<Shape> shapes() {
  std::vector<Shape> found = {{BM, BN, std::max(3 * BK, 96)},
                              {std::max(BM - 3, 3), std::max(BN - 5, 3), 2 * BK - 1},
                              {BM + 2, BN + 3, BK + 1}};
  if (kPlans) found.push_back({kParts.M, kParts.N, kParts.K});
  return found;
}

// Calls test(problem) for each shape with each alpha and beta. Where C is read, there are gaps between rows.
template <typename Test>
void for_each_problem(const std::vector<double>& alphas, const std::vector<double>& betas,
                      Test test) {
  for (const Shape& s : shapes()) {
    for (const double alpha : alphas) {
      for (const double beta : betas) {
        Given g(s.M, s.N, s.K, alpha, beta);
        g.gap = beta == 0 ? 0 : 8;
        test(g);
      }
    }
  }
}

}  // namespace

// 0 times NaN is NaN, so alpha = 0 with beta = 1 must not return early.
TEST_CASE("NaN and infinity in A reach their rows and nothing else", "[values]") {
  if (!kFractions) return;
  for_each_problem({1, 0}, {0, 1}, [](Given g) {
    g.a(0, g.K - 1) = input(kNaN);
    g.a(g.M / 2, 0) = input(kInf);
    g.a(g.M - 1, g.K / 2) = input(-kInf);
    g.b(0, 1) = input(0);  // 0 times infinity
    g.expect_right();
  });
}

TEST_CASE("NaN and infinity in B reach their columns and nothing else", "[values]") {
  if (!kFractions) return;
  for_each_problem({1, 0}, {0, -2}, [](Given g) {
    g.b(g.K - 1, 0) = input(kNaN);
    g.b(0, g.N / 2) = input(kInf);
    g.b(g.K / 2, g.N - 1) = input(-kInf);
    g.a(1, 0) = input(0);
    g.expect_right();
  });
}

TEST_CASE("NaN and infinity in C stay in place, and matter only if beta is not 0", "[values]") {
  if (!kFractions) return;
  const double least = double(std::numeric_limits<Acc>::denorm_min());
  for_each_problem({2}, {1, -1, 0, -0.0, least}, [](Given g) {
    g.c(0, 0) = Acc(kNaN);
    g.c(g.M / 2, g.N - 1) = Acc(kInf);
    g.c(g.M - 1, g.N / 2) = Acc(-kInf);
    g.expect_right();
  });
  for (const double beta : {0.0, -0.0, 1.0, -0.5}) {
    Given g(5, 7, 0, 1, beta);
    g.c(1, 2) = Acc(kNaN);
    g.c(2, 3) = Acc(kInf);
    g.expect_right();
  }
}

TEST_CASE("NaN and infinity as alpha or beta are ordinary factors", "[values]") {
  if (!kFractions) return;
  for_each_problem({kNaN, kInf, -kInf}, {0, 1}, [](Given g) { g.expect_right(); });
  for_each_problem({-1}, {kNaN, kInf, -kInf}, [](Given g) { g.expect_right(); });
}

// Lessons that multiply pieces compute such sums separately, over all of K.
TEST_CASE("NaN and infinity after thousands of numbers", "[values]") {
  if (!kPieces) return;
  Given g(3, 5, 2070);  // lesson 15 folds 64 of its 65 steps before the last
  g.a(0, g.K - 1) = input(kNaN);
  g.a(1, 2) = input(kInf);
  g.b(g.K - 1, 3) = input(-kInf);
  g.expect_right();
}

// In every third row of A or column of B, at all positions of a vector, a fragment and a tile.
TEST_CASE("NaN and infinity at many places", "[.long]") {
  if (!kFractions) return;
  const double kinds[] = {kNaN, kInf, -kInf};
  for_each_problem({1}, {-2}, [&](Given g) {
    for (int i = 0; 3 * i < g.M; ++i) g.a(3 * i, 5 * i % g.K) = input(kinds[i % 3]);
    g.expect_right();
  });
  for_each_problem({1}, {-2}, [&](Given g) {
    for (int i = 0; 3 * i < g.N; ++i) g.b(7 * i % g.K, 3 * i) = input(kinds[i % 3]);
    g.expect_right();
  });
  for_each_problem({1}, {-2}, [&](Given g) {
    Given::for_each(g.M, g.N, [&](int row, int col) {
      if ((5 * row + col) % 7 == 0) g.c(row, col) = Acc(kinds[(row + col) % 3]);
    });
    g.expect_right();
  });
}

TEST_CASE("a bias that is NaN, infinite or large", "[values]") {
  if (!kFused) return;
  for_each_problem({1, 0}, {0, -2}, [](Given g) {
    const double values[] = {kNaN, kInf, -kInf, 60000, -60000, 2049, -7, 0x1p-24};
    for (int i = 0; i < 8; ++i) g.set_bias(i * (g.N - 1) / 7, Output(float(values[i])));
    g.expect_right();
  });
}

// Products of scales from 2^-140, which is a denormal number, to 2^110; some scales are 0, NaN or infinite. Two
// multiprocessors get large tiles, 32 get small ones, several in each direction. Where a scale is infinite, all
// products have one sign, so it does not matter whether they are summed before or after the scaling.
TEST_CASE("scales that are 0, NaN, infinite, tiny or huge", "[values]") {
  if (!kScaled) return;
  for (const int multiprocessors : {2, 32}) {
    const Card card(Card::kMultiprocessors, multiprocessors);
    Given g(139, 400, 600);
    for (int k = 0; k < SCALED; ++k) {
      for (const int row : {6, 7}) g.a(row, k) = input(1 + k % 3);
      for (int col = 0; col < g.N; ++col) g.b(k, col) = input(1 + (k + col) % 4);
    }
    g.a(12, SCALED + 5) = input(kNaN);  // in a block with scale 0
    const auto of_A = [](int row, int step) {
      if (step == 0 && (row == 6 || row == 7)) return row == 6 ? INFINITY : -INFINITY;
      if (step == 4 && row == 5) return float(NAN);
      if (row == 20 || (step == 1 && row % 8 == 4)) return 0.0f;
      static constexpr float kRows[] = {1, 0x1p-70f, 0x1p70f, -0x1p-60f};
      return kRows[row % 4] * float(step % 2 == 0 ? 1 : -2);
    };
    const auto of_B = [](int step, int block) {
      if (step == 2 && block == 2) return 0.0f;
      if (step == 4 && block == 3) return float(NAN);
      static constexpr float kBlocks[] = {0x1p-70f, 0x1p40f, 0x1p-20f, 1};
      return kBlocks[block];
    };
    g.set_scales(of_A, of_B);
    g.expect_right();
  }
}

TEST_CASE("infinities of both signs", "[values]") {
  if (!kFractions) return;
  for_each_problem({-1}, {1}, [](Given g) {
    g.a(0, 0) = input(kInf);
    g.b(1, 0) = input(-kInf);
    g.c(0, 1) = Acc(kInf);
    g.c(0, 2) = Acc(-kInf);
    g.b(0, 1) = g.b(0, 2) = input(1);
    g.expect_right();
  });
}

TEST_CASE("denormal inputs are not zeros", "[values]") {
  if (!kFractions) return;
  const bool is_half = std::is_same_v<Input, half>;
  const float least = kScaled ? 0x1p-9f : is_half ? 0x1p-24f : 0x1p-149f;
  const float scale = kScaled ? 64.0f : is_half ? 1024.0f : 0x1p100f;
  for (const bool of_a : {true, false}) {
    for_each_problem({1}, {0}, [&](Given g) {
      Given::for_each(g.M, g.K, [&](int row, int k) {
        g.a(row, k) = input(widen(g.a(row, k)) * (of_a ? least : scale));
      });
      Given::for_each(g.K, g.N, [&](int k, int col) {
        g.b(k, col) = input(widen(g.b(k, col)) * (of_a ? scale : least));
      });
      g.expect_right();
    });
  }
}

TEST_CASE("sums, results and elements of C near 0, and sums near infinity", "[values]") {
  if (!kFractions) return;
  const bool is_half = std::is_same_v<Input, half>;
  for (const bool large : {false, true}) {
    const float alpha = large ? 0x1p-60f : 0x1p60f;
    const float most = kScaled ? 0x1p6f : is_half ? 0x1p13f : 0x1p57f;
    const float least = kScaled ? 0x1p-9f : is_half ? 0x1p-24f : 0x1p-72f;
    const float scale = large ? most : least;
    for_each_problem({alpha}, {0, -3}, [&](Given g) {
      Given::for_each(g.M, g.K,
                      [&](int row, int k) { g.a(row, k) = input(widen(g.a(row, k)) * scale); });
      Given::for_each(g.K, g.N,
                      [&](int k, int col) { g.b(k, col) = input(widen(g.b(k, col)) * scale); });
      Given::for_each(g.M, g.N,
                      [&](int row, int col) { g.c(row, col) *= Acc(alpha * scale * scale); });
      g.expect_right();
    });
  }
  // With an epilogue, the results are denormal numbers of type half, or C's elements and the bias are.
  for_each_problem({kFused ? 0x1p-20 : 0x1p-140}, {0}, [](Given g) {
    for (int col = 0; col < g.N; ++col) g.set_bias(col, Output(float(col % 5) * 0x1p-22f));
    g.expect_right();
  });
  for_each_problem({kFused ? 0x1p-20 : 0x1p-45}, {kFused ? 0x1p10 : 0x1p100}, [](Given g) {
    for (int col = 0; col < g.N; ++col) g.set_bias(col, Output(0.0f));
    const auto tiny = Acc(kFused ? 0x1p-22f : 0x1p-145f);
    Given::for_each(g.M, g.N, [&](int row, int col) { g.c(row, col) *= tiny; });
    g.expect_right();
  });
}

TEST_CASE("sums beyond a million", "[values]") {
  for_each_problem({1}, {0}, [](Given g) {
    Given::for_each(g.M, g.K, [&](int row, int k) { g.a(row, k) = input(127 + (row + k) % 3); });
    Given::for_each(g.K, g.N, [&](int k, int col) { g.b(k, col) = input(128 + (k * col) % 2); });
    g.expect_right();
  });
}

TEST_CASE("only results that are too large become infinity", "[values]") {
  if (!kFractions) return;
  const double large = 0.75 * double(std::numeric_limits<Acc>::max());
  for_each_problem({large, -large}, {0}, [](Given g) { g.expect_right(); });
  for_each_problem({0}, {large, -large}, [](Given g) { g.expect_right(); });
  if (!std::is_same_v<Input, float>) return;
  for_each_problem({1}, {0}, [](Given g) {  // 2^200, and its neighbours 2^100 times an integer
    for (int k = 0; k < g.K; ++k) g.a(0, k) = input(k == 1 ? 0x1p100 : 0);
    for (int k = 0; k < g.K; ++k) g.b(k, 0) = input(k == 1 ? 0x1p100 : 0);
    g.expect_right();
  });
  // Two products, just below 2^128 and just above -2^128, whose sum is 0. Factors rounded to 8 bits would give 2^128.
  for_each_problem({1}, {0}, [](Given g) {
    const double large = 0x1p64 - 0x1p54;
    const int other = std::min(16, g.K - 1);
    const auto chosen = [](int i, int size) { return i == 0 || i == 9 || i == size - 1; };
    Given::for_each(g.M, g.K, [&](int row, int k) {
      if (chosen(row, g.M)) g.a(row, k) = input(k == 0 ? large : k == other ? -large : 0);
    });
    Given::for_each(g.K, g.N, [&](int k, int col) {
      if (chosen(col, g.N)) g.b(k, col) = input(k == 0 || k == other ? large : 0);
    });
    g.expect_right();
  });
}

// Each element of C has one product that is not 0.
TEST_CASE("inputs near the largest number of their type", "[values]") {
  if (!kFractions) return;
  const bool is_half = std::is_same_v<Input, half>;
  const double most = kScaled ? 448 : is_half ? 65504 : double(std::numeric_limits<float>::max());
  for (const bool of_a : {true, false}) {
    for_each_problem({1}, {0, 1}, [&](Given g) {
      const auto large = [&](int i) {
        return input(most * (1 - i % 9 / 1024.0) * (i % 2 == 0 ? 1 : -1));
      };
      const auto factor = [&](int i) { return input(i % 3 == 0 ? 1 : i % 3 == 1 ? 0.5 : -0.25); };
      Given::for_each(g.M, g.K, [&](int row, int k) {
        g.a(row, k) = k != row % g.K ? input(0) : of_a ? large(row) : factor(row);
      });
      Given::for_each(
          g.K, g.N, [&](int k, int col) { g.b(k, col) = of_a ? factor(k + col) : large(k + col); });
      g.expect_right();
    });
  }
}

TEST_CASE("alpha and beta with long binary fractions or near 0", "[values]") {
  if (!kFractions) return;
  struct Scales {
    float alpha, beta, c;  // c: a factor for the elements of C
  };
  const float third = 1.0f / 3, near = 1.0f / 256 + 0x1p-20f, least = 0x1p-149f;
  for (const Scales& s : {Scales{0.1f, third, 1}, Scales{third, 0, 1}, Scales{near, -third, 1},
                          Scales{-third, -0.1f, 1}, Scales{0.1f, -near, 16}, Scales{1e-30f, 0, 1},
                          Scales{-1e-30f, 1e-30f, 1}, Scales{least, -least, 1},
                          Scales{-1e-20f, 1e-30f, 0x1p30f}, Scales{1e-20f, -1e-30f, 0x1p30f},
                          Scales{0x1p-30f, least, 0x1p120f}, Scales{0x1p-30f, -least, 0x1p120f}}) {
    for_each_problem({s.alpha}, {s.beta}, [&](Given g) {
      Given::for_each(g.M, g.N, [&](int row, int col) { g.c(row, col) *= Acc(s.c); });
      g.expect_right();
    });
  }
}
