// Limits of a lesson's counters: the last block of a grid, thousands of calls, large sizes with every remainder, hundreds
// of splits along K. Tests that take too long on the CPU backend run on a GPU only.
#include <algorithm>

#include "tests/lessons/card.h"
#include "tests/lessons/values/given.h"

namespace {

constexpr int64_t kGap = 24;  // elements between rows, more than one tile's vectors can reach

// Computes C += A B that many times with matrices of ones, so that C shows a missing call.
void expect_calls(int M, int N, int K, int calls) {
  const int64_t guard = backend::is_gpu() ? 256 : 0;
  DeviceMatrix<Input> A(M, K, {K + 1, guard, 0}, Poison::kNaN);
  const auto [rows_of_B, cols_of_B] = shape_of_B<Input>(K, N);
  DeviceMatrix<Input> B(rows_of_B, cols_of_B, {cols_of_B, guard, 0}, Poison::kNaN);
  DeviceMatrix<Output> C(M, N, {N, guard, 0}, Poison::kHuge);
  const More more(M, N, K, std::vector<Output>(N, Output(0.0f)));
  const auto one = [](int, int) { return Input(1.0f); };
  const auto zero = [](int, int) { return Output(0.0f); };
  A.fill(one), B.fill(one), C.fill(zero);
  // GELU of -10 is 0, and its results do not add up over calls; a narrow C cannot count them. Then the test checks only
  // the last call.
  const Acc alpha = kFused ? -Acc(10) : Acc(1), beta = kNarrow ? Acc(0) : Acc(1);
  for (int i = 0; i < calls; ++i) {
    if (kNarrow && i == calls - 1) C.fill([](int, int) { return Output(7.0f); });
    gemm(more.with({M, N, K, alpha, A.data(), K + 1, B.data(), cols_of_B, beta, C.data(), N}));
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  INFO("M N K " << M << " " << N << " " << K << ", after " << calls << " calls");
  double least = INFINITY, most = -INFINITY;
  for (const Output& got : elements(C)) {
    least = std::min(least, double(widen(got))), most = std::max(most, double(widen(got)));
  }
  const double expected = kFused    ? 0
                          : kNarrow ? double(widen(Output(float(K))))
                                    : double(calls) * K;
  CHECK(least == expected);
  CHECK(most == expected);
}

// A and B lie in one array. B starts from_b elements after A.
void expect_right_in_one(const Shape& s, int64_t lda, int64_t ldb, int from_b) {
  const auto [rows, columns] = shape_of_A(s.M, s.K);
  const auto at = [&](int k, int col) { return kScaled ? col * ldb + k : k * ldb + col; };
  const int64_t size = std::max((rows - 1) * lda + columns, from_b + at(s.K - 1, s.N - 1) + 1);
  DeviceMatrix<Input> both(1, int(size), {size, 256, 0}, Poison::kNaN);
  const Inputs inputs(Mode::kExact, 4, uint64_t(lda));
  both.fill([&](int, int at) { return inputs.a<Input>(0, at); });
  Given g(s.M, s.N, s.K, 2, -1);
  Given::for_each(s.M, s.K, [&](int row, int k) {
    const int64_t at = takes_transposed_A() ? k * lda + row : row * lda + k;
    g.a(row, k) = inputs.a<Input>(0, int(at));
  });
  Given::for_each(s.K, s.N, [&](int k, int col) {
    g.b(k, col) = inputs.a<Input>(0, int(from_b + at(k, col)));
  });
  DeviceMatrix<Output> C(s.M, s.N, {s.N, 256, 0}, Poison::kHuge);
  C.fill([&](int row, int col) { return g.c(row, col); });
  g.call(
      {s.M, s.N, s.K, g.alpha, both.data(), lda, both.data() + from_b, ldb, g.beta, C.data(), s.N});
  INFO("A and B in one array, lda " << lda << ", ldb " << ldb << ", B from element " << from_b);
  g.expect_right(elements(C));
}

// The number of gemm()'s last launch among its CUDA calls, from 1.
int launch_of(const Case& c) {
  const std::vector<std::string> calls = calls_of(c);
  int launch = 0;
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].find("a launch") == 0) launch = int(i) + 1;
  }
  REQUIRE(launch > 0);
  return launch;
}

