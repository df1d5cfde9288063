// The verifier's description of wrong elements, for GEMMs with known faults.
#include "tests/harness/host_gemm.h"

namespace {

// The description of a C whose elements are change(row, col, the right C, the element before).
template <typename Change>
std::string pattern(const Case& c, Change change) {
  const Operands<float, float> operands(c);
  const Float& p = operands.problem();
  const std::vector<float> before = download(p.C, p.M, p.N, p.ldc);
  right_gemm(p);
  std::vector<float> C = download(p.C, p.M, p.N, p.ldc);
  const std::vector<float> right = C;
  for (int row = 0; row < p.M; ++row) {
    for (int col = 0; col < p.N; ++col) {
      const size_t at = size_t(row * p.ldc + col);
      C[at] = change(row, col, right, before[at]);
    }
  }
  CUDA_CHECK(cudaMemcpy(p.C, C.data(), C.size() * sizeof(float), cudaMemcpyHostToDevice));
  const Verdict verdict = operands.verify();
  CHECK(verdict.text.find_first_of(",\"\n") == std::string::npos);
  CHECK(verdict.text.size() < 250);
  return verdict.pattern;
}

// The description where the elements with inside(row, col) are off by various amounts.
template <typename Inside>
std::string place(int M, int N, Inside inside, bool exact = true) {
  const Case c = exact ? problem(M, N, 9) : rounding(problem(M, N, 9));
  return pattern(c, [&](int row, int col, const std::vector<float>& right, float) {
    const float off = float(1 + (row * 37 + col * col * 11) % 101);
    return right[size_t(row * (c.N + 5) + col)] + (inside(row, col) ? off : 0);
  });
}

// The description where each element is element(problem, product, row, col, the element before). product(i, j, first,
// end) sums A[i][k] * B[k][j] for k in [first, end). Both modes must describe it alike.
template <typename Element>
std::string content(Case c, Element element) {
  std::string found;
  for (const Mode mode : {Mode::kExact, Mode::kRounding}) {
    c.mode = mode;
    const Operands<float, float> operands(c);
    const Float& p = operands.problem();
    const std::vector<float> A = download(p.A, p.M, p.K, p.lda), B = download(p.B, p.K, p.N, p.ldb);
    std::vector<float> C = download(p.C, p.M, p.N, p.ldc);
    for (int row = 0; row < p.M; ++row) {
      for (int col = 0; col < p.N; ++col) {
        const auto product = [&](int i, int j, int first, int end) {
          float sum = 0;
          for (int k = first; k < end; ++k) sum += A[i * p.lda + k] * B[k * p.ldb + j];
          return sum;
        };
        float& value = C[row * p.ldc + col];
        value = element(p, product, row, col, value);
      }
    }
    CUDA_CHECK(cudaMemcpy(p.C, C.data(), C.size() * sizeof(float), cudaMemcpyHostToDevice));
    const std::string pattern = operands.verify().pattern;
    INFO(found << " | " << pattern);
    CHECK((mode == Mode::kExact || found == pattern));
    found = pattern;
  }
  return found;
}

Case scaled(int M, int N, int K) {
  Case c = problem(M, N, K, -0.5);
  c.alpha = 2;
  return c;
}

}  // namespace

TEST_CASE("the places of wrong elements") {
  for (const bool exact : {true, false}) {
    const auto in = [exact](int M, int N, auto inside) { return place(M, N, inside, exact); };
    CHECK(in(97, 40, [](int row, int) { return row % 2 == 1; }) ==
          "all in every second row from 1 on");
    CHECK(in(97, 40, [](int row, int) { return row >= 64; }) == "all in rows 64 to 96 (the last)");
    CHECK(in(97, 40, [](int row, int) { return row == 96; }) == "all in row 96 (the last)");
    CHECK(in(97, 40, [](int, int col) { return col == 39; }) == "all in column 39 (the last)");
    CHECK(in(97, 40, [](int, int col) { return col % 4 == 3; }) ==
          "all in every 4th column from 3 on");
    CHECK(in(97, 40, [](int row, int) { return row / 8 == 3; }) == "all in rows 24 to 31");
    CHECK(in(97, 40, [](int row, int) { return row % 32 / 8 == 1; }) ==
          "all in rows 8 to 15 of each 32");
    CHECK(in(97, 70, [](int row, int col) { return row / 32 == 1 && col / 32 == 1; }) ==
          "all in rows 32 to 63 of columns 32 to 63");
    CHECK(in(97, 40, [](int row, int) { return row == 3 || row == 50; }) == "all in rows 3 and 50");
    CHECK(in(40, 40, [](int row, int col) { return row > col; }) == "all below the diagonal");
    CHECK(in(40, 40, [](int row, int col) {
            return (row * 7 + col * 13 + row * col) % 5 == 0;
          }).empty());
    CHECK(in(40, 40, [](int, int) { return true; }).empty());
  }
}

