// Products of complex numbers. An operand is read as its real numbers, which lie in pairs.
#include <complex>

#include "blas/operands.h"

namespace simt {
namespace {

using Complex = std::complex<double>;

template <typename T>
Operand pairs_of(const void* data, int64_t rows, int64_t cols, int64_t stride) {
  return {data, kType<T>, 2 * rows, cols, 2 * stride};
}

std::vector<Complex> read_pairs(const Operand& operand) {
  const std::vector<double> parts = read<double>(operand);
  std::vector<Complex> values(parts.size() / 2);
  for (size_t i = 0; i < values.size(); ++i) values[i] = {parts[2 * i], parts[2 * i + 1]};
  return values;
}

void write_pairs(const Operand& operand, const std::vector<Complex>& values) {
  std::vector<double> parts;
  for (const Complex& each : values) parts.insert(parts.end(), {each.real(), each.imag()});
  write(operand, parts);
}

// op(X) of a matrix with these columns.
struct Turned {
  std::vector<Complex> values;
  int64_t rows;  // as they lie in memory
  cublasOperation_t op;
  Complex at(int64_t row, int64_t col) const {
    const Complex value = values[size_t(op == CUBLAS_OP_N ? col * rows + row : row * rows + col)];
    return op == CUBLAS_OP_C ? std::conj(value) : value;
  }
};

// A number of the host, of two T.
template <typename T>
Complex value_of(const void* number) {
  return {static_cast<const T*>(number)[0], static_cast<const T*>(number)[1]};
}

// T: the type of the real numbers.
template <typename T>
cublasStatus_t gemm(const char* name, cublasHandle_t handle, cublasOperation_t op_a,
                    cublasOperation_t op_b, int m, int n, int k, const void* alpha, const void* a,
                    int lda, const void* b, int ldb, const void* beta, void* c, int ldc) {
  const int64_t rows_a = op_a == CUBLAS_OP_N ? m : k, rows_b = op_b == CUBLAS_OP_N ? k : n;
  const bool valid = m >= 0 && n >= 0 && k >= 0 && lda >= std::max<int64_t>(rows_a, 1) &&
                     ldb >= std::max<int64_t>(rows_b, 1) && ldc >= std::max(m, 1) &&
                     alpha != nullptr && beta != nullptr;
  return with_memory(handle, valid, [&] {
    if (m == 0 || n == 0) return true;
    const Complex factor = value_of<T>(alpha), old_factor = value_of<T>(beta);
    const Operand left = pairs_of<T>(a, rows_a, op_a == CUBLAS_OP_N ? k : m, lda);
    const Operand right = pairs_of<T>(b, rows_b, op_b == CUBLAS_OP_N ? n : k, ldb);
    const Operand to = pairs_of<T>(c, m, n, ldc);
    if ((k > 0 && !(is_usable(name, "A", left, true) && is_usable(name, "B", right, true))) ||
        !is_usable(name, "C", to, old_factor != 0.0))
      return false;
    std::vector<Complex> sums(size_t(m) * size_t(n), 0);
    if (old_factor != 0.0) sums = read_pairs(to);
    const Turned x{k > 0 ? read_pairs(left) : sums, rows_a, op_a};
    const Turned y{k > 0 ? read_pairs(right) : sums, rows_b, op_b};
    for (size_t i = 0; i < sums.size(); ++i) {
      Complex sum = 0;
      for (int at = 0; at < k; ++at) {
        sum += x.at(int64_t(i) % m, at) * y.at(at, int64_t(i) / m);
      }
      sums[i] = factor * sum + (old_factor != 0.0 ? old_factor * sums[i] : 0.0);
    }
    write_pairs(to, sums);
    return true;
  });
}

template <typename T>
cublasStatus_t dot(const char* name, cublasHandle_t handle, int n, const void* x, int incx,
                   const void* y, int incy, void* result, bool conjugates) {
  return with_memory(handle, result != nullptr && incx != 0 && incy != 0, [&] {
    const Operand to = pairs_of<T>(result, 1, 1, 1);
    const bool host = handle->pointers == CUBLAS_POINTER_MODE_HOST;
    const Operand left = pairs_of<T>(x, 1, n, std::abs(incx)),
                  right = pairs_of<T>(y, 1, n, std::abs(incy));
    if ((n > 0 && !(is_usable(name, "x", left, true) && is_usable(name, "y", right, true))) ||
        (!host && !is_usable(name, "the result", to, false)))
      return false;
    Complex sum = 0;
    if (n > 0) {
      std::vector<Complex> v = read_pairs(left), w = read_pairs(right);
      if ((incx < 0) != (incy < 0)) std::reverse(w.begin(), w.end());
      for (size_t i = 0; i < v.size(); ++i) sum += (conjugates ? std::conj(v[i]) : v[i]) * w[i];
    }
    if (host) {
      static_cast<T*>(result)[0] = T(sum.real());
      static_cast<T*>(result)[1] = T(sum.imag());
    } else {
      write_pairs(to, {sum});
    }
    return true;
  });
}

}  // namespace
}  // namespace simt

#define SIMT_COMPLEX(letter, T, Number)                                                            \
  cublasStatus_t cublas##letter##gemm(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const Number* alpha, const Number* a, int lda, const Number* b, int ldb, const Number* beta, \
      Number* c, int ldc) {                                                                        \
    return simt::gemm<T>(__func__, handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c,    \
                         ldc);                                                                     \
  }                                                                                                \
  cublasStatus_t cublas##letter##dotc(cublasHandle_t handle, int n, const Number* x, int incx,     \
                                      const Number* y, int incy, Number* result) {                 \
    return simt::dot<T>(__func__, handle, n, x, incx, y, incy, result, true);                      \
  }                                                                                                \
  cublasStatus_t cublas##letter##dotu(cublasHandle_t handle, int n, const Number* x, int incx,     \
                                      const Number* y, int incy, Number* result) {                 \
    return simt::dot<T>(__func__, handle, n, x, incx, y, incy, result, false);                     \
  }
SIMT_COMPLEX(C, float, float2)
SIMT_COMPLEX(Z, double, double2)
