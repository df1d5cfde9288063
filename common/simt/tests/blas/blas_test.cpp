// cuBLAS's functions against sums written down plainly.
#include "tests/blas/blas.h"

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

#include <cmath>
#include <complex>
#include <cstring>

#include "tests/catch.h"
#include "tests/device_array.h"

namespace {

struct Handle {
  cublasHandle_t handle = nullptr;
  Handle() { REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS); }
  ~Handle() { cublasDestroy(handle); }
};

double number(size_t i, int seed) {
  return int((i * 7 + size_t(seed)) % 9) - 4;
}
template <typename T>
std::vector<T> numbers(size_t count, int seed) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = T(float(number(i, seed)));
  return values;
}

struct Shape {
  bool turn_a, turn_b;
  int m, n, k, lda, ldb, ldc;
};
const Shape kShapes[] = {{false, false, 5, 7, 3, 6, 3, 5},
                         {true, false, 4, 6, 5, 7, 5, 4},
                         {false, true, 3, 5, 8, 3, 6, 9},
                         {true, true, 6, 2, 4, 4, 3, 6}};

// Element (row, col) of alpha * op(A) * op(B) + beta * C, with the numbers of seeds 1, 2 and 3 from elements on.
double expected(const Shape& s, int row, int col, double alpha, double beta, size_t a, size_t b,
                size_t c) {
  double sum = 0;
  for (int k = 0; k < s.k; ++k) {
    sum += number(a + size_t(s.turn_a ? row * s.lda + k : k * s.lda + row), 1) *
           number(b + size_t(s.turn_b ? k * s.ldb + col : col * s.ldb + k), 2);
  }
  return alpha * sum + beta * number(c + size_t(col * s.ldc + row), 3);
}

template <typename C>
void check_c(const Shape& s, const std::vector<C>& c, double alpha, double beta, size_t at_a = 0,
             size_t at_b = 0, size_t at_c = 0) {
  for (int col = 0; col < s.n; ++col) {
    for (int row = 0; row < s.ldc; ++row) {
      const size_t at = at_c + size_t(col * s.ldc + row);
      // Below the matrix nothing is written.
      const double want =
          row < s.m ? expected(s, row, col, alpha, beta, at_a, at_b, at_c) : number(at, 3);
      INFO(row << ", " << col);
      CHECK(double(float(c[at])) == want);
    }
  }
}

cublasOperation_t op(bool turned) {
  return turned ? CUBLAS_OP_T : CUBLAS_OP_N;
}

template <typename T, typename Function>
void check_gemm(Function function) {
  const Handle h;
  for (const Shape& s : kShapes) {
    DeviceArray<T> a(numbers<T>(100, 1)), b(numbers<T>(100, 2)), c(numbers<T>(100, 3));
    const T alpha = T(2.0f), beta = T(-3.0f);
    CHECK(function(h.handle, op(s.turn_a), op(s.turn_b), s.m, s.n, s.k, &alpha, a.get(), s.lda,
                   b.get(), s.ldb, &beta, c.get(), s.ldc) == CUBLAS_STATUS_SUCCESS);
    check_c(s, c.values(), 2, -3);
  }
}

template <typename T, typename C, typename Scalar>
void check_ex(cudaDataType type, cudaDataType type_c, cublasComputeType_t compute) {
  const Handle h;
  for (const Shape& s : kShapes) {
    DeviceArray<T> a(numbers<T>(100, 1)), b(numbers<T>(100, 2));
    DeviceArray<C> c(numbers<C>(100, 3));
    const Scalar alpha = Scalar(1), beta = Scalar(2);
    CHECK(cublasGemmEx(h.handle, op(s.turn_a), op(s.turn_b), s.m, s.n, s.k, &alpha, a.get(), type,
                       s.lda, b.get(), type, s.ldb, &beta, c.get(), type_c, s.ldc, compute,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
    check_c(s, c.values(), 1, 2);
  }
}

}  // namespace

TEST_CASE("a kernel that is compared with cuBLAS agrees") {
  CHECK(blas::difference(33, 50, 17) >= 0);
  CHECK(blas::difference(33, 50, 17) < 1e-4);
}

TEST_CASE("products of matrices of all types") {
  check_gemm<float>(cublasSgemm);
  check_gemm<double>(cublasDgemm);
  check_gemm<half>(cublasHgemm);
  check_ex<half, half, float>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  check_ex<half, float, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16F);
  check_ex<half, half, half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  check_ex<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
  check_ex<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  check_ex<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  check_ex<signed char, int, int>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
}