// A problem one of whose sizes is `least` plus a multiple of 256 plus rest.
Case long_size(int Case::*size, int least, int rest, int steps) {
  Case c = sizes(1 + rest % 5, 1 + rest % 7, 1 + rest % 3, 1 - 2 * (rest % 2), 2 + rest % 3);
  c.*size = least + 256 * int(Inputs::mix(uint64_t(rest)) % uint64_t(steps)) + rest;
  return pitched(c, rest % 4 == 1, rest % 5 == 1, rest % 6 == 1);
}

}  // namespace

TEST_CASE("thousands of calls, on a GPU", "[.long][limits]") {
  if (!backend::is_gpu()) return;
  for (const Shape& s : {Shape{1, 1, 1}, Shape{BM, BN, 4 * BK}, Shape{BM + 1, 3, 33}}) {
    expect_calls(s.M, s.N, s.K, 5000);
  }
}

// The launches fail, so that the calls take no time. A counter on the host would have counted before.
TEST_CASE("other problems after thousands of calls", "[values][limits]") {
  if (backend::is_gpu()) return;
  const int size = kScaled ? 16 : 8;  // rows that need no copy to aligned ones
  const Case c = sizes(size, size, size);
  const Operands<Input, Acc, Output> operands(c);
  const int launch = launch_of(c);
  for (int i = 0; i < 5000; ++i) {
    fail_call(launch);
    thrown(operands.problem());
  }
  fail_call(0);
  cudaGetLastError();
  expect_right(c);
  expect_right(shifted(sizes(5, 7, 3, -1, 2), 1, 1, 1));
}

TEST_CASE("every remainder of large sizes, on a GPU", "[.long][limits]") {
  if (!backend::is_gpu()) return;
  for (const int least : {768, 3072, 60000}) {
    for (int rest = 0; rest < 256; rest += least == 768 ? 1 : 5) {
      expect_right(long_size(&Case::M, least, rest, 8));
      expect_right(long_size(&Case::N, least, rest, 8));
      expect_right(long_size(&Case::K, least, rest, 8));
    }
  }
}

TEST_CASE("remainders 1 and 63 of large sizes", "[.long][limits]") {
  for (const int rest : {1, 63}) {
    expect_right(long_size(&Case::K, 1280, rest, 7));
    expect_right(long_size(&Case::M, 1024, rest, 9));
    expect_right(long_size(&Case::N, 1024, rest, 9));
  }
}

TEST_CASE("a call reads A and B again though their addresses are the same", "[values][limits]") {
  for (const int offset : {0, 1}) {
    const int K = kPlans && offset == 0 ? 800 : 24;  // lessons 09 and 13 split 800
    const Shape s = {9, 8 + offset, K + offset};
    const int64_t guard = backend::is_gpu() ? 256 : 0;
    const std::pair<int, int> size = shape_of_A(s.M, s.K);
    DeviceMatrix<Input> A(size.first, size.second, {size.second, guard, offset}, Poison::kNaN);
    const std::pair<int, int> of_B = shape_of_B<Input>(s.K, s.N);
    DeviceMatrix<Input> B(of_B.first, of_B.second, {of_B.second, guard, offset}, Poison::kNaN);
    DeviceMatrix<Output> C(s.M, s.N, {s.N, guard, offset}, Poison::kHuge);
    for (int call = 0; call < 4; ++call) {
      Given g(s.M, s.N, s.K, 1, call % 2);
      g.fill(Inputs(Mode::kExact, 4, uint64_t(call / 2)));
      if (call % 2 == 0) {
        A.fill(
            [&](int row, int col) { return takes_transposed_A() ? g.a(col, row) : g.a(row, col); });
      }
      B.fill([&](int row, int col) { return kScaled ? g.b(col, row) : g.b(row, col); });
      C.fill([&](int row, int col) { return g.c(row, col); });
      g.call({s.M, s.N, s.K, g.alpha, A.data(), size.second, B.data(), of_B.second, g.beta,
              C.data(), s.N});
      INFO("call " << call << " with the same addresses");
      g.expect_right(elements(C));
    }
  }
}

TEST_CASE("A and B in one array, with different strides", "[values][limits]") {
  for (const int from_b : {0, 8, 3}) {
    expect_right_in_one({24, 16, 40}, 40, 48, from_b);
    expect_right_in_one({21, 33, 17}, 23, 34, from_b);
  }
}

