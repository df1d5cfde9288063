// The suite that every lesson must pass on both backends. It is linked with a lesson's gemm.cu, whose main() is renamed.
// LADDER_INPUT, LADDER_ACC and LADDER_OUTPUT are the lesson's element types.
//
// Exact mode compares every element with ==, so one wrong index, guard or barrier shows. On the CPU backend matrices fill
// their allocations, and the backend reports out-of-bounds accesses. On a GPU guard bands of NaN surround the matrices.
#include <algorithm>

#include "tests/lessons/suite/lesson_cases.h"

TEST_CASE("the smallest problems") {
  for (const int n : {1, 2, 3, 5, 33, 129}) {
    expect_right(sizes(1, 1, n));
    expect_right(sizes(1, n, 1));
    expect_right(sizes(n, 1, 1));
    expect_right(sizes(1, n, 3));
    expect_right(sizes(n, 1, 3));
    expect_right(sizes(n, n, 1));
  }
}

TEST_CASE("sizes around a tile, in each direction") {
  for (const int tile : tiles()) {
    for (const int n : {tile - 1, tile, tile + 1}) {
      expect_right(sizes(n, 5, 9));
      expect_right(sizes(6, n, 7));
      expect_right(sizes(9, 6, n));
      expect_right(sizes(n, tile + 1, tile < 64 ? n + 1 : 3, 1, 1));
    }
  }
}

TEST_CASE("one to five tiles along K, whole and ragged") {
  std::set<int> depths;
  for (const int tile : {8, 16, 32, 64, BK}) {
    for (int n = 1; n <= 5; ++n) depths.insert(n * tile);
  }
  for (const int K : depths) {
    expect_right(sizes(17, 19, K));
    expect_right(sizes(20, 36, K - 1));
    expect_right(sizes(36, 20, K + 4));
  }
}

TEST_CASE("tall and wide C") {
  expect_right(sizes(300, 20, 33));
  expect_right(sizes(20, 300, 33));
  expect_right(sizes(130, 70, 40));
  expect_right(sizes(70, 130, 40));
}

TEST_CASE("sizes of zero") {
  for (const double beta : {0.0, 1.0, 2.0}) {
    expect_right(sizes(0, 9, 9, 1, beta));
    expect_right(sizes(9, 0, 9, 1, beta));
    expect_right(sizes(0, 0, 0, 1, beta));
    expect_right(sizes(0, 9, 0, 1, beta));
    // K = 0: C is scaled, and with beta == 0 set to zero.
    expect_right(sizes(1, 1, 0, 1, beta));
    expect_right(pitched(sizes(37, 41, 0, 3, beta), 0, 0, 5));
    expect_right(sizes(130, 68, 0, 2, beta));
  }
}

TEST_CASE("alpha and beta") {
  const bool fractions = !std::is_integral_v<Acc>;
  for (const double alpha : {1.0, 0.0, -1.0, 3.0, 0.5, -2.25}) {
    for (const double beta : {0.0, 1.0, -1.0, 2.0, 0.5, -0.75}) {
      if (fractions || (alpha == int(alpha) && beta == int(beta))) {
        expect_right(sizes(35, 41, 19, alpha, beta));
        expect_right(sizes(36, 72, 24, alpha, beta));
      }
    }
  }
}

TEST_CASE("row strides above the matrix's width") {
  for (const int pad : {1, 2, 3, 4, 8, 13, 16}) {
    const double beta = pad % 2 == 0 ? 2 : 0;
    expect_right(pitched(sizes(35, 41, 27, 1, beta), pad, 0, 0));
    expect_right(pitched(sizes(35, 41, 27, 1, beta), 0, pad, 0));
    expect_right(pitched(sizes(35, 41, 27, 1, beta), 0, 0, pad));
    expect_right(pitched(sizes(64, 48, 32, 1, 2 - beta), pad, 0, 0));
    expect_right(pitched(sizes(64, 48, 32, 1, 2 - beta), 0, pad, 0));
    expect_right(pitched(sizes(64, 48, 32, 1, 2 - beta), 0, 0, pad));
  }
  // Aligned rows whose widths are ragged, by one to seven elements.
  for (int gap = 1; gap < 8; ++gap) {
    const double beta = gap % 2 == 0 ? 0 : 2;
    expect_right(pitched(sizes(40, 40, 48 - gap, 1, beta), gap, 0, 0));
    expect_right(pitched(sizes(40, 80 - gap, 48, 1, beta), 0, gap, gap));
    expect_right(pitched(sizes(130, 144 - gap, 16 - gap, 1, 2 - beta), gap, gap, gap));
  }
  expect_right(pitched(sizes(19, 21, 23, 1, 0), 500, 600, 700));  // far more gap than matrix
  expect_right(pitched(sizes(19, 21, 23, 1, 2), 700, 600, 500));
}

