// How tight the verifier's rounding bound is, and its verdicts on results outside the range of FP32.
#include <cmath>
#include <limits>

#include "tests/harness/host_gemm.h"

namespace {

// alpha times the sum of K products of uniform inputs.
Case uniform(int K, double alpha = 1, double beta = 0) {
  Case c = rounding(problem(2, 2, K, beta));
  c.alpha = alpha;
  return c;
}

auto times(float factor) {
  return right_of([factor](Float& p) { p.alpha *= factor, p.beta *= factor; });
}

}  // namespace

TEST_CASE("zeros are wrong for any number of summed products") {
  const auto zero_gemm = host_gemm([](auto&&...) { return 0; });
  for (const int K : {512, 4096, 100000}) {
    CHECK(!verdict_of<float, float, float>(zero_gemm, uniform(K)).right);
    CHECK(!verdict_of<double, double, double>(zero_gemm, uniform(K)).right);
    CHECK(!verdict_of<half, float, float>(zero_gemm, uniform(K)).right);
  }
  CHECK(!verdict_of<float, float, float>(zero_gemm, uniform(1000000)).right);
}

TEST_CASE("one missing product of thousands is wrong") {
  const auto one_less = right_of([](Float& p) { p.K -= 1; });
  CHECK(!is_right(one_less, uniform(4096)));
  CHECK(!is_right(one_less, uniform(20000, -0.1, 3)));
}

TEST_CASE("right sums of any length stay well below the bound") {
  for (const int K : {0, 1, 2, 10, 100, 1000, 10000, 100000}) {
    for (const double beta : {0.0, 0.7}) {
      Case c = uniform(K, 0.3, beta);
      c.M = K < 1000 ? 60 : 4;
      for (c.seed = 1; c.seed <= 3; ++c.seed) {
        for (const Verdict& v :
             {run_case(right_gemm<float, float>, c), run_case(right_gemm<double, double>, c),
              run_case(right_gemm<half, float>, c)}) {
          INFO(K << ": " << v.max_error << " of " << v.bound << ", " << v.text);
          CHECK(v.right);
          CHECK(v.max_error <= (K < 1000 ? 1 : 0.25) * v.bound);
        }
      }
    }
  }
}

TEST_CASE("infinity of the right sign is right where the exact result is too large") {
  const double huge = 3.4e38;
  for (const Case& c : {uniform(50, huge), uniform(50, -huge), uniform(50, huge, -huge)}) {
    const Verdict verdict = run_case(right_gemm<float, float>, c);
    INFO(verdict.text);
    CHECK(verdict.right);
    CHECK(!is_right(times(-1), c));
    CHECK(!is_right(right_then([](const Float& p) { write(p.C, NAN); }), c));
    const auto finite = right_then([](const Float& p) {
      for (int i = 0; i < 4; ++i) {
        float* const element = p.C + i / 2 * p.ldc + i % 2;
        const float most = std::numeric_limits<float>::max();
        if (std::isinf(read(element))) write(element, std::copysign(most / 2, read(element)));
      }
    });
    CHECK(!is_right(finite, c));
  }
  CHECK(!is_right(right_then([](const Float& p) { write(p.C, INFINITY); }), uniform(50, 1e37)));
}

TEST_CASE("results that underflow are right; nine times such a result is wrong") {
  for (const double alpha : {0x1p-149, -0x1p-148, 1e-40}) {
    const Verdict verdict = run_case(right_gemm<float, float>, uniform(50, alpha, -alpha));
    INFO(verdict.text);
    CHECK(verdict.right);
    CHECK(!is_right(times(9), uniform(50, alpha, -alpha)));
  }
}

TEST_CASE("in a sampled C, infinity is right only if results can be that large") {
  for (const double alpha : {1.0, 3e38}) {
    Case c = rounding(problem(4200, 4100, 8));
    c.alpha = alpha;
    const Operands<float, float> operands(c);
    right_gemm(operands.problem());
    CHECK(operands.verify().right);
    write(operands.problem().C + 1234 * c.ldc + 567, INFINITY);
    CHECK(operands.verify().right == (alpha > 1));
    write(operands.problem().C + 1234 * c.ldc + 567, NAN);
    CHECK(!operands.verify().right);
  }
}