TEST_CASE("wrong elements that are NaN, infinite, 0 or unwritten") {
  const auto all = [](float value) {
    return pattern(problem(20, 30, 9), [=](int row, int, const std::vector<float>&, float) {
      return row > 9 ? value : NAN;
    });
  };
  const std::string nan =
      " are NaN as after a read outside the rows of A or B (or of C although beta is 0)";
  CHECK(all(NAN) == "they" + nan);
  CHECK(all(0) == "some" + nan);
  CHECK(all(-3e38F) == "some" + nan);
  const auto last = [](const Case& c, float value, bool keep) {
    return pattern(c, [=](int row, int col, const std::vector<float>& right, float before) {
      return row < 10 ? right[size_t(row * (c.N + 5) + col)] : keep ? before : value;
    });
  };
  CHECK(last(problem(20, 30, 9), 0, false) == "all in rows 10 to 19 (the last); they are 0");
  CHECK(last(problem(20, 30, 9), INFINITY, false) ==
        "all in rows 10 to 19 (the last); they are infinite as after a product with a variable "
        "that was never given a value");
  CHECK(last(problem(20, 30, 9), -3e38F, false) ==
        "all in rows 10 to 19 (the last); they are huge as after a sum with a variable that was "
        "never given a value");
  CHECK(last(problem(20, 30, 9), 0, true) ==
        "all in rows 10 to 19 (the last); they are still NaN: not written or C was read although "
        "beta is 0");
  CHECK(last(problem(20, 30, 9, 2), 0, true) ==
        "all in rows 10 to 19 (the last); they still have the old value of C: not written");
}

TEST_CASE("forgotten factors") {
  const Case c = scaled(24, 20, 40);
  const auto with = [&](double of_sum, double of_before) {
    return content(c, [=](const Float& p, auto product, int row, int col, float before) {
      return float(of_sum) * product(row, col, 0, p.K) + float(of_before) * before;
    });
  };
  CHECK(with(1, -0.5) == "alpha is missing");
  CHECK(with(2, 0) == "beta * C is missing");
  CHECK(with(2, 1) == "C is added without beta");
  CHECK(with(2, -1) == "alpha is also applied to beta * C");
  CHECK(with(0, -0.5) == "the product is missing: only beta * C is there");
  CHECK(with(6, -1.5) == "each is 3 times the right value");
  CHECK(with(2, -0.5).empty());
  CHECK(with(1.7, 0.9).empty());
}

TEST_CASE("missing and doubled products") {
  const Case c = scaled(24, 20, 100);
  const auto with = [&](auto sum) {
    return content(c, [=](const Float& p, auto product, int row, int col, float before) {
      return p.alpha * sum(product, row, col) + p.beta * before;
    });
  };
  CHECK(with([](auto product, int i, int j) { return product(i, j, 0, 99); }) ==
        "the product at k = 99 is missing");
  CHECK(with([](auto product, int i, int j) { return product(i, j, 1, 100); }) ==
        "the product at k = 0 is missing");
  CHECK(with([](auto product, int i, int j) { return product(i, j, 0, 96); }) ==
        "the products at k = 96 to 99 are missing");
  CHECK(with([](auto product, int i, int j) {
          return product(i, j, 0, 32) + product(i, j, 64, 100);
        }) == "the products at k = 32 to 63 are missing");
  CHECK(with([](auto product, int i, int j) { return product(i, j, 0, 50); }) ==
        "only the products at k = 0 to 49 are there");
  CHECK(with([](auto product, int i, int j) { return product(i, j, 99, 100); }) ==
        "only the product at k = 99 is there");
  CHECK(with([](auto product, int i, int j) {
          return product(i, j, 0, 100) + product(i, j, 16, 32);
        }) == "the products at k = 16 to 31 are added twice");
  CHECK(
      with([](auto product, int i, int j) { return product(i, j, 0, 40 + (i + j) % 7); }).empty());
}

