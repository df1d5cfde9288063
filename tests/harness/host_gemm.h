// GEMMs with known faults. The host computes them and copies the result to the device, on either backend.
#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "common/harness/answer/matrix.h"
#include "common/harness/answer/reference.h"
#include "common/harness/answer/verify.h"
#include "tests/catch.h"

// Copies a device matrix to the host, from its first to its last element, gaps between rows included.
template <typename T>
std::vector<T> download(const T* data, int rows, int cols, int64_t ld) {
  std::vector<T> host(DeviceMatrix<T>::extent(rows, cols, ld));
  CUDA_CHECK(cudaMemcpy(host.data(), data, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

template <typename T>
T read(const T* address) {
  return download(address, 1, 1, 1)[0];
}

template <typename T>
void write(const T* address, T value) {
  CUDA_CHECK(cudaMemcpy(const_cast<T*>(address), &value, sizeof(T), cudaMemcpyHostToDevice));
}

// A right GEMM whose sums over k come from element(problem, A, B, row, col).
template <typename T, typename Acc, typename Element>
void host_gemm(const Gemm<T, Acc>& p, Element element) {
  const std::vector<T> A = download(p.A, p.M, p.K, p.lda);
  const std::vector<T> B = download(p.B, p.K, p.N, p.ldb);
  std::vector<Acc> C = download(p.C, p.M, p.N, p.ldc);
  for (int row = 0; row < p.M; ++row) {
    for (int col = 0; col < p.N; ++col) {
      Acc& c = C[row * p.ldc + col];
      const Acc sum = p.alpha * element(p, A.data(), B.data(), row, col);
      c = p.beta == 0 ? sum : sum + p.beta * c;
    }
  }
  CUDA_CHECK(cudaMemcpy(p.C, C.data(), C.size() * sizeof(Acc), cudaMemcpyHostToDevice));
}

// The same as a function of the problem.
template <typename Element>
auto host_gemm(Element element) {
  return [element](const auto& p) { host_gemm(p, element); };
}

struct Dot {
  template <typename T, typename Acc>
  Acc operator()(const Gemm<T, Acc>& p, const T* A, const T* B, int row, int col) const {
    Acc sum = 0;
    for (int k = 0; k < p.K; ++k) {
      sum += Acc(A[row * p.lda + k]) * Acc(B[k * p.ldb + col]);
    }
    return sum;
  }
};

template <typename T, typename Acc>
void right_gemm(const Gemm<T, Acc>& p) {
  host_gemm(p, Dot());
}

using Float = Gemm<float, float>;

// A right GEMM after which change(problem) writes something.
template <typename Change>
auto right_then(Change change) {
  return [change](const Float& p) {
    right_gemm(p);
    change(p);
  };
}

// A right GEMM of another problem, which change(problem) makes.
template <typename Change>
auto right_of(Change change) {
  return [change](Float p) {
    change(p);
    right_gemm(p);
  };
}

// A GEMM of floats whose sums are element(right sum, problem, A, B, row, col).
template <typename Element>
auto float_gemm(Element element) {
  return host_gemm([element](const Float& p, const float* A, const float* B, int row, int col) {
    return element(Dot()(p, A, B, row, col), p, A, B, row, col);
  });
}

using Fused = Gemm<half, float, half>;

// C[row][col] = element(sum, bias, row, col). sum is alpha A B + beta C; bias has one value per column.
template <typename Element>
auto fused_gemm(Element element) {
  return [element](const Fused& p) {
    const std::vector<half> bias = download(p.bias, 1, p.N, p.N);
    std::vector<half> C = download(p.C, p.M, p.N, p.ldc);
    std::vector<float> sums(C.size());
    for (size_t i = 0; i < C.size(); ++i) sums[i] = p.beta == 0 ? 0 : float(C[i]);
    const DeviceBuffer memory(sums.size() * sizeof(float));
    const auto there = static_cast<float*>(memory.data());
    CUDA_CHECK(cudaMemcpy(there, sums.data(), memory.bytes(), cudaMemcpyHostToDevice));
    right_gemm<half, float>({p.M, p.N, p.K, p.alpha, p.A, p.lda, p.B, p.ldb, p.beta, there, p.ldc});
    sums = download(there, p.M, p.N, p.ldc);
    for (int row = 0; row < p.M; ++row) {
      for (int col = 0; col < p.N; ++col) {
        const size_t at = row * p.ldc + col;
        C[at] = half(element(sums[at], bias, row, col));
      }
    }
    CUDA_CHECK(cudaMemcpy(p.C, C.data(), C.size() * sizeof(half), cudaMemcpyHostToDevice));
  };
}

// The first fault of C = gelu(alpha A B + beta C + bias), "" if there is none. Its bound is wider than the verifier's for
// lessons, since cublasLt may round the product to half before it adds the bias, and its tanh may be off by 2^-11 of its
// value (PTX ISA, tanh.approx).
template <typename Multiply>
std::string coarse_gelu_fault(const Multiply& gemm, const Case& c) {
  const Operands<half, float, half> operands(c);
  const Fused& p = operands.problem();
  const std::vector<half> before = download(p.C, p.M, p.N, p.ldc);
  gemm(p);
  const std::vector<half> got = download(p.C, p.M, p.N, p.ldc);
  CUDA_CHECK(cudaMemcpy(p.C, before.data(), before.size() * sizeof(half), cudaMemcpyHostToDevice));
  std::string fault;
  fused_gemm([&](float sum, const std::vector<half>& bias, int row, int col) {
    const double result = widen(got[row * p.ldc + col]), added = widen(bias[col]);
    const double x = sum + added, value = gelu(x);
    const double rounded = kMostSlope * (std::fabs(sum) + std::fabs(added)) + std::fabs(value);
    const double allowed = unit_roundoff<half>() * (rounded + std::fabs(x) / 2) + 1e-6;
    if (fault.empty() && !(std::fabs(result - value) <= allowed)) {
      fault = "C[" + std::to_string(row) + "][" + std::to_string(col) + "] is " +
              std::to_string(result) + " for a sum of " + std::to_string(sum) + " and a bias of " +
              std::to_string(added) + "; expected " + std::to_string(value) + " +- " +
              std::to_string(allowed);
    }
    return float(value);
  })(p);
  return fault;
}

// A problem whose row strides are larger than the rows' widths.
inline Case problem(int M, int N, int K, double beta = 0) {
  Case c;
  c.M = M;
  c.N = N;
  c.K = K;
  c.lda = K + 3;
  c.ldb = N + 2;
  c.ldc = N + 5;
  c.beta = beta;
  return c;
}

inline Case rounding(Case c) {
  c.mode = Mode::kRounding;
  return c;
}

// The verdict on C. run_case() would report first that a gemm() on the host launched no kernel.
template <typename T, typename Acc, typename Out>
Verdict verdict_of(const std::function<void(const Gemm<T, Acc, Out>&)>& gemm, const Case& c) {
  const Operands<T, Acc, Out> operands(c);
  gemm(operands.problem());
  return operands.verify();
}

inline bool is_right(const std::function<void(const Float&)>& gemm, const Case& c) {
  return verdict_of(gemm, c).right;
}

// Checks that the verifier reports a fault.
template <typename T, typename Acc, typename Out>
void check_wrong(const std::function<void(const Gemm<T, Acc, Out>&)>& gemm, const Case& c,
                 const std::string& text) {
  const Verdict verdict = verdict_of(gemm, c);
  INFO(verdict.text);
  CHECK(!verdict.right);
  CHECK(verdict.text.find(text) != std::string::npos);
  CHECK(verdict.text.find_first_of(",\"\n") == std::string::npos);
}

// The same in both modes, with and without guard bands around the inputs.
inline void expect_wrong(const std::function<void(const Float&)>& gemm, Case c,
                         const std::string& text) {
  for (const Mode mode : {Mode::kExact, Mode::kRounding}) {
    for (const bool guarded : {true, false}) {
      c.mode = mode;
      c.guard_inputs = guarded;
      check_wrong(gemm, c, text);
    }
  }
}
