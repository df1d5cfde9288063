// Sums of matrices, and products with diagonal and triangular ones. Computed in double and rounded once.
#include "blas/operands.h"
#include "host/host.h"

namespace simt {
namespace {

template <typename T>
Operand matrix_of(const T* data, int64_t rows, int64_t cols, int ld) {
  return {data, kType<T>, rows, cols, ld};
}

// A triangle of an n x n matrix, as the part of each column that belongs to it.
template <typename T>
struct Triangle {
  const T* data;
  int n, ld;
  bool lower;

  Operand part(int col) const {
    const int first = lower ? col : 0, rows = lower ? n - col : col + 1;
    return matrix_of(data + int64_t(col) * ld + first, rows, 1, ld);
  }
  bool is_usable(const char* function, const char* name, bool reads) const {
    bool usable = true;
    for (int col = 0; col < n && usable; ++col) {
      usable = simt::is_usable(function, name, part(col), reads);
    }
    return usable;
  }
  // n x n values, with zeros in the other triangle.
  std::vector<double> values() const {
    std::vector<double> all(size_t(n) * size_t(n), 0);
    for (int col = 0; col < n; ++col) {
      const std::vector<double> column = read<double>(part(col));
      std::copy(column.begin(), column.end(), all.begin() + int64_t(col) * n + (lower ? col : 0));
    }
    return all;
  }
};

template <typename T>
cublasStatus_t geam(const char* name, cublasHandle_t handle, cublasOperation_t op_a,
                    cublasOperation_t op_b, int m, int n, const T* alpha, const T* a, int lda,
                    const T* beta, const T* b, int ldb, T* c, int ldc) {
  const bool turn_a = op_a != CUBLAS_OP_N, turn_b = op_b != CUBLAS_OP_N;
  const bool valid = m >= 0 && n >= 0 && lda >= (turn_a ? n : m) && ldb >= (turn_b ? n : m) &&
                     ldc >= m && alpha != nullptr && beta != nullptr;
  return with_memory(handle, valid, [&] {
    if (m == 0 || n == 0) return true;
    const Operand from_a = matrix_of(a, turn_a ? n : m, turn_a ? m : n, lda);
    const Operand from_b = matrix_of(b, turn_b ? n : m, turn_b ? m : n, ldb);
    const Operand to = matrix_of(c, m, n, ldc);
    const double factor_a = *alpha, factor_b = *beta;
    if ((factor_a != 0 && !is_usable(name, "A", from_a, true)) ||
        (factor_b != 0 && !is_usable(name, "B", from_b, true)) || !is_usable(name, "C", to, false))
      return false;
    std::vector<double> sums(size_t(m) * size_t(n), 0);
    const auto add = [&](double factor, const Operand& from, bool turned) {
      if (factor == 0) return;
      const std::vector<double> values = read<double>(from, turned);
      for (size_t i = 0; i < sums.size(); ++i) sums[i] += factor * values[i];
    };
    add(factor_a, from_a, turn_a);
    add(factor_b, from_b, turn_b);
    write(to, sums);
    return true;
  });
}

template <typename T>
cublasStatus_t dgmm(const char* name, cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                    const T* a, int lda, const T* x, int incx, T* c, int ldc) {
  return with_memory(handle, m >= 0 && n >= 0 && lda >= m && ldc >= m, [&] {
    if (m == 0 || n == 0) return true;
    const bool left = side == CUBLAS_SIDE_LEFT;
    const Operand from = matrix_of(a, m, n, lda), to = matrix_of(c, m, n, ldc);
    const Vector<T> diagonal(x, left ? m : n, incx);
    if (!is_usable(name, "A", from, true) || !is_usable(name, "x", diagonal.operand, true) ||
        !is_usable(name, "C", to, false))
      return false;
    std::vector<double> values = read<double>(from);
    const std::vector<double> factors = diagonal.values();
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] *= factors[left ? i % size_t(m) : i / size_t(m)];
    }
    write(to, values);
    return true;
  });
}

