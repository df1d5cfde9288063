// Verifies C and checks that nothing else was written.
#pragma once
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "common/gemm.h"
#include "common/harness/answer/inputs.h"
#include "common/harness/answer/matrix.h"
#include "common/harness/device/cuda_error.h"
#include "common/harness/device/gemm_call.h"

// Whether gemm() expects A transposed, K x M. This weak function returns false; an edited copy of a lesson may
// override it (tests/lessons/variants.txt).
bool takes_transposed_A();

// The number of rows and columns of A in memory.
inline std::pair<int, int> shape_of_A(int M, int K) {
  return takes_transposed_A() ? std::pair(K, M) : std::pair(M, K);
}

// The same of B: N x K where it has scales.
template <typename T>
std::pair<int, int> shape_of_B(int K, int N) {
  return IS_SCALED<T> ? std::pair(N, K) : std::pair(K, N);
}

// One problem to run and verify.
struct Case {
  int M = 0, N = 0, K = 0;
  // In elements; 0: the width of a row. lda - K and ldb - N are also the gaps between rows of a transposed A or B.
  int64_t lda = 0, ldb = 0, ldc = 0;
  double alpha = 1, beta = 0;
  Mode mode = Mode::kExact;
  int offset_A = 0, offset_B = 0, offset_C = 0;  // elements from a 256-byte boundary
  bool guard_inputs = true;  // false: A and B fill their allocations, whose ends some tools check
  bool guard_output = true;  // false: the same for C
  uint64_t seed = 1;
};

// max_error and bound belong to the element with the largest error / bound. In exact mode, the bound is
// 0. The text is one line without commas or quotes and names the first wrong element.
struct Verdict {
  bool right = true;
  double max_error = 0, bound = 0;
  std::string text = "right";
  std::string pattern;  // the part of text that states a common property of all wrong elements
};

// The problem of a product and what else it has: the bias of an epilogue, or scales.
template <typename T, typename Acc, typename Out>
Gemm<T, Acc, Out> with_more(const Gemm<T, Acc, Out, false>& product, const Out* bias,
                            const float* scales_A, const float* scales_B) {
  if constexpr (IS_SCALED<T>) {
    return {product, scales_A, scales_B};
  } else if constexpr (HAS_EPILOGUE<T, Acc, Out>) {
    return {product, bias};
  } else {
    return product;
  }
}

// The device memory of a case, filled with its inputs. Guard bands and gaps between rows contain NaN around
// A and B and a huge number around C. If beta == 0, C itself contains NaN, because gemm() must not read it.
// The bias of an epilogue and scales have the same guards as A and B and the same offset as A.
template <typename T, typename Acc, typename Out = Acc>
class Operands {
 public:
  // Throws UsageError if alpha or beta does not fit Acc, or if exact mode has no inputs for this case. Throws
  // DeviceError if there is not enough memory.
  explicit Operands(const Case& c);

  const Gemm<T, Acc, Out>& problem() const { return problem_; }

  // Call this after gemm. It compares C with the reference and looks for changes in all other memory. A problem of up
  // to kFullWork multiply-adds has every element compared. In a larger one, corners and random elements are compared,
  // and all others must be finite. In exact mode, the checksum of each row must also be right. (An epilogue is not
  // linear and has no checksums.)
  Verdict verify() const;

  // The device memory that the case needs, in bytes.
  static double bytes_needed(const Case& c);

  static constexpr double kFullWork = 1 << 27;

 private:
  void verify_C(class Findings& findings) const;
  std::string find_pattern() const;

  // The element of A at this row and column in memory.
  T in_A(int row, int col) const {
    return transposed_A_ ? inputs_.a<T>(col, row) : inputs_.a<T>(row, col);
  }
  T in_B(int row, int col) const {
    return IS_SCALED<T> ? inputs_.b<T>(col, row) : inputs_.b<T>(row, col);
  }

  bool transposed_A_ = takes_transposed_A();
  Case case_;
  Inputs inputs_;
  DeviceMatrix<T> A_;
  DeviceMatrix<T> B_;
  DeviceMatrix<Out> C_;
  DeviceMatrix<Out> bias_;  // empty without an epilogue
  DeviceMatrix<float> scales_A_, scales_B_;  // empty without scales
  Gemm<T, Acc, Out> problem_;
};

// Runs gemm once. Rethrows exceptions of gemm and of the device.
template <typename T, typename Acc, typename Out>
void call(void (*gemm)(const Gemm<T, Acc, Out>&), const Operands<T, Acc, Out>& operands) {
  try {
    const GemmCall call;
    gemm(operands.problem());
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    throw DeviceError(
        "gemm() throws an exception that is not a std::exception, so it has no message");
  }
  CUDA_CHECK(cudaDeviceSynchronize());
}

// Returns the verdict. If it is wrong and the backend knows the cause, its text is the cause.
Verdict explained(Verdict verdict);

// Runs gemm once on the case and verifies the result. Rethrows exceptions of gemm and of the device.
template <typename T, typename Acc, typename Out>
Verdict run_case(void (*gemm)(const Gemm<T, Acc, Out>&), const Case& c) {
  const Operands<T, Acc, Out> operands(c);
  call(gemm, operands);
  return explained(operands.verify());
}

// The same for an argument that still has to convert to a function of this type, such as a lambda.
template <typename T, typename Acc>
Verdict run_case(void (*gemm)(const Gemm<T, Acc>&), const Case& c) {
  return run_case<T, Acc, Acc>(gemm, c);
}
