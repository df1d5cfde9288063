// Products with vectors, and sums. Sums are formed in double and rounded once.
#include <algorithm>
#include <cmath>

#include "blas/operands.h"

namespace simt {
namespace {

// A single result, to the host or to the device.
template <typename T>
bool give(const char* function, cublasHandle_t handle, T* result, double value) {
  const Operand to{result, kType<T>, 1, 1, 1};
  if (handle->pointers == CUBLAS_POINTER_MODE_HOST) {
    *result = T(value);
    return true;
  }
  if (!is_usable(function, "the result", to, false)) {
    return false;
  }
  write(to, std::vector<double>{value});
  return true;
}

template <typename T>
cublasStatus_t gemv(const char* name, cublasHandle_t handle, cublasOperation_t op, int m, int n,
                    const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
  const bool turned = op != CUBLAS_OP_N, valid = m >= 0 && n >= 0 && lda >= std::max(m, 1) &&
                                                 incx != 0 && incy != 0 && alpha != nullptr &&
                                                 beta != nullptr;
  return with_memory(handle, valid, [&] {
    const int64_t rows = turned ? n : m, depth = turned ? m : n;
    if (m == 0 || n == 0) return true;
    const Operand matrix{a, kType<T>, m, n, lda};
    const Vector<T> from(x, depth, incx), to(y, rows, incy);
    const double factor = *alpha, old_factor = *beta;
    if (!is_usable(name, "A", matrix, true) || !is_usable(name, "x", from.operand, true) ||
        !is_usable(name, "y", to.operand, old_factor != 0)) {
      return false;
    }
    const std::vector<double> values = read<double>(matrix, turned), v = from.values();
    std::vector<double> sums(size_t(rows), 0), old = old_factor != 0 ? to.values() : sums;
    for (int64_t k = 0; k < depth; ++k) {
      for (int64_t row = 0; row < rows; ++row) {
        sums[size_t(row)] += values[size_t(k * rows + row)] * v[size_t(k)];
      }
    }
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i] = factor * sums[i] + (old_factor != 0 ? old_factor * old[i] : 0);
    }
    to.set(sums);
    return true;
  });
}

template <typename T>
cublasStatus_t axpy(const char* name, cublasHandle_t handle, int n, const T* alpha, const T* x,
                    int incx, T* y, int incy) {
  return with_memory(handle, alpha != nullptr && incx != 0 && incy != 0, [&] {
    const Vector<T> from(x, n, incx), to(y, n, incy);
    if (n <= 0) return true;
    if (!is_usable(name, "x", from.operand, true) || !is_usable(name, "y", to.operand, true))
      return false;
    const std::vector<double> v = from.values();
    std::vector<double> sums = to.values();
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += double(*alpha) * v[i];
    to.set(sums);
    return true;
  });
}

template <typename T>
cublasStatus_t scal(const char* name, cublasHandle_t handle, int n, const T* alpha, T* x,
                    int incx) {
  return with_memory(handle, alpha != nullptr, [&] {
    const Vector<T> vector(x, n, incx);
    if (n <= 0 || incx <= 0) return true;
    if (!is_usable(name, "x", vector.operand, true)) return false;
    std::vector<double> values = vector.values();
    for (double& v : values) v *= double(*alpha);
    vector.set(values);
    return true;
  });
}

// A sum over x, and y where there is one.
template <typename T, typename Term>
cublasStatus_t sum(const char* name, cublasHandle_t handle, int n, const T* x, int incx, const T* y,
                   int incy, T* result, bool root, Term term) {
  return with_memory(handle, result != nullptr, [&] {
    double total = 0;
    if (n > 0) {
      const Vector<T> a(x, n, incx), b(y, n, incy);
      if (!is_usable(name, "x", a.operand, true) || !is_usable(name, "y", b.operand, true))
        return false;
      const std::vector<double> v = a.values(), w = b.values();
      for (size_t i = 0; i < v.size(); ++i) total += term(v[i], w[i]);
    }
    return give(name, handle, result, root ? std::sqrt(total) : total);
  });
}