template <typename T>
cublasStatus_t ger(const char* name, cublasHandle_t handle, int m, int n, const T* alpha,
                   const T* x, int incx, const T* y, int incy, T* a, int lda) {
  const bool valid =
      m >= 0 && n >= 0 && incx != 0 && incy != 0 && lda >= std::max(m, 1) && alpha != nullptr;
  return with_memory(handle, valid, [&] {
    if (m == 0 || n == 0) return true;
    const Operand matrix = matrix_of(a, m, n, lda);
    const Vector<T> left(x, m, incx), right(y, n, incy);
    if (!is_usable(name, "A", matrix, true) || !is_usable(name, "x", left.operand, true) ||
        !is_usable(name, "y", right.operand, true))
      return false;
    std::vector<double> sums = read<double>(matrix);
    const std::vector<double> v = left.values(), w = right.values();
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i] += double(*alpha) * v[i % size_t(m)] * w[i / size_t(m)];
    }
    write(matrix, sums);
    return true;
  });
}

template <typename T>
cublasStatus_t syrk(const char* name, cublasHandle_t handle, cublasFillMode_t triangle,
                    cublasOperation_t op, int n, int k, const T* alpha, const T* a, int lda,
                    const T* beta, T* c, int ldc) {
  const bool turned = op != CUBLAS_OP_N;
  const bool valid = n >= 0 && k >= 0 && lda >= std::max(turned ? k : n, 1) &&
                     ldc >= std::max(n, 1) && alpha != nullptr && beta != nullptr;
  return with_memory(handle, valid, [&] {
    const Operand from = matrix_of(a, turned ? k : n, turned ? n : k, lda);
    const Triangle<T> to{c, n, ldc, triangle == CUBLAS_FILL_MODE_LOWER};
    const double factor = *alpha, old_factor = *beta;
    const bool multiplies = factor != 0 && k > 0;
    if ((multiplies && !is_usable(name, "A", from, true)) ||
        !to.is_usable(name, "C", old_factor != 0))
      return false;
    const std::vector<double> rows =
        multiplies ? read<double>(from, !turned) : std::vector<double>();  // row after row of op(A)
    for (int col = 0; col < n; ++col) {
      const Operand part = to.part(col);
      std::vector<double> sums(size_t(part.rows), 0);
      if (old_factor != 0) sums = read<double>(part);
      for (size_t i = 0; i < sums.size(); ++i) {
        const double* const row = rows.data() + (int64_t(i) + (to.lower ? col : 0)) * k;
        double sum = 0;
        for (int at = 0; multiplies && at < k; ++at)
          sum += row[at] * rows[size_t(col) * size_t(k) + size_t(at)];
        sums[i] = factor * sum + old_factor * sums[i];
      }
      write(part, sums);
    }
    return true;
  });
}

// Solves op(A) * x = x in place. The elements of x lie `step` apart. lower: op(A) is a lower triangle.
void solve(const std::vector<double>& a, int n, bool turned, bool lower, bool unit, double* x,
           int64_t step) {
  const auto element = [&](int64_t row, int64_t col) {
    return a[size_t(turned ? row * n + col : col * n + row)];
  };
  for (int done = 0; done < n; ++done) {
    const int row = lower ? done : n - 1 - done;
    double rest = x[row * step];
    for (int i = 0; i < done; ++i) {
      const int col = lower ? i : n - 1 - i;
      rest -= element(row, col) * x[col * step];
    }
    x[row * step] = unit ? rest : rest / element(row, row);
  }
}