// Launches 65535 rows of blocks. On the CPU backend the launch fails on purpose, so that it takes no time. One row more is
// a clear error. Only for the nine: the lessons of beyond/ have other grids.
TEST_CASE("as many rows of blocks as a grid can have", "[grid][limits]") {
  for (const int more : {-1, 0}) {
    const int M = 65535 * BM + more;
    if (backend::is_gpu()) {
      expect_right(sizes(M, 1, 1, -1, 2));
      continue;
    }
    const Case c = sizes(1, 1, 0);
    const Operands<Input, Acc, Output> operands(c);
    Problem p = operands.problem();
    p.M = M;
    fail_call(launch_of(c));
    CHECK(!thrown(p).empty());
    CHECK(failed_call() == "a launch");
    fail_call(0);
    cudaGetLastError();
    CHECK(backend::last_launch().grid.y == 65535);
  }
  Problem beyond{};
  beyond.M = 65535 * BM + 1, beyond.N = 1, beyond.ldc = 1;
  CHECK(thrown(beyond).find("65535 rows of blocks") != std::string::npos);
  expect_right(sizes(5, 5, 5));  // the error does not stick
}

// With 1000 multiprocessors lessons 09 and 13 split K into 128 parts, on a GPU into as many as fit on the card.
TEST_CASE("hundreds of splits along K", "[.long][limits]") {
  if (!kPlans) return;
  const Card card(Card::kMultiprocessors, 1000);
  expect_right(pitched(sizes(6, 5, 8192 + 3, 1, 1), 0, 3, kGap));
  if (backend::is_gpu()) expect_right(sizes(3, 5, 1000003));
}

// One multiprocessor gets more tiles than fit on it at once, so no tile is split along K. Each block of lessons 09 and 13
// goes through 412 tiles along K and waits as often.
TEST_CASE("hundreds of tiles along K in one block", "[.long][limits]") {
  if (!kPlans) return;
  const Card card(Card::kMultiprocessors, kRoom);
  expect_right(sizes(197, 5, 6592, 1, 1));
}

// Each condition of the vectors fails alone, with a large K that is a multiple of 256 and with one that is a prime.
TEST_CASE("one missing condition for vectors, with a large K", "[.long][limits]") {
  if (!kPlans) return;
  const Card card(Card::kMultiprocessors, 4 * kRoom);
  for (const Case& c : {sizes(4, 16, 2304, -1, 1), sizes(4, 16, 2239, 3, 2)}) {
    for (const Case& other : moved(c, 1)) {
      if (c.K % 8 == 0 || other.lda > c.K || other.ldc > c.N) expect_right(other);
    }
  }
}

// In lessons 09 and 13, six parts of a tile follow eight whole tiles, so a part's number differs from its block's.
TEST_CASE("split tiles after whole ones", "[.long][limits]") {
  if (kPlans) expect_right(pitched(sizes(545, 124, 384, 1, 1), 0, 4, kGap));
}

// The raster order of blocks takes groups of rows of tiles. Here are several groups with several columns of tiles.
TEST_CASE("groups of rows of tiles with a partial last group, on a GPU", "[.long][limits]") {
  if (!backend::is_gpu()) return;
  for (const int rows : {17 * 64 + 1, 33 * 64 + 5, 49 * 128 + 3, 65 * 256 - 7, 20000}) {
    for (const int cols : {520, 1300}) expect_right(sizes(rows, cols, 40, 1, 1));
  }
}

// The product of a part's number and the number of tiles along K exceeds 32 bits. A has few ones, so sums are exact.
TEST_CASE("forty million along K, on a GPU", "[.long][limits]") {
  if (!kPlans || !backend::is_gpu()) return;
  constexpr int K = 40000003, kEvery = 4099;
  Given g(2, 1, K, 1, 1);
  for (int k = 0; k < K; ++k) {
    g.a(0, k) = Input(k % kEvery == 0 ? 1.0f : 0.0f),
           g.a(1, k) = Input(k % kEvery == 7 ? -1.0f : 0.0f);
    g.b(k, 0) = Input(1.0f);
  }
  g.c(0, 0) = g.c(1, 0) = Output(1.0f);
  g.expect_right();
}