template <typename T>
cublasStatus_t copy(const char* name, cublasHandle_t handle, int n, const T* x, int incx, T* y,
                    int incy, bool swaps) {
  return with_memory(handle, incx != 0 && incy != 0, [&] {
    const Vector<T> from(x, n, incx), to(y, n, incy);
    if (n <= 0) return true;
    if (!is_usable(name, "x", from.operand, true) || !is_usable(name, "y", to.operand, swaps))
      return false;
    const std::vector<double> old = swaps ? to.values() : std::vector<double>();
    to.set(from.values());
    if (swaps) from.set(old);
    return true;
  });
}

// The number, from 1 on, of the first element whose size is the largest, or the smallest.
template <typename T>
cublasStatus_t extreme(const char* name, cublasHandle_t handle, int n, const T* x, int incx,
                       int* result, bool least) {
  return with_memory(handle, result != nullptr, [&] {
    const Vector<T> vector(x, n, incx);
    int64_t at = 0;
    if (n > 0 && incx > 0) {
      if (!is_usable(name, "x", vector.operand, true)) return false;
      const std::vector<double> values = vector.values();
      const auto smaller = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
      at = 1 +
           (least ? std::min_element(values.begin(), values.end(), smaller)
                  : std::max_element(values.begin(), values.end(), smaller)) -
           values.begin();
    }
    return give(name, handle, result, double(at));
  });
}

}  // namespace
}  // namespace simt

#define SIMT_VECTORS(letter, small, T)                                                           \
  cublasStatus_t cublas##letter##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, \
                                      const T* alpha, const T* a, int lda, const T* x, int incx, \
                                      const T* beta, T* y, int incy) {                           \
    return simt::gemv(__func__, handle, op, m, n, alpha, a, lda, x, incx, beta, y, incy);        \
  }                                                                                              \
  cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,  \
                                      int incx, T* y, int incy) {                                \
    return simt::axpy(__func__, handle, n, alpha, x, incx, y, incy);                             \
  }                                                                                              \
  cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const T* alpha, T* x,        \
                                      int incx) {                                                \
    return simt::scal(__func__, handle, n, alpha, x, incx);                                      \
  }                                                                                              \
  cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const T* x, int incx,         \
                                     const T* y, int incy, T* result) {                          \
    return simt::sum(__func__, handle, n, x, incx, y, incy, result, false,                       \
                     [](double a, double b) { return a * b; });                                  \
  }                                                                                              \
  cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const T* x, int incx,        \
                                      T* result) {                                               \
    return simt::sum(__func__, handle, n, x, incx, x, incx, result, true,                        \
                     [](double a, double b) { return a * b; });                                  \
  }                                                                                              \
  cublasStatus_t cublas##letter##asum(cublasHandle_t handle, int n, const T* x, int incx,        \
                                      T* result) {                                               \
    return simt::sum(__func__, handle, n, x, incx, x, incx, result, false,                       \
                     [](double a, double) { return std::fabs(a); });                             \
  }                                                                                              \
  cublasStatus_t cublas##letter##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y,  \
                                      int incy) {                                                \
    return simt::copy(__func__, handle, n, x, incx, y, incy, false);                             \
  }                                                                                              \
  cublasStatus_t cublas##letter##swap(cublasHandle_t handle, int n, T* x, int incx, T* y,        \
                                      int incy) {                                                \
    return simt::copy(__func__, handle, n, x, incx, y, incy, true);                              \
  }                                                                                              \
  cublasStatus_t cublasI##small##amax(cublasHandle_t handle, int n, const T* x, int incx,        \
                                      int* result) {                                             \
    return simt::extreme(__func__, handle, n, x, incx, result, false);                           \
  }                                                                                              \
  cublasStatus_t cublasI##small##amin(cublasHandle_t handle, int n, const T* x, int incx,        \
                                      int* result) {                                             \
    return simt::extreme(__func__, handle, n, x, incx, result, true);                            \
  }
SIMT_VECTORS(S, s, float)
SIMT_VECTORS(D, d, double)