template <typename T>
cublasStatus_t trsm(const char* name, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t triangle, cublasOperation_t op, cublasDiagType_t diagonal,
                    int m, int n, const T* alpha, const T* a, int lda, T* b, int ldb) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int size = left ? m : n;
  const bool valid =
      m >= 0 && n >= 0 && lda >= std::max(size, 1) && ldb >= std::max(m, 1) && alpha != nullptr;
  return with_memory(handle, valid, [&] {
    if (m == 0 || n == 0) return true;
    const Triangle<T> from{a, size, lda, triangle == CUBLAS_FILL_MODE_LOWER};
    const Operand to = matrix_of(b, m, n, ldb);
    if (!from.is_usable(name, "A", true) || !is_usable(name, "B", to, true)) return false;
    const std::vector<double> values = from.values();
    std::vector<double> x = read<double>(to);
    for (double& each : x) each *= double(*alpha);
    // X * op(A) = B is op(A)' * X' = B'.
    const bool turned = (op != CUBLAS_OP_N) == left;
    for (int i = 0; i < (left ? n : m); ++i) {
      solve(values, size, turned, from.lower != turned, diagonal == CUBLAS_DIAG_UNIT,
            x.data() + (left ? int64_t(i) * m : i), left ? 1 : m);
    }
    write(to, x);
    return true;
  });
}

template <typename T>
cublasStatus_t trsm_batched(const char* name, cublasHandle_t handle, cublasSideMode_t side,
                            cublasFillMode_t triangle, cublasOperation_t op,
                            cublasDiagType_t diagonal, int m, int n, const T* alpha,
                            const T* const* a, int lda, T* const* b, int ldb, int count) {
  const OpenMemory open;
  if (count > 0 && !(is_usable(name, "the array of A", pointers_of(a, count), true) &&
                     is_usable(name, "the array of B", pointers_of(b, count), true))) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i) {
    status = trsm(name, handle, side, triangle, op, diagonal, m, n, alpha, a[i], lda, b[i], ldb);
  }
  return status;
}

}  // namespace
}  // namespace simt

#define SIMT_MATRICES(letter, T)                                                                   \
  cublasStatus_t cublas##letter##geam(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,         \
      const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {    \
    return simt::geam(__func__, handle, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);    \
  }                                                                                                \
  cublasStatus_t cublas##letter##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,  \
                                      const T* a, int lda, const T* x, int incx, T* c, int ldc) {  \
    return simt::dgmm(__func__, handle, side, m, n, a, lda, x, incx, c, ldc);                      \
  }                                                                                                \
  cublasStatus_t cublas##letter##ger(cublasHandle_t handle, int m, int n, const T* alpha,          \
                                     const T* x, int incx, const T* y, int incy, T* a, int lda) {  \
    return simt::ger(__func__, handle, m, n, alpha, x, incx, y, incy, a, lda);                     \
  }                                                                                                \
  cublasStatus_t cublas##letter##syrk(cublasHandle_t handle, cublasFillMode_t triangle,            \
                                      cublasOperation_t op, int n, int k, const T* alpha,          \
                                      const T* a, int lda, const T* beta, T* c, int ldc) {         \
    return simt::syrk(__func__, handle, triangle, op, n, k, alpha, a, lda, beta, c, ldc);          \
  }                                                                                                \
  cublasStatus_t cublas##letter##trsm(cublasHandle_t handle, cublasSideMode_t side,                \
                                      cublasFillMode_t triangle, cublasOperation_t op,             \
                                      cublasDiagType_t diagonal, int m, int n, const T* alpha,     \
                                      const T* a, int lda, T* b, int ldb) {                        \
    return simt::trsm(__func__, handle, side, triangle, op, diagonal, m, n, alpha, a, lda, b,      \
                      ldb);                                                                        \
  }                                                                                                \
  cublasStatus_t cublas##letter##trsmBatched(                                                      \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t triangle,                     \
      cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* alpha,               \
      const T* const a[], int lda, T* const b[], int ldb, int count) {                             \
    return simt::trsm_batched(__func__, handle, side, triangle, op, diagonal, m, n, alpha, a, lda, \
                              b, ldb, count);                                                      \
  }
SIMT_MATRICES(S, float)
SIMT_MATRICES(D, double)
