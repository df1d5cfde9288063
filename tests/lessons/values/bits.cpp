// Problems whose elements are rounded only once, in any order of summation. The results are compared bit by bit, so they
// show an input, alpha or beta that lost its last bit. Lessons with an epilogue keep too few bits for this.
#include <algorithm>

#include "tests/lessons/values/given.h"

namespace {

// Whole tiles, parts of tiles, and single elements.
template <typename Test>
void for_each_size(Test test) {
  test(BM, BN, std::max(3 * BK, 96));
  test(BM + 2, BN + 3, BK + 1);
  test(BM + 4, BN + 8, 2 * BK + 8);
  test(3, 5, 1);
  if (kPlans) test(kParts.M, kParts.N, kParts.K);
}

// Compares each element with expected(row, col). The difference may be that many units in the last place.
template <typename Expected>
void expect_bits(Given& g, Expected expected, int units = 0) {
  const std::vector<Output> results = g.run();
  int wrong = 0;
  Given::for_each(g.M, g.N, [&](int row, int col) {
    const Acc got = results[size_t(row) * g.N + col], want = expected(row, col);
    const double most = 2 * units * unit_roundoff<Acc>() * std::fabs(double(want));
    if (!(std::fabs(double(got) - double(want)) <= most) && wrong++ == 0) {
      INFO("M N K " << g.M << " " << g.N << " " << g.K << ", alpha " << g.alpha << ", beta "
                    << g.beta << ": C[" << row << "][" << col << "]");
      CHECK(double(got) == double(want));
    }
  });
  CHECK(wrong == 0);
}

// Random bits and many powers of two. Inputs are multiples of 2^-23, so their last bit is 0. A factor of 4/3 and the
// rounding after it set all bits at random.
void fill_randomly(Given& g) {
  g.fill(Inputs(Mode::kRounding, 0, uint64_t(g.M) * 1009 + uint64_t(g.K)));
  const int most = sizeof(Input) < sizeof(float) ? 6 : 40;
  const auto factor = [&](int i) { return std::ldexp(Acc(4) / 3, i * 7 % (2 * most + 1) - most); };
  Given::for_each(g.M, g.K,
                  [&](int row, int k) { g.a(row, k) = Input(widen(g.a(row, k)) * factor(row)); });
  Given::for_each(g.K, g.N,
                  [&](int k, int col) { g.b(k, col) = Input(widen(g.b(k, col)) * factor(col)); });
  Given::for_each(g.M, g.N, [&](int row, int col) { g.c(row, col) *= factor(row + col); });
}

// Keeps one element in each row of A and sets the others to zero, so that each result is one product.
void expect_products(Given& g, int shift) {
  const auto only = [&](int row) { return (row * 5 + shift) % g.K; };
  Given::for_each(g.M, g.K, [&](int row, int k) {
    if (k != only(row)) g.a(row, k) = Input(0);
  });
  expect_bits(
      g,
      [&](int row, int col) {
        return Acc(widen(g.a(row, only(row)))) * Acc(widen(g.b(only(row), col)));
      },
      kPieces ? 1 : 0);
}

}  // namespace

TEST_CASE("products keep all bits of their factors", "[values]") {
  if (!kFractions || kNarrow) return;
  for_each_size([](int M, int N, int K) {
    for (const int shift : {0, 7}) {
      Given g(M, N, K);
      fill_randomly(g);
      expect_products(g, shift);
    }
  });
}

TEST_CASE("products of factors from 2^-60 to 2^121 keep all bits", "[values]") {
  if (!kFractions || sizeof(Input) < sizeof(float)) return;
  const auto factor = [](int i) { return std::ldexp(Acc(4) / 3, i * 37 % 182 - 60); };
  for_each_size([&](int M, int N, int K) {
    Given of_a(M, N, K), of_b(M, N, K);
    for (Given* g : {&of_a, &of_b}) g->fill(Inputs(Mode::kRounding, 0, uint64_t(K)));
    Given::for_each(
        M, K, [&](int row, int k) { of_a.a(row, k) = Input(widen(of_a.a(row, k)) * factor(row)); });
    Given::for_each(
        K, N, [&](int k, int col) { of_b.b(k, col) = Input(widen(of_b.b(k, col)) * factor(col)); });
    expect_products(of_a, 3);
    expect_products(of_b, 4);
  });
}

TEST_CASE("products of factors from 2^-126 to 2^-106 keep all bits", "[values]") {
  if (!kFractions || sizeof(Input) < sizeof(float)) return;
  for_each_size([&](int M, int N, int K) {
    Given g(M, N, K);
    g.fill(Inputs(Mode::kRounding, 0, uint64_t(K)));
    Given::for_each(M, K, [&](int row, int k) {
      g.a(row, k) = Input(widen(g.a(row, k)) * std::ldexp(Acc(4) / 3, row % 20 - 126));
    });
    Given::for_each(K, N, [&](int k, int col) {
      g.b(k, col) = Input(widen(g.b(k, col)) * std::ldexp(Acc(4) / 3, 110));
    });
    expect_products(g, 3);
  });
}

TEST_CASE("alpha and beta keep all their bits", "[values]") {
  if (!kFractions || kNarrow) return;
  const Acc third = Acc(1) / 3, long_one = 1 + std::numeric_limits<Acc>::epsilon();
  for (const Acc factor : {third, -long_one, long_one, Acc(-1e-10) / 7}) {
    for_each_size([&](int M, int N, int K) {
      Given g(M, N, K, double(factor), 0);  // alpha times 1, 2 or 4
      Given::for_each(M, K, [&](int row, int k) { g.a(row, k) = Input(k == row % K ? 1 : 0); });
      Given::for_each(K, N,
                      [&](int k, int col) { g.b(k, col) = Input(float(1 << (k + col) % 3)); });
      expect_bits(g, [&](int row, int col) { return factor * Acc(1 << (row % K + col) % 3); });
      Given h(M, N, K, 1, double(factor));  // beta times C, plus 0
      fill_randomly(h);
      Given::for_each(M, K, [&](int row, int k) { h.a(row, k) = Input(0); });
      expect_bits(h, [&](int row, int col) { return factor * widen(h.c(row, col)); });
    });
  }
}
