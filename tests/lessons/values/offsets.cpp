// Offsets beyond 32 bits: row strides so large that a few rows reach beyond 2^31 and 2^32 elements. The CPU backend
// reserves this memory and touches only the elements' pages.
#include <algorithm>
#include <climits>

#include "tests/lessons/values/given.h"

namespace {

// 1.5 times 2^31. Twice as much exceeds 2^32, and neither is near 0 when truncated to 32 bits.
constexpr int64_t kFar = int64_t(3) << 30;
constexpr int64_t kMostBytes = int64_t(1) << 39;  // of one matrix

// A matrix whose gaps between rows are never touched.
template <typename T>
class FarMatrix {
 public:
  FarMatrix(int rows, int cols, int64_t ld)
      : rows_(rows), cols_(cols), ld_(ld), data_(static_cast<T*>(reserve(bytes()))) {}
  ~FarMatrix() { release(data_); }
  FarMatrix(const FarMatrix&) = delete;
  FarMatrix& operator=(const FarMatrix&) = delete;

  T* data() const { return data_; }
  size_t bytes() const { return (size_t(rows_ - 1) * ld_ + cols_) * sizeof(T); }

  // To device memory, from and to rows without gaps.
  void write(const T* from) const { copy(data_, ld_, from, cols_); }
  void read(T* to) const { copy(to, cols_, data_, ld_); }

 private:
  void copy(T* to, int64_t to_ld, const T* from, int64_t from_ld) const {
    const size_t pitch = ld_ * sizeof(T), width = cols_ * sizeof(T);
    if (pitch <= size_t(INT_MAX)) {  // no GPU copies wider rows by one call
      CUDA_CHECK(cudaMemcpy2D(to, to_ld * sizeof(T), from, from_ld * sizeof(T), width, rows_,
                              cudaMemcpyDefault));
      return;
    }
    for (int row = 0; row < rows_; ++row) {
      CUDA_CHECK(cudaMemcpy(to + row * to_ld, from + row * from_ld, width, cudaMemcpyDefault));
    }
  }

  int rows_, cols_;
  int64_t ld_;
  T* data_;
};

struct Strides {
  int64_t a, b, c;
};

void warn_of_too_little_memory(size_t bytes) {
  static bool warned = false;
  if (!warned) {
    WARN("skipped what needs " << (bytes >> 30) << " GiB or more: "
                               << (backend::is_gpu() ? "the GPU has less free memory"
                                                     : "too few addresses (see ulimit -v and "
                                                       "vm.overcommit_memory)"));
  }
  warned = true;
}

void expect_right(Given g, const Strides& ld) {
  const FarMatrix<Input> A(g.shape_of_A().first, g.shape_of_A().second, ld.a),
      B(g.shape_of_B().first, g.shape_of_B().second, ld.b);
  const FarMatrix<Output> C(g.M, g.N, ld.c);
  if (A.data() == nullptr || B.data() == nullptr || C.data() == nullptr) {
    warn_of_too_little_memory(std::max({A.bytes(), B.bytes(), C.bytes()}));
    return;
  }
  A.write(&g.a(0, 0));
  B.write(&g.b(0, 0));
  C.write(&g.c(0, 0));
  INFO("M N K " << g.M << " " << g.N << " " << g.K << ", ld " << ld.a << " " << ld.b << " "
                << ld.c);
  g.call({g.M, g.N, g.K, g.alpha, A.data(), ld.a, B.data(), ld.b, g.beta, C.data(), ld.c});
  std::vector<Output> results(size_t(g.M) * g.N);
  C.read(results.data());
  g.expect_right(results);
}

// Whether the matrix has K rows.
bool rows_along_K(int which) {
  return (which == 1 && !kScaled) || (which == 0 && takes_transposed_A());
}

// Tests a shape with row stride ld in matrix `which` (0 A, 1 B, 2 C) and rows without gaps in the others. Returns false if
// there are too few addresses.
bool expect_right_if_far(int which, const Shape& s, int64_t ld) {
  const int rows = rows_along_K(which) ? s.K : which == 1 ? s.N : s.M;
  const int cols_of_A = shape_of_A(s.M, s.K).second, cols_of_B = shape_of_B<Input>(s.K, s.N).second;
  const size_t size = which == 2 ? sizeof(Output) : sizeof(Input);
  if (double(rows - 1) * double(ld) * double(size) >= double(kMostBytes)) return false;
  expect_right(Given(s.M, s.N, s.K, 1, 2),
               {which == 0 ? ld : cols_of_A, which == 1 ? ld : cols_of_B, which == 2 ? ld : s.N});
  return true;
}

// The same with NaN in every second row of A and infinity in every third column of B. A lesson that multiplies pieces of
// its inputs computes such results separately.
void expect_nonfinite_right_if_far(int which, const Shape& s, int64_t ld) {
  Given g(s.M, s.N, s.K, 1, 2);
  for (int row = 0; row < s.M; row += 2) g.a(row, row % s.K) = Input(NAN);
  for (int col = 0; col < s.N; col += 3) g.b(s.K - 1, col) = Input(INFINITY);
  expect_right(g, {which == 0 ? ld : s.K, which == 1 ? ld : s.N, which == 2 ? ld : s.N});
}

// For every power of two d up to the tiles' sizes, d rows reach beyond 2^31 elements and 2 d rows beyond 2^32. So a product
// of any number of rows with the stride must have 64 bits. Tests ragged sizes, sizes that fit vectors, and the largest
// whole tiles that there are addresses for.
void test_far_rows(int which) {
  for (int d = 1; d <= std::max(BM, 4 * BK); d *= 2) {
    const int rows = 2 * d + 1, even = 2 * d + 8;
    const bool deep = rows_along_K(which), wide = which == 1 && !deep;
    const Shape odd = deep ? Shape{3, 5, rows} : wide ? Shape{3, rows, 5} : Shape{rows, 5, 3};
    expect_right_if_far(which, odd, kFar / d + 1);
    expect_right_if_far(which,
                        deep   ? Shape{5, 8, even}
                        : wide ? Shape{5, rows, 8}
                               : Shape{rows, 8, 8},
                        kFar / d + 8);
  }
  for (int d = 1; d <= 2 * std::max(BM, BK); d *= 2) {
    const int64_t ld = (int64_t(1) << 31) / d + 8;
    expect_right_if_far(which, {rows_along_K(which) ? BM : 2 * BM, BN, 3 * BK}, ld) ||
        expect_right_if_far(which, {BM, BN, 3 * BK}, ld) ||
        expect_right_if_far(which, {BM, BN, BK}, ld);
  }
  if (kPlans && which > 0) {  // the parts of a split K in B, and their sums in C
    expect_right_if_far(which, kParts, kFar / (which == 1 ? kParts.K : kParts.M) * 2 + 8);
  }
  if (kPieces) expect_nonfinite_right_if_far(which, {9, 10, 11}, kFar / 8 + 8);
  // A stride that needs 33 bits itself. Two rows keep the matrix below 26 GB.
  expect_right_if_far(which, {2, 3, 2}, 2 * kFar + 1);
  expect_right_if_far(which, {2, 8, 8}, 2 * kFar + 8);
}

}  // namespace

