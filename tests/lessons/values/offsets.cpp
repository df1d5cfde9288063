// Offsets that fit into no 32 bits: rows so far apart that a few of them reach beyond 2^31 and 2^32
// elements. On the CPU backend this memory is reserved and touched only where elements are.
#include <algorithm>

#include "tests/lessons/values/given.h"

namespace {

// 1.5 times 2^31: twice as much is beyond 2^32, and neither is near 0 where 32 bits of it are kept.
constexpr int64_t kFar = int64_t(3) << 30;
constexpr int64_t kMostBytes = int64_t(1) << 39;  // of one matrix

// A matrix of which only the elements are touched.
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
    for (int row = 0; row < rows_; ++row) {
      CUDA_CHECK(
          cudaMemcpy(to + row * to_ld, from + row * from_ld, cols_ * sizeof(T), cudaMemcpyDefault));
    }
  }

  int rows_, cols_;
  int64_t ld_;
  T* data_;
};

struct Strides {
  int64_t a, b, c;
};

void no_room(size_t bytes) {
  static bool told = false;
  if (!told) {
    WARN("skipped where it needs " << (bytes >> 30) << " GiB and more: "
                                   << (backend::is_gpu() ? "the GPU has less free memory"
                                                         : "no addresses (ulimit -v, "
                                                           "vm.overcommit_memory)"));
  }
  told = true;
}

void expect_right(Given g, const Strides& ld) {
  const FarMatrix<Input> A(g.shape_of_A().first, g.shape_of_A().second, ld.a), B(g.K, g.N, ld.b);
  const FarMatrix<Output> C(g.M, g.N, ld.c);
  if (A.data() == nullptr || B.data() == nullptr || C.data() == nullptr) {
    no_room(std::max({A.bytes(), B.bytes(), C.bytes()}));
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
  return which == 1 || (which == 0 && takes_transposed_A());
}

// One matrix's rows far apart, the others' as they are.
void expect_right_if_far(int which, const Shape& s, int64_t ld) {
  const int rows = rows_along_K(which) ? s.K : s.M, cols_of_A = shape_of_A(s.M, s.K).second;
  const size_t size = which == 2 ? sizeof(Output) : sizeof(Input);
  if (double(rows - 1) * double(ld) * double(size) < double(kMostBytes)) {
    expect_right(Given(s.M, s.N, s.K, 1, 2),
                 {which == 0 ? ld : cols_of_A, which == 1 ? ld : s.N, which == 2 ? ld : s.N});
  }
}

// A NaN in each row of A and an infinity in each column of B: a lesson that multiplies pieces of its inputs computes
// such results in another way.
void expect_lost_right_if_far(int which, const Shape& s, int64_t ld) {
  Given g(s.M, s.N, s.K, 1, 2);
  for (int row = 0; row < s.M; row += 2) g.a(row, row % s.K) = Input(NAN);
  for (int col = 0; col < s.N; col += 3) g.b(s.K - 1, col) = Input(INFINITY);
  expect_right(g, {which == 0 ? ld : s.K, which == 1 ? ld : s.N, which == 2 ? ld : s.N});
}

// For every power of two d up to the tiles' sizes, rows of which d lie beyond 2^31 and 2 d beyond 2^32:
// whatever number of rows a lesson multiplies with a stride, or steps by, it does so with 64 bits. Sizes
// are ragged, such that vectors fit, and whole tiles as far as there are addresses.
void test_far_rows(int which) {
  for (int d = 1; d <= std::max(BM, 4 * BK); d *= 2) {
    const int rows = 2 * d + 1, even = 2 * d + 8;
    const bool deep = rows_along_K(which);
    expect_right_if_far(which, deep ? Shape{3, 5, rows} : Shape{rows, 5, 3}, kFar / d + 1);
    expect_right_if_far(which, deep ? Shape{5, 8, even} : Shape{rows, 8, 8}, kFar / d + 8);
  }
  for (int d = 1; d <= 2 * std::max(BM, BK); d *= 2) {
    const int64_t ld = (int64_t(1) << 31) / d + 8;
    expect_right_if_far(which, {BM, BN, BK}, ld);
    expect_right_if_far(which, {rows_along_K(which) ? BM : 2 * BM, BN, 3 * BK}, ld);
    expect_right_if_far(which, {BM, BN, 3 * BK}, ld);
  }
  if (kPlans && which == 2) expect_right_if_far(which, kParts, kFar / kParts.M * 2 + 8);
  if (kPieces) expect_lost_right_if_far(which, {9, 10, 11}, kFar / 8 + 8);
  // A stride that needs 33 bits itself.
  expect_right_if_far(which, {3, 3, 3}, 2 * kFar + 1);
  expect_right_if_far(which, {3, 8, 8}, 2 * kFar + 8);
}

}  // namespace

TEST_CASE("rows so far apart that offsets take 64 bits", "[values][wide]") {
  for (int which = 0; which < 3 && !backend::is_gpu(); ++which) {
    test_far_rows(which);
  }
}

// More than 2^31 elements of A, in rows that vectors do not fit: a lesson that copies A counts them in 64 bits. All are 0
// but for two diagonals, so that no host has to fill A or to multiply by it. The first of these cases: reserve() keeps what
// the other takes, and lesson 15 needs 13 GB of its own here.
TEST_CASE("more elements than 32 bits count, on a GPU", "[.huge]") {
  constexpr int kM = 36000, kK = 60001, kSecond = 24000;
  if (!backend::is_gpu()) return;
  const FarMatrix<Input> A(kM, kK, kK);
  if (A.data() == nullptr) {
    no_room(A.bytes());
    return;
  }
  CUDA_CHECK(cudaMemset(A.data(), 0, A.bytes()));
  // As Given sees it: the elements of the diagonals times those of B.
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
    CUDA_CHECK(cudaMemcpy2D(A.data() + which * kSecond, (kK + 1) * sizeof(Input), diagonal.data(),
                            sizeof(Input), sizeof(Input), kM, cudaMemcpyHostToDevice));
  }
  const DeviceBuffer B(b.size() * sizeof(Input)), C(kM * sizeof(Output));
  const auto column = static_cast<Output*>(C.data());
  CUDA_CHECK(cudaMemcpy(B.data(), b.data(), B.bytes(), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(column, &products.c(0, 0), C.bytes(), cudaMemcpyHostToDevice));
  products.call({kM, 1, kK, products.alpha, A.data(), kK, static_cast<const Input*>(B.data()), 1,
                 products.beta, column, 1});
  std::vector<Output> results(kM);
  CUDA_CHECK(cudaMemcpy(results.data(), column, C.bytes(), cudaMemcpyDeviceToHost));
  products.expect_right(results);
}

// Takes the device's memory. Not run unless asked for by its tag.
TEST_CASE("rows so far apart that offsets take 64 bits, on a GPU", "[.huge]") {
  for (int which = 0; which < 3 && backend::is_gpu(); ++which) {
    test_far_rows(which);
  }
}
