// The verifier's verdicts on an epilogue: C = gelu(alpha A B + beta C + bias), with half output.
#include <cmath>

#include "common/harness/answer/reference.h"
#include "tests/harness/host_gemm.h"

namespace {

// GELU as a kernel computes it.
float gelu_fp32(float x) {
  return x / (1 + std::exp2(x * (-2.302208198f - 0.1029432397f * (x * x))));
}

void right_fused(const Fused& p) {
  fused_gemm([](float sum, const auto& bias, int, int col) {
    return gelu_fp32(sum + float(bias[col]));
  })(p);
}

// Wrong functions of a sum with its bias.
float nothing(float x) {
  return x;
}
float relu(float x) {
  return std::max(x, 0.0f);
}
float gelu_of_erf(float x) {
  return x / 2 * std::erfc(-x / std::sqrt(2.0f));
}
float gelu_of_sigmoid(float x) {
  return x / (1 + std::exp(-1.702f * x));
}
float gelu_of_coarse_tanh(float x) {  // with 11 bits, as tanh.approx
  const float u = 0.7978845608f * (x + 0.044715f * x * x * x);
  return x / 2 * (1 + std::round(std::tanh(u) * 2048) / 2048);
}
float gelu_of_half(float x) {  // as if the sum had been stored as a half
  return gelu_fp32(float(half(x)));
}
float cut_off(float x) {
  return gelu_fp32(x) * (1 - 0x1p-11f);
}

template <float (*FUNCTION)(float)>
void other_function(const Fused& p) {
  fused_gemm([](float sum, const auto& bias, int, int col) {
    return FUNCTION(sum + float(bias[col]));
  })(p);
}

Case small(Mode mode) {
  Case c = problem(20, 30, 9, 1);
  c.alpha = 0.25;
  c.mode = mode;
  return c;
}

void expect_wrong(const std::function<void(const Fused&)>& gemm,
                  const std::string& text = "compared elements",
                  const std::vector<Mode>& modes = {Mode::kExact, Mode::kRounding}) {
  for (const Mode mode : modes) check_wrong(gemm, small(mode), text);
}

}  // namespace

TEST_CASE("a right epilogue is right") {
  for (const Mode mode : {Mode::kExact, Mode::kRounding}) {
    for (Case c : {problem(9, 7, 5), problem(1, 1, 1, 1), problem(33, 65, 0, -2),
                   problem(40, 30, 4000), problem(0, 4, 4), problem(4, 0, 4), small(mode)}) {
      c.mode = mode;
      c.offset_A = c.offset_C = 1;
      const Verdict verdict = run_case(right_fused, c);
      INFO(verdict.text);
      CHECK(verdict.right);
      CHECK(verdict.max_error <= verdict.bound);
    }
  }
}

TEST_CASE("gelu() agrees with its definition, and its bounds hold") {
  CHECK(gelu(0) == 0);
  CHECK(std::isnan(gelu(NAN)));
  CHECK(gelu(INFINITY) == INFINITY);
  double slope = 0;
  for (double x = -30; x < 30; x += 1.0 / 1024) {
    const double u = 0.7978845608028654 * (x + 0.044715 * x * x * x);
    CHECK(std::fabs(gelu(x) - x / 2 * (1 + std::tanh(u))) < 1e-14);
    slope = std::max(slope, std::fabs(gelu(x + 1e-6) - gelu(x)) / 1e-6);
    const double error = std::fabs(double(gelu_fp32(float(x))) - gelu(x));
    CHECK(error <= kEpilogueError * std::fabs(gelu(x)) + 0x1p-40);
  }
  CHECK(slope <= kMostSlope);
  CHECK(slope > kMostSlope - 0.002);
}

// No value lies near the middle of two halves, so FP32 arithmetic and one rounding give the exact mode's result.
TEST_CASE("at multiples of an eighth, FP32 finds the half nearest to gelu()") {
  int wrong = 0;
  for (int i = -20 * 8; i <= 70000 * 8; ++i) {
    const float x = float(i) / 8;
    wrong += float(half(gelu_fp32(x))) != float(half(float(gelu(x))));
  }
  CHECK(wrong == 0);
}

TEST_CASE("a missing or misplaced bias is wrong") {
  expect_wrong(fused_gemm([](float sum, const auto&, int, int) { return gelu_fp32(sum); }));
  expect_wrong(fused_gemm(
      [](float sum, const auto& bias, int row, int) { return gelu_fp32(sum + float(bias[row])); }));
  expect_wrong(fused_gemm([](float sum, const auto& bias, int, int col) {
    return gelu_fp32(sum + float(bias[col ^ 1]));
  }));
  // added after the function
  expect_wrong(fused_gemm(
      [](float sum, const auto& bias, int, int col) { return gelu_fp32(sum) + float(bias[col]); }));
}

TEST_CASE("another function is wrong, and so is a less exact one") {
  expect_wrong(other_function<nothing>);
  expect_wrong(other_function<relu>);
  expect_wrong(other_function<gelu_of_erf>);
  expect_wrong(other_function<gelu_of_sigmoid>);
  expect_wrong(other_function<gelu_of_coarse_tanh>);
  expect_wrong(other_function<cut_off>);
  expect_wrong(other_function<gelu_of_half>, "compared elements", {Mode::kRounding});
}

TEST_CASE("reading beyond the bias or writing to it is wrong") {
  expect_wrong([](const Fused& p) {  // NaN behind its end
    Fused q = p;
    q.bias += 1;
    right_fused(q);
  });
  expect_wrong(
      [](const Fused& p) {
        right_fused(p);
        write(p.bias + p.N, half(1.0f));
      },
      "the bias or the memory around it was written");
}

TEST_CASE("half output: infinity is right from 65520 on") {
  Case c = problem(4, 4, 40);
  c.alpha = 3000;
  const Operands<half, float, half> operands(c);
  right_fused(operands.problem());
  CHECK(operands.verify().right);
  bool infinite = false;
  for (int i = 0; i < 16; ++i) {
    const half* const element = operands.problem().C + i / 4 * c.ldc + i % 4;
    if (std::isinf(float(read(element)))) {
      infinite = true;
      write(element, half(65504.0f));
      CHECK(!operands.verify().right);
      write(element, half(INFINITY));
    }
  }
  CHECK(infinite);
  write(operands.problem().C, half(NAN));
  CHECK(!operands.verify().right);
}

TEST_CASE("a baseline may use a coarse tanh or round the sum to half, but no other function") {
  for (const Case& c : {small(Mode::kRounding), rounding(problem(65, 130, 33))}) {
    CHECK(coarse_gelu_fault(right_fused, c) == "");
    CHECK(coarse_gelu_fault(other_function<gelu_of_coarse_tanh>, c) == "");
    CHECK(coarse_gelu_fault(other_function<gelu_of_half>, c) == "");
    CHECK(coarse_gelu_fault(other_function<nothing>, c) != "");
    CHECK(coarse_gelu_fault(other_function<relu>, c) != "");
    CHECK(coarse_gelu_fault(other_function<gelu_of_sigmoid>, c) != "");
  }
}