TEST_CASE("row strides that need 64-bit offsets", "[values][wide]") {
  for (int which = 0; which < 3 && !backend::is_gpu(); ++which) {
    test_far_rows(which);
  }
}

// A has more than 2^31 elements in rows that do not fit vectors, so a lesson that copies A must count in 64 bits. All but
// two diagonals are 0, so that the host need not fill A or multiply by it. This case must run before the next one:
// reserve() keeps that one's memory, and lesson 15 allocates 13 GB itself here.
TEST_CASE("more than 2^31 elements, on a GPU", "[.huge]") {
  constexpr int kM = 36000, kK = 60001, kSecond = 24000;
  if (!backend::is_gpu()) return;
  const FarMatrix<Input> A(kM, kK, kK);
  if (A.data() == nullptr) {
    warn_of_too_little_memory(A.bytes());
    return;
  }
  CUDA_CHECK(cudaMemset(A.data(), 0, A.bytes()));
  // An equal problem with K = 2: the elements of each diagonal times those of B.
  Given products(kM, 1, 2, 1, 2);
  const Inputs inputs(Mode::kExact, 4, 7);
  std::vector<Input> diagonal(kM), b(kK);
  for (int k = 0; k < kK; ++k) b[k] = inputs.b<Input>(k, 0);
  for (const int which : {0, 1}) {
    for (int row = 0; row < kM; ++row) {
      diagonal[row] = inputs.a<Input>(row, which);
      products.a(row, which) = Input(widen(diagonal[row]) * widen(b[row + which * kSecond]));
    }
    products.b(which, 0) = Input(1);
    CUDA_CHECK(cudaMemcpy2D(A.data() + int64_t(which) * kSecond, (kK + 1) * sizeof(Input),
                            diagonal.data(), sizeof(Input), sizeof(Input), kM,
                            cudaMemcpyHostToDevice));
  }
  const DeviceBuffer B(b.size() * sizeof(Input)), C(kM * sizeof(Output));
  const auto column = static_cast<Output*>(C.data());
  CUDA_CHECK(cudaMemcpy(B.data(), b.data(), B.bytes(), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(column, &products.c(0, 0), C.bytes(), cudaMemcpyHostToDevice));
  products.call({kM, 1, kK, products.alpha, A.data(), kK, static_cast<const Input*>(B.data()),
                 kScaled ? kK : 1, products.beta, column, 1});
  std::vector<Output> results(kM);
  CUDA_CHECK(cudaMemcpy(results.data(), column, C.bytes(), cudaMemcpyDeviceToHost));
  products.expect_right(results);
}

// Takes most of the device's memory.
TEST_CASE("row strides that need 64-bit offsets, on a GPU", "[.huge]") {
  for (int which = 0; which < 3 && backend::is_gpu(); ++which) {
    test_far_rows(which);
  }
}
