// The verifier's verdicts on C, for GEMMs with known faults.
#include <cmath>

#include "common/harness/device/cuda_error.h"
#include "tests/harness/host_gemm.h"

TEST_CASE("a right result is right, for all element types") {
  for (const double beta : {0.0, 1.0, -2.0}) {
    for (Case c :
         {problem(9, 7, 5, beta), problem(1, 1, 1, beta), problem(33, 65, 0, beta),
          problem(0, 4, 4, beta), problem(4, 0, 4, beta), rounding(problem(20, 30, 90, beta))}) {
      c.offset_A = c.offset_C = 1;
      for (const Verdict& verdict :
           {run_case(right_gemm<float, float>, c), run_case(right_gemm<double, double>, c),
            run_case(right_gemm<half, float>, c), run_case(right_gemm<int, int>, c)}) {
        INFO(verdict.text);
        CHECK(verdict.right);
        CHECK(verdict.max_error <= verdict.bound);
      }
    }
  }
}

TEST_CASE("one element that is NaN, infinite or off by one is wrong") {
  const auto nan = right_then([](const Float& p) { write(p.C + 2 * p.ldc + 3, NAN); });
  expect_wrong(nan, problem(9, 7, 5), "C[2][3] is nan");
  expect_wrong(nan, problem(9, 7, 5, 1), "1 of 63 compared elements");
  expect_wrong(right_then([](const Float& p) { write(p.C, INFINITY); }), problem(9, 7, 5),
               "C[0][0] is inf");
  const auto off = right_then([](const Float& p) {
    const float* last = p.C + (p.M - 1) * p.ldc + p.N - 1;
    write(last, read(last) + 1);
  });
  expect_wrong(off, problem(9, 7, 5), "C[8][6] is");
  expect_wrong(off, problem(1, 1, 1, 1), "C[0][0] is");
}

TEST_CASE("in exact mode one unit in the last place is wrong") {
  const auto gemm = right_then([](const Float& p) { write(p.C, std::nextafter(read(p.C), 1e9f)); });
  CHECK(!is_right(gemm, problem(9, 7, 5)));
  CHECK(is_right(gemm, rounding(problem(9, 7, 5))));
}

TEST_CASE("an untouched C is wrong") {
  const auto gemm = [](const Float&) {};
  expect_wrong(gemm, problem(9, 7, 5), "63 of 63");
  expect_wrong(gemm, problem(9, 7, 5, 1), "63 of 63");
  expect_wrong(gemm, problem(9, 7, 0), "63 of 63");
  const auto int_gemm = [](const Gemm<int, int>&) {};
  CHECK(!run_case<int, int>(int_gemm, problem(9, 7, 5)).right);
  CHECK(!run_case<int, int>(int_gemm, problem(9, 7, 0)).right);
}

TEST_CASE("an old C is no NaN from a gap of A or B") {
  const float old = unread<float>(), gap = poisoned<float>(Poison::kNaN);
  CHECK(std::isnan(old));
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): NaNs differ in their bits alone
  CHECK(std::memcmp(&old, &gap, sizeof(old)) != 0);
  CHECK(unread<int>() != poisoned<int>(Poison::kNaN));
}

TEST_CASE("C of zeros is wrong") {
  expect_wrong(float_gemm([](auto...) { return 0.0f; }), problem(9, 7, 5), "63 of 63");
}

TEST_CASE("swapped indices are wrong") {
  const auto transposed_B =
      host_gemm([](const Float& q, const float* A, const float* B, int row, int col) {
        float sum = 0;
        for (int k = 0; k < q.K; ++k) {
          sum += A[row * q.lda + k] * B[col * q.ldb + k];
        }
        return sum;
      });
  expect_wrong(transposed_B, problem(8, 8, 8), "compared elements are wrong");
  const auto transposed_C = host_gemm([](const Float& q, const float* A, const float* B, int row,
                                         int col) { return Dot()(q, A, B, col, row); });
  expect_wrong(transposed_C, problem(8, 8, 8), "compared elements are wrong");
  const auto two_rows =
      host_gemm([](const Float& q, const float* A, const float* B, int row, int col) {
        return Dot()(q, A, B, row < 2 ? 1 - row : row, col);
      });
  expect_wrong(two_rows, problem(8, 8, 8), "16 of 64");
}