TEST_CASE("elements that hold another element's value") {
  const auto from = [](int M, int N, auto where) {
    return content(problem(M, N, 30), [=](const Float& p, auto product, int row, int col, float) {
      const auto [i, j] = where(row, col);
      return product(i, j, 0, p.K);
    });
  };
  using Place = std::pair<int, int>;
  CHECK(from(40, 40, [](int i, int j) { return Place(j, i); }) ==
        "C[i][j] has the value of C[j][i]");
  CHECK(from(32, 64, [](int i, int j) {
          return Place(i / 16 * 16 + j % 16, j / 16 * 16 + i % 16);
        }) == "each tile of 16 x 16 is transposed");
  CHECK(from(40, 33, [](int i, int j) { return Place(i, j < 32 ? j + 1 : j); }) ==
        "all in columns 0 to 31; each has the value that belongs 1 column to the right");
  CHECK(from(40, 33, [](int i, int j) { return Place(i < 8 ? i : i - 8, j); }) ==
        "all in rows 8 to 39 (the last); each has the value that belongs 8 rows above");
  CHECK(from(70, 33, [](int i, int j) { return Place(i % 32, j); }) ==
        "all in rows 32 to 69 (the last); row i has the values of row i % 32");
  CHECK(from(33, 70, [](int i, int j) { return Place(i, j % 32); }) ==
        "all in columns 32 to 69 (the last); column j has the values of column j % 32");
  const auto tile = [](const Float& p, auto product, int i, int j, float before) {
    return product(i / 16 * 16 + j % 16, j / 16 * 16 + i % 16, 0, p.K) + p.beta * before;
  };
  CHECK(content(problem(32, 64, 30, 2), tile) == "each tile of 16 x 16 is transposed");
}

TEST_CASE("tiles of B that are read transposed") {
  const auto gemm = host_gemm([](const Float& q, const float* A, const float* B, int row, int col) {
    float sum = 0;
    for (int k = 0; k < q.K; ++k) {
      const int i = k / 16 * 16 + col % 16, j = col / 16 * 16 + k % 16;
      sum += i < q.K && j < q.N ? A[row * q.lda + k] * B[i * q.ldb + j] : 0;
    }
    return sum;
  });
  CHECK(verdict_of<float, float, float>(gemm, problem(20, 40, 50)).pattern ==
        "each tile of 16 x 16 of B is read transposed");
}

TEST_CASE("a C that is read between its rows") {
  const Case c = scaled(24, 20, 40);
  const double gap = poisoned<float>(Poison::kHuge);
  CHECK(content(c, [=](const Float& p, auto product, int row, int col, float) {
          return p.alpha * product(row, col, 0, p.K) + p.beta * float(gap);
        }) == "beta * C is read outside the rows of C");
}

TEST_CASE("of one wrong element only the place is described") {
  CHECK(place(20, 30, [](int row, int col) { return row == 4 && col == 7; }) ==
        "all in row 4 of column 7");
  CHECK(place(1, 1, [](int, int) { return true; }).empty());
}

TEST_CASE("results with fewer bits are called close") {
  const auto gemm = float_gemm([](float sum, auto&&...) { return sum * (1 + 0x1p-9f); });
  const Verdict verdict = verdict_of<float, float, float>(gemm, rounding(problem(20, 30, 9, 1)));
  CHECK(verdict.pattern.find("all are close: the error is at most") == 0);
}

TEST_CASE("a large problem's random samples show the place, too") {
  const auto gemm = host_gemm([](const Float& q, const float* A, const float* B, int row, int col) {
    return row < 1000 ? Dot()(q, A, B, row, col) : 0;
  });
  const Case c = rounding(problem(1500, 1200, 16));
  const std::string found = verdict_of<float, float, float>(gemm, c).pattern;
  INFO(found);
  CHECK(found.find("all in rows 1000 to 1499 (the last)") == 0);
}
