// The verifier's verdicts on FP8 inputs with scales: B is N x K.
#include <cuda_fp8.h>

#include <cmath>

#include "tests/harness/host_gemm.h"

namespace {

using Scaled = Gemm<e4m3, float>;

// A host's view of a problem. Its functions return what an element stands for.
class View {
 public:
  explicit View(const Scaled& p)
      : p_(p),
        blocks_(ceil_div(p.K, SCALED)),
        A_(download(p.A, p.M, p.K, p.lda)),
        B_(download(p.B, p.N, p.K, p.ldb)),
        scales_A_(download(p.scales_A, blocks_, p.M, p.M)),
        scales_B_(download(p.scales_B, ceil_div(p.N, SCALED), blocks_, blocks_)) {}

  float a(int row, int k) const { return float(A_[row * p_.lda + k]); }
  float b(int k, int col) const { return float(B_[col * p_.ldb + k]); }
  float scale_a(int row, int k) const { return scales_A_[k / SCALED * p_.M + row]; }
  float scale_b(int k, int col) const { return scales_B_[col / SCALED * blocks_ + k / SCALED]; }

 private:
  const Scaled& p_;
  int blocks_;
  std::vector<e4m3> A_, B_;
  std::vector<float> scales_A_, scales_B_;
};

// A GEMM on the host; product(view, row, k, col) is a product of two elements.
template <typename Product>
auto scaled_gemm(Product product) {
  return [product](const Scaled& p) {
    const View view(p);
    std::vector<float> C = download(p.C, p.M, p.N, p.ldc);
    for (int row = 0; row < p.M; ++row) {
      for (int col = 0; col < p.N; ++col) {
        float sum = 0;
        for (int k = 0; k < p.K; ++k) sum += product(view, row, k, col);
        float& c = C[row * p.ldc + col];
        c = p.alpha * sum + (p.beta == 0 ? 0 : p.beta * c);
      }
    }
    CUDA_CHECK(cudaMemcpy(p.C, C.data(), C.size() * sizeof(float), cudaMemcpyHostToDevice));
  };
}

void right_scaled(const Scaled& p) {
  scaled_gemm([](const View& v, int row, int k, int col) {
    return v.a(row, k) * v.scale_a(row, k) * (v.b(k, col) * v.scale_b(k, col));
  })(p);
}

void expect_wrong(const std::function<void(const Scaled&)>& gemm,
                  const std::string& text = "compared elements") {
  const Case c = problem(20, 140, 300, 1);
  check_wrong(gemm, c, text);
  check_wrong(gemm, rounding(c), text);
}

}  // namespace

TEST_CASE("a right product of scaled inputs is right") {
  for (const Mode mode : {Mode::kExact, Mode::kRounding}) {
    for (Case c :
         {problem(9, 7, 5), problem(1, 1, 1, 1), problem(33, 130, 0, -2), problem(40, 30, 1000),
          problem(0, 4, 4), problem(4, 0, 4), problem(5, 129, 257)}) {
      c.mode = mode;
      c.offset_A = c.offset_B = c.offset_C = 1;
      const Verdict verdict = verdict_of<e4m3, float, float>(right_scaled, c);
      INFO(verdict.text);
      CHECK(verdict.right);
    }
  }
}

TEST_CASE("e4m3 represents the integers of exact inputs") {
  for (int i = -16; i <= 16; ++i) CHECK(float(e4m3(float(i))) == float(i));
}

TEST_CASE("a scale that is missing or belongs to other elements is wrong") {
  expect_wrong(scaled_gemm([](const View& v, int row, int k, int col) {
    return v.a(row, k) * v.b(k, col) * v.scale_b(k, col);
  }));
  expect_wrong(scaled_gemm([](const View& v, int row, int k, int col) {
    return v.a(row, k) * v.b(k, col) * v.scale_a(row, k);
  }));
  // that of the previous 128 of K
  expect_wrong(scaled_gemm([](const View& v, int row, int k, int col) {
    const int before = std::max(k - SCALED, 0);
    return v.a(row, k) * v.scale_a(row, before) * v.b(k, col) * v.scale_b(k, col);
  }));
  // that of the first 128 columns
  expect_wrong(scaled_gemm([](const View& v, int row, int k, int col) {
    return v.a(row, k) * v.scale_a(row, k) * v.b(k, col) * v.scale_b(k, 0);
  }));
  // that of the other row of a pair
  expect_wrong(scaled_gemm([](const View& v, int row, int k, int col) {
    return v.a(row, k) * v.scale_a(row ^ 1, k) * v.b(k, col) * v.scale_b(k, col);
  }));
}

TEST_CASE("scales are not touched, and what lies around them counts") {
  expect_wrong(
      [](const Scaled& p) {
        right_scaled(p);
        write(p.scales_A + 1, 3.0f);
      },
      "a scale or the memory around it was written");
  expect_wrong(
      [](const Scaled& p) {
        right_scaled(p);
        write(p.scales_B - 1, 1.0f);
      },
      "a scale or the memory around it was written");
  expect_wrong([](const Scaled& p) {  // NaN behind the last scale of a block
    Scaled q = p;
    q.scales_A += 1;
    right_scaled(q);
  });
}