TEST_CASE("a result without the stride, alpha, beta or the last k is wrong") {
  expect_wrong(right_of([](Float& p) { p.lda = p.K; }), problem(9, 7, 5),
               "compared elements are wrong");
  Case c = problem(9, 7, 5, 1);
  c.alpha = 2;
  expect_wrong(right_of([](Float& p) { p.alpha = 1; }), c, "63 of 63");
  expect_wrong(right_of([](Float& p) { p.beta = 0; }), problem(9, 7, 5, 1), "63 of 63");
  expect_wrong(right_of([](Float& p) { p.K -= 1; }), problem(9, 7, 5), "63 of 63");
}

TEST_CASE("the rounding bound admits FP32 sums in reverse order and rejects sums in half") {
  const auto backwards =
      host_gemm([](const Float& q, const float* A, const float* B, int row, int col) {
        float sum = 0;
        for (int k = q.K - 1; k >= 0; --k) {
          sum += A[row * q.lda + k] * B[k * q.ldb + col];
        }
        return sum;
      });
  const Verdict good = verdict_of<float, float, float>(backwards, rounding(problem(20, 20, 500)));
  CHECK(good.right);
  CHECK(good.max_error > 0);
  const auto half_sums =
      host_gemm([](const Gemm<half, float>& q, const half* A, const half* B, int row, int col) {
        half sum = half(0.0f);
        for (int k = 0; k < q.K; ++k) {
          sum = half(float(sum) + float(A[row * q.lda + k]) * float(B[k * q.ldb + col]));
        }
        return float(sum);
      });
  CHECK(!verdict_of<half, float, float>(half_sums, rounding(problem(20, 20, 50))).right);
  const auto float_sums =
      host_gemm([](const Gemm<double, double>& q, const double* A, const double* B, int row,
                   int col) { return double(float(Dot()(q, A, B, row, col))); });
  CHECK(!verdict_of<double, double, double>(float_sums, rounding(problem(20, 20, 50))).right);
}

TEST_CASE("in a sampled C, corners are compared and a NaN is found anywhere") {
  const Case c = rounding(problem(4200, 4100, 8));
  CHECK(double(c.M) * c.N * c.K > Operands<float, float>::kFullWork);
  const Operands<float, float> operands(c);
  right_gemm(operands.problem());
  const Verdict right = operands.verify();
  INFO(right.text);
  CHECK(right.right);
  float* const C = operands.problem().C;
  for (float* corner : {C, C + c.N - 1, C + (c.M - 1) * c.ldc, C + (c.M - 1) * c.ldc + c.N - 1}) {
    const float value = read(corner);
    write(corner, value + 1);
    CHECK(!operands.verify().right);
    write(corner, value);
  }
  write(C + 1234 * c.ldc + 567, NAN);
  CHECK(!operands.verify().right);
}

TEST_CASE("exact mode compares every element of a large C") {
  for (const double beta : {0.0, -0.5}) {
    Case c = problem(4200, 4100, 8, beta);
    c.alpha = 1.5;
    const Operands<float, float> operands(c);
    right_gemm(operands.problem());
    const Verdict right = operands.verify();
    INFO(right.text);
    CHECK(right.right);
    float* const element = operands.problem().C + 1234 * c.ldc + 567;
    const float value = read(element);
    for (const float wrong : {value + 1, value + 0.5f, value + 1e-3f, 1e30f, -value + 8}) {
      write(element, wrong);
      const Verdict verdict = operands.verify();
      INFO(verdict.text);
      CHECK(!verdict.right);
      CHECK(verdict.text.find("1234") != std::string::npos);
    }
  }
}

TEST_CASE("the range of inputs whose sums are exact") {
  CHECK(exact_range(1, 1, 0) == 16);
  CHECK(exact_range(4096, 1, 1) == 16);
  CHECK(exact_range(1 << 20, 1, 0) == 3);
  CHECK(exact_range(1 << 20, 4, 0) == 1);
  CHECK(exact_range(1 << 24, 1, 0) == 0);
  CHECK(exact_range(4096, 0.5, -0.75) == 16);
  CHECK(exact_range(16, 0.1, 0) == 0);
  CHECK(exact_range(1, 1e300, 0) == 0);
  Case c = problem(2, 2, 2);
  c.alpha = 0.1;
  CHECK_THROWS_AS((Operands<float, float>(c)), UsageError);
  c.alpha = 0.5;
  CHECK_THROWS_AS((Operands<int, int>(c)), UsageError);
}
