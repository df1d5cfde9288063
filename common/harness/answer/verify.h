// Is C right, and was anything else touched?
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

// Whether gemm() takes A transposed, K x M. False, unless the program defines this function itself, as an edited copy of
// a lesson may (tests/lessons/variants.txt).
bool takes_transposed_A();

// The rows and columns that A has in memory.
inline std::pair<int, int> shape_of_A(int M, int K) {
  return takes_transposed_A() ? std::pair(K, M) : std::pair(M, K);
}

// One problem to run and verify.
struct Case {
  int M = 0, N = 0, K = 0;
  // In elements; 0: the row's width. The rows of a transposed A are as far apart as lda - K tells.
  int64_t lda = 0, ldb = 0, ldc = 0;
  double alpha = 1, beta = 0;
  Mode mode = Mode::kExact;
  int offset_A = 0, offset_B = 0, offset_C = 0;  // elements from a 256-byte boundary
  bool guard_inputs = true;  // false: A and B fill their allocations, whose ends some tools watch
  bool guard_output = true;  // false: so does C
  uint64_t seed = 1;
};

// max_error and bound are those of the element where error / bound is largest; in exact mode the
// bound is 0. The text is one line without commas or quotes, and names the first wrong element.
struct Verdict {
  bool right = true;
  double max_error = 0, bound = 0;
  std::string text = "right";
  std::string pattern;  // the part of it that says what all wrong elements have in common
};

// The problem of a product and, where it has an epilogue, of a bias.
template <typename T, typename Acc, typename Out>
Gemm<T, Acc, Out> with_bias(const Gemm<T, Acc, Out, false>& product, const Out* bias) {
  if constexpr (std::is_same_v<Acc, Out>) {
    return product;
  } else {
    return {product, bias};
  }
}

// Device memory of a case, filled with its inputs. Guard bands and row gaps hold NaN around A and B
// and a huge number around C; C itself holds NaN where beta == 0, since it may not be read then. The
// bias of an epilogue is guarded as A and B are, and lies as A does.
template <typename T, typename Acc, typename Out = Acc>
class Operands {
 public:
  // Throws UsageError if alpha or beta is not an Acc, or if no inputs are exact in exact mode, and
  // DeviceError if the memory does not suffice.
  explicit Operands(const Case& c);

  const Gemm<T, Acc, Out>& problem() const { return problem_; }

  // Compares C with the reference, once gemm has run, and looks for changes everywhere else. Up to
  // kFullWork multiply-adds every element is compared; beyond, corners and random elements. Then
  // every other element has to be finite, and in exact mode the checksum of each row has to fit,
  // unless there is an epilogue, which sums do not pass.
  Verdict verify() const;

  // Device memory that the case takes, in bytes.
  static double bytes_needed(const Case& c);

  static constexpr double kFullWork = 1 << 27;

 private:
  void verify_C(class Findings& findings) const;
  std::string find_pattern() const;

  // The element at a row and column of A's memory.
  T in_A(int row, int col) const {
    return transposed_A_ ? inputs_.a<T>(col, row) : inputs_.a<T>(row, col);
  }

  bool transposed_A_ = takes_transposed_A();
  Case case_;
  Inputs inputs_;
  DeviceMatrix<T> A_;
  DeviceMatrix<T> B_;
  DeviceMatrix<Out> C_;
  DeviceMatrix<Out> bias_;  // of an epilogue; else without elements
  Gemm<T, Acc, Out> problem_;
};

// Runs gemm once. Throws what gemm or the device throws.
template <typename T, typename Acc, typename Out>
void call(void (*gemm)(const Gemm<T, Acc, Out>&), const Operands<T, Acc, Out>& operands) {
  try {
    const GemmCall call;
    gemm(operands.problem());
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    throw DeviceError("gemm() throws what is no std::exception: nobody can tell what it means");
  }
  CUDA_CHECK(cudaDeviceSynchronize());
}

// The same verdict; a wrong one with what the backend knows of its cause.
Verdict explained(Verdict verdict);

// Runs gemm once on the case and verifies it. Throws what gemm or the device throws.
template <typename T, typename Acc, typename Out>
Verdict run_case(void (*gemm)(const Gemm<T, Acc, Out>&), const Case& c) {
  const Operands<T, Acc, Out> operands(c);
  call(gemm, operands);
  return explained(operands.verify());
}

// The same for what only becomes a function of that type.
template <typename T, typename Acc>
Verdict run_case(void (*gemm)(const Gemm<T, Acc>&), const Case& c) {
  return run_case<T, Acc, Acc>(gemm, c);
}