TEST_CASE("aligned sizes, whole tiles and parts of them") {
  for (Case c : {sizes(4, 4, 4), sizes(8, 8, 8), sizes(40, 72, 24), sizes(64, 64, 64),
                 sizes(128, 128, 64), sizes(136, 264, 48, 2), sizes(256, 128, 40),
                 sizes(128, 256, 32, 3), sizes(132, 68, 36), sizes(100, 100, 100)}) {
    expect_right(c);
    c.beta = -2;
    expect_right(c);
  }
}

TEST_CASE("pointers that are aligned to one element only") {
  for (const int offset : {1, 2, 3, 4, 7, 8}) {
    for (const int which : {1, 2, 4, 7}) {
      const int a = which & 1 ? offset : 0;
      const int b = which & 2 ? offset : 0;
      const int c = which & 4 ? offset : 0;
      expect_right(shifted(sizes(33, 37, 35, 1, 1), a, b, c));
      expect_right(shifted(pitched(sizes(40, 48, 64, 1, 1), 8, 8, 8), a, b, c));
    }
  }
}

// A fast path must check all of its conditions. Each fails alone here.
TEST_CASE("whole tiles except for one size, stride or pointer", "[paths]") {
  const int M = std::max(BM, 64), N = std::max(BN, 64), K = std::max(3 * BK, 96);
  const Case whole = sizes(M, N, K, 1, 1);
  expect_right(whole);
  for (const Case& c : {sizes(M - 1, N, K), sizes(M, N - 1, K), sizes(M, N, K - 1)}) {
    expect_right(c);
  }
  for (const int by : {1, 2, 4, 16, 16 / int(sizeof(Input)) - 1}) {
    for (const Case& c : {sizes(M + by, N, K), sizes(M, N + by, K), sizes(M, N, K + by % 16)}) {
      expect_right(c);
    }
    for (const Case& c : moved(whole, by)) expect_right(c);
  }
}

TEST_CASE("matrices with and without guard bands") {
  for (const bool guarded : {false, true}) {
    for (Case c : {sizes(35, 41, 27), sizes(64, 64, 32), sizes(129, 65, 33), sizes(100, 36, 52),
                   pitched(sizes(30, 30, 30, 1, 1), 2, 2, 2)}) {
      c.guard_inputs = c.guard_output = guarded;
      expect_right(c);
    }
  }
}

TEST_CASE("uniform inputs stay within the rounding bound") {
  for (Case c :
       {sizes(33, 65, 129), sizes(64, 64, 256), sizes(1, 1, 1000), sizes(129, 127, 31, 1, 1),
        sizes(50, 60, 70, -1, 3), pitched(sizes(40, 44, 48, 2, -1), 1, 2, 3)}) {
    c.mode = Mode::kRounding;
    expect_right(c);
    c.seed += 1;
    expect_right(c);
  }
}

TEST_CASE("the same problem three times in the same memory") {
  const Operands<Input, Acc, Output> operands(sizes(131, 67, 45));
  for (int run = 0; run < 3; ++run) {
    gemm(operands.problem());
    CUDA_CHECK(cudaDeviceSynchronize());
    const Verdict verdict = operands.verify();
    INFO("found: " + verdict.text);
    CHECK(verdict.right);
  }
}

TEST_CASE("many blocks") {
  expect_right(sizes(520, 516, 12, 1, 1));
  expect_right(sizes(1030, 260, 8));
  expect_right(sizes(260, 1030, 9));
}

// Only for the nine: the lessons of beyond/ have other grids.
TEST_CASE("one block a tile, tiles along N first", "[grid]") {
  for (const Case& c : {sizes(2 * BM + 1, BN + 1, 0), sizes(3 * BM, 2 * BN, 0)}) {
    expect_right(c);
    const backend::Launch launch = backend::last_launch();
    REQUIRE(launch.known);
    CHECK(launch.grid.x == 2);
    CHECK(launch.grid.y == 3);
  }
}

// On a GPU only, where large sizes take no time.
TEST_CASE("large problems") {
  if (!backend::is_gpu()) {
    return;
  }
  for (const Case& c : {sizes(512, 512, 512), sizes(1024, 1024, 1024), sizes(777, 1001, 513, 2, -1),
                        sizes(1000, 1000, 1000), sizes(2048, 2048, 64, 1, 1), sizes(2049, 2047, 65),
                        sizes(4096, 4096, 32), sizes(4095, 4097, 33, 1, 1), sizes(3, 5, 100003),
                        sizes(64, 64, 65536), sizes(100000, 40, 20), sizes(40, 100000, 20),
                        pitched(sizes(1500, 1300, 700, 1, 3), 4, 8, 12),
                        shifted(sizes(2048, 2048, 128), 1, 1, 1)}) {
    expect_right(c);
  }
  Case c = sizes(2048, 1024, 4096);
  c.mode = Mode::kRounding;
  expect_right(c);
}