TEST_CASE("a product's sums may be named by the type of their numbers") {
  const Handle h;
  DeviceArray<half> a(std::vector<half>{half(3.0f)});
  DeviceArray<float> c(1);
  const float alpha = 2, beta = 0;
  CHECK(cublasGemmEx(h.handle, op(false), op(false), 1, 1, 1, &alpha, a.get(), CUDA_R_16F, 1,
                     a.get(), CUDA_R_16F, 1, &beta, c.get(), CUDA_R_32F, 1, CUDA_R_32F,
                     CUBLAS_GEMM_DEFAULT_TENSOR_OP) == CUBLAS_STATUS_SUCCESS);
  CHECK(c.values()[0] == 18);
}

TEST_CASE("vectors and matrices of the host, with strides") {
  const std::vector<int> from = {1, 2, 3, 4, 5, 6};
  std::vector<int> to(4);
  DeviceArray<int> device(6);
  CHECK(cublasSetVector(3, 4, from.data(), 2, device.get(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetVector(2, 4, device.get(), 2, to.data(), 3) == CUBLAS_STATUS_SUCCESS);
  CHECK(to == std::vector<int>{1, 0, 0, 5});
  CHECK(cublasSetMatrix(2, 2, 4, from.data(), 3, device.get(), 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetMatrix(1, 2, 4, device.get(), 2, to.data(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(to == std::vector<int>{1, 4, 0, 5});
  CHECK(cublasSetMatrix(2, 2, 4, from.data(), 1, device.get(), 2) == CUBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("batches of products") {
  const Handle h;
  const Shape& s = kShapes[1];
  DeviceArray<float> a(numbers<float>(200, 1)), b(numbers<float>(200, 2)),
      c(numbers<float>(200, 3));
  const float alpha = 1, beta = 1;
  CHECK(cublasSgemmStridedBatched(h.handle, CUBLAS_OP_T, CUBLAS_OP_N, s.m, s.n, s.k, &alpha,
                                  a.get(), s.lda, 40, b.get(), s.ldb, 0, &beta, c.get(), s.ldc, 60,
                                  3) == CUBLAS_STATUS_SUCCESS);
  for (size_t i = 0; i < 3; ++i) {
    check_c(s, c.values(), 1, 1, 40 * i, 0, 60 * i);
  }
  CHECK(cublasDgemmStridedBatched(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, nullptr, 1,
                                  0, nullptr, 1, 0, nullptr, nullptr, 1, 0,
                                  1) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasGemmStridedBatchedEx(h.handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &alpha, a.get(),
                                   CUDA_R_32F, 1, 0, b.get(), CUDA_R_32F, 1, 0, &beta, c.get(),
                                   CUDA_R_32F, 1, 0, 0, CUBLAS_COMPUTE_32F,
                                   CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
}

TEST_CASE("vectors") {
  const Handle h;
  DeviceArray<float> a(std::vector<float>{1, 2, 3, 4, 5, 6}),
      x(std::vector<float>{1, 10, 2, 10, 3, 10});
  DeviceArray<float> y(std::vector<float>{1, 1});
  const float alpha = 2, beta = 3;
  CHECK(cublasSgemv(h.handle, CUBLAS_OP_N, 2, 3, &alpha, a.get(), 2, x.get(), 2, &beta, y.get(),
                    1) == CUBLAS_STATUS_SUCCESS);
  CHECK(y.values() == std::vector<float>{2 * (1 + 6 + 15) + 3, 2 * (2 + 8 + 18) + 3});
  DeviceArray<float> turned(3);
  const float zero = 0;
  CHECK(cublasSgemv(h.handle, CUBLAS_OP_T, 2, 3, &alpha, a.get(), 2, x.get(), -4, &zero,
                    turned.get(), 1) == CUBLAS_STATUS_SUCCESS);  // x backwards: 3, 1
  CHECK(turned.values() == std::vector<float>{2 * (3 + 2), 2 * (9 + 4), 2 * (15 + 6)});
  CHECK(cublasSaxpy(h.handle, 3, &alpha, x.get(), 2, turned.get(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(turned.values() == std::vector<float>{12, 30, 48});
  CHECK(cublasSscal(h.handle, 2, &alpha, turned.get(), 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(turned.values() == std::vector<float>{24, 30, 96});
  float result = 0;
  CHECK(cublasSdot(h.handle, 3, x.get(), 2, turned.get(), 1, &result) == CUBLAS_STATUS_SUCCESS);
  CHECK(result == 24 + 60 + 288);
  CHECK(cublasSasum(h.handle, 6, x.get(), 1, &result) == CUBLAS_STATUS_SUCCESS);
  CHECK(result == 36);
  DeviceArray<double> d(std::vector<double>{3, -4}), root(1);
  CHECK(cublasSetPointerMode(h.handle, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasDnrm2(h.handle, 2, d.get(), 1, root.get()) == CUBLAS_STATUS_SUCCESS);
  CHECK(root.values()[0] == 5);
}

TEST_CASE("elements, copies and exchanges of vectors") {
  const Handle h;
  DeviceArray<float> x(std::vector<float>{1, -7, 3, 7, -2, 1}), y(std::vector<float>{4, 5, 6});
  int at = 0;
  CHECK(cublasIsamax(h.handle, 6, x.get(), 1, &at) == CUBLAS_STATUS_SUCCESS);
  CHECK(at == 2);
  CHECK(cublasIsamin(h.handle, 3, x.get() + 1, 2, &at) == CUBLAS_STATUS_SUCCESS);
  CHECK(at == 3);
  CHECK(cublasSswap(h.handle, 3, x.get(), 2, y.get(), -1) == CUBLAS_STATUS_SUCCESS);
  CHECK(x.values() == std::vector<float>{6, -7, 5, 7, 4, 1});
  CHECK(y.values() == std::vector<float>{-2, 3, 1});
  CHECK(cublasScopy(h.handle, 3, y.get(), 1, x.get(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(x.values() == std::vector<float>{-2, 3, 1, 7, 4, 1});
  CHECK(cublasSetAtomicsMode(h.handle, CUBLAS_ATOMICS_ALLOWED) == CUBLAS_STATUS_SUCCESS);
}

TEST_CASE("sums of matrices, and products with diagonals and vectors") {
  const Handle h;
  const int m = 4, n = 3, ld = 5;
  const double alpha = 2, beta = -1;
  const std::vector<double> a = numbers<double>(25, 1), b = numbers<double>(25, 2);
  DeviceArray<double> A(a), B(b), sum(b), scaled(b), outer(b);
  CHECK(cublasDgeam(h.handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &alpha, A.get(), ld, &beta, B.get(),
                    ld, sum.get(), ld) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasDdgmm(h.handle, CUBLAS_SIDE_RIGHT, m, n, A.get(), ld, B.get(), 2, scaled.get(), ld) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(cublasDger(h.handle, m, n, &alpha, A.get(), 1, A.get() + 10, 3, outer.get(), ld) ==
        CUBLAS_STATUS_SUCCESS);
  for (int col = 0; col < n; ++col) {
    for (int row = 0; row < m; ++row) {
      const size_t at = size_t(col * ld + row);
      CHECK(sum.values()[at] == 2 * a[size_t(row * ld + col)] - b[at]);
      CHECK(scaled.values()[at] == a[at] * b[size_t(2 * col)]);
      CHECK(outer.values()[at] == b[at] + 2 * a[size_t(row)] * a[size_t(10 + 3 * col)]);
    }
    CHECK(sum.values()[size_t(col * ld + m)] == b[size_t(col * ld + m)]);
  }
}

TEST_CASE("one triangle of a product with itself") {
  const Handle h;
  const int n = 4, k = 3, ld = 5;
  const float alpha = 2, beta = -1;
  const std::vector<float> a = numbers<float>(25, 1), c = numbers<float>(25, 3);
  for (const bool lower : {true, false}) {
    for (const bool turned : {true, false}) {
      DeviceArray<float> A(a), C(c);
      CHECK(cublasSsyrk(h.handle, lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                        op(turned), n, k, &alpha, A.get(), ld, &beta, C.get(),
                        ld) == CUBLAS_STATUS_SUCCESS);
      for (int at = 0; at < n * ld; ++at) {
        const int row = at % ld, col = at / ld;
        float product = 0;
        for (int i = 0; i < k && row < n; ++i) {
          product += turned ? a[size_t(row * ld + i)] * a[size_t(col * ld + i)]
                            : a[size_t(i * ld + row)] * a[size_t(i * ld + col)];
        }
        const bool inside = row < n && (lower ? row >= col : row <= col);
        CHECK(C.values()[size_t(at)] == (inside ? 2 * product - c[size_t(at)] : c[size_t(at)]));
      }
    }
  }
}

TEST_CASE("triangular systems of equations") {
  const Handle h;
  const int m = 4, n = 3, ld = 5;
  const double alpha = 2;
  std::vector<double> a = numbers<double>(25, 1);
  const std::vector<double> b = numbers<double>(25, 2);
  for (int i = 0; i < ld; ++i) a[size_t(i * ld + i)] = 8;
  for (int choice = 0; choice < 16; ++choice) {
    const bool left = choice & 1, lower = choice & 2, turned = choice & 4, unit = choice & 8;
    DeviceArray<double> A(a), B(b);
    CHECK(cublasDtrsm(h.handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                      lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, op(turned),
                      unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, m, n, &alpha, A.get(), ld,
                      B.get(), ld) == CUBLAS_STATUS_SUCCESS);
    const std::vector<double> x = B.values();
    const auto element = [&](int row, int col) {
      if (turned) std::swap(row, col);
      if (row == col) return unit ? 1.0 : 8.0;
      return (row > col) == lower ? a[size_t(col * ld + row)] : 0.0;
    };
    for (int at = 0; at < n * ld; ++at) {
      const int row = at % ld, col = at / ld;
      if (row >= m) continue;
      double sum = 0;
      for (int k = 0; k < (left ? m : n); ++k) {
        sum += left ? element(row, k) * x[size_t(col * ld + k)]
                    : x[size_t(k * ld + row)] * element(k, col);
      }
      CHECK(std::fabs(sum - 2 * b[size_t(at)]) < 1e-9);
    }
  }
}

TEST_CASE("batches by pointers") {
  const Handle h;
  const Shape& s = kShapes[0];
  const float alpha = 2, beta = -3;
  DeviceArray<float> a(numbers<float>(100, 1)), b(numbers<float>(100, 2)),
      c(numbers<float>(100, 3));
  const std::vector<const float*> from_a{a.get(), a.get() + 9}, from_b{b.get(), b.get() + 18};
  const std::vector<float*> to{c.get(), c.get() + 45};
  DeviceArray<const float*> pointers_a(from_a), pointers_b(from_b);
  DeviceArray<float*> pointers_c(to);
  CHECK(cublasSgemmBatched(h.handle, CUBLAS_OP_N, CUBLAS_OP_N, s.m, s.n, s.k, &alpha,
                           pointers_a.get(), s.lda, pointers_b.get(), s.ldb, &beta,
                           pointers_c.get(), s.ldc, 2) == CUBLAS_STATUS_SUCCESS);
  check_c(s, c.values(), 2, -3);
  check_c(s, c.values(), 2, -3, 9, 18, 45);
  CHECK(cublasGemmBatchedEx(h.handle, CUBLAS_OP_N, CUBLAS_OP_N, s.m, s.n, s.k, &alpha,
                            reinterpret_cast<const void* const*>(from_a.data()), CUDA_R_32F, s.lda,
                            reinterpret_cast<const void* const*>(from_b.data()), CUDA_R_32F, s.ldb,
                            &beta, reinterpret_cast<void* const*>(to.data()), CUDA_R_32F, s.ldc, 2,
                            CUBLAS_COMPUTE_32F,
                            CUBLAS_GEMM_ALGO2) == CUBLAS_STATUS_EXECUTION_FAILED);
}

TEST_CASE("triangular systems by pointers") {
  const Handle h;
  const float alpha = 1;
  DeviceArray<float> a(std::vector<float>{2, 1, 9, 4}), b(std::vector<float>{2, 9, 4, 10});
  DeviceArray<const float*> pointers_a(std::vector<const float*>{a.get(), a.get()});
  DeviceArray<float*> pointers_b(std::vector<float*>{b.get(), b.get() + 2});
  CHECK(cublasStrsmBatched(h.handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                           CUBLAS_DIAG_NON_UNIT, 2, 1, &alpha, pointers_a.get(), 2,
                           pointers_b.get(), 2, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(b.values() == std::vector<float>{1, 2, 2, 2});
}

TEST_CASE("products of complex numbers") {
  const Handle h;
  const int m = 2, n = 3, k = 4, ld = 5;
  const std::vector<double> a = numbers<double>(50, 1), b = numbers<double>(50, 2),
                            c = numbers<double>(50, 3);
  using Complex = std::complex<double>;
  const auto at = [](const std::vector<double>& v, int i) {
    return Complex(v[size_t(2 * i)], v[size_t(2 * i + 1)]);
  };
  DeviceArray<double> A(a), B(b), C(c);
  const auto numbers_of = [](const DeviceArray<double>& array) {
    return reinterpret_cast<double2*>(array.get());
  };
  const double2 alpha = {2, 1}, beta = {0, -1};
  CHECK(cublasZgemm(h.handle, CUBLAS_OP_C, CUBLAS_OP_T, m, n, k, &alpha, numbers_of(A), ld,
                    numbers_of(B), ld, &beta, numbers_of(C), ld) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < n * ld; ++i) {
    const int row = i % ld, col = i / ld;
    Complex sum = 0;
    for (int x = 0; x < k && row < m; ++x) {
      sum += std::conj(at(a, row * ld + x)) * at(b, x * ld + col);
    }
    const Complex want = row < m ? Complex(2, 1) * sum + Complex(0, -1) * at(c, i) : at(c, i);
    CHECK(at(C.values(), i) == want);
  }
  double2 dotted = {};
  CHECK(cublasZdotc(h.handle, 3, numbers_of(A), 2, numbers_of(B), -1, &dotted) ==
        CUBLAS_STATUS_SUCCESS);
  Complex want = 0;
  for (int i = 0; i < 3; ++i) want += std::conj(at(a, 2 * i)) * at(b, 2 - i);
  CHECK(Complex(dotted.x, dotted.y) == want);
}

TEST_CASE("what cuBLAS refuses") {
  cublasHandle_t none = nullptr;
  int version = 0;
  cublasMath_t math;
  cudaStream_t stream;
  CHECK(cublasCreate(nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasDestroy(none) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasSetStream(none, nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  const Handle h;
  CHECK(cublasSetStream(h.handle, nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK((cublasGetStream(h.handle, &stream) == CUBLAS_STATUS_SUCCESS && stream == nullptr));
  CHECK(cublasSetMathMode(h.handle, CUBLAS_TF32_TENSOR_OP_MATH) == CUBLAS_STATUS_SUCCESS);
  CHECK((cublasGetMathMode(h.handle, &math) == CUBLAS_STATUS_SUCCESS &&
         math == CUBLAS_TF32_TENSOR_OP_MATH));
  CHECK((cublasGetVersion(h.handle, &version) == CUBLAS_STATUS_SUCCESS && version >= 120000));
  CHECK(cublasSetWorkspace(h.handle, nullptr, 0) == CUBLAS_STATUS_SUCCESS);
  cublasPointerMode_t mode;
  CHECK((cublasGetPointerMode(h.handle, &mode) == CUBLAS_STATUS_SUCCESS &&
         mode == CUBLAS_POINTER_MODE_HOST));
  CHECK(std::string(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE)) ==
        "CUBLAS_STATUS_INVALID_VALUE");
  CHECK(std::string(cublasGetStatusString(CUBLAS_STATUS_SUCCESS)) == "success");
  DeviceArray<float> a(numbers<float>(16, 1)), c(16);
  std::vector<float> host(16);
  const float one = 1, zero = 0;
  const auto multiply = [&](int n, int lda, const float* from, const float* beta) {
    return cublasSgemm(h.handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, n, 4, &one, from, lda, a.get(), 4,
                       beta, c.get(), 4);
  };
  CHECK(multiply(-1, 4, a.get(), &zero) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(multiply(4, 3, a.get(), &zero) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(multiply(4, 4, a.get(), &one) == CUBLAS_STATUS_EXECUTION_FAILED);  // C has no values
  CHECK(multiply(4, 5, a.get(), &zero) == CUBLAS_STATUS_EXECUTION_FAILED);  // A is too small
  CHECK(multiply(4, 4, host.data(), &zero) == CUBLAS_STATUS_EXECUTION_FAILED);  // not of the device
  CHECK(multiply(0, 4, nullptr, &zero) == CUBLAS_STATUS_SUCCESS);
  CHECK(multiply(4, 4, a.get(), &zero) == CUBLAS_STATUS_SUCCESS);
  CHECK(multiply(4, 4, a.get(), &one) == CUBLAS_STATUS_SUCCESS);
}
