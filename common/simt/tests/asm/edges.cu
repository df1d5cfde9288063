#include <cuda_runtime.h>

#include "tests/asm/edges.h"

namespace edges {

__global__ void compute_kernel(const uint32_t* words, uint64_t* results, unsigned count) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t a = words[thread * 3], b = words[thread * 3 + 1], c = words[thread * 3 + 2];
  results += thread;
  const auto put = [&](uint64_t value) {
    *results = value;
    results += count;
  };
  bool high = false, low = false;
#define X_DPX(call, expected) put(uint32_t(call));
  DPX_FUNCTIONS(X_DPX)
  uint32_t word = 0;
#define X_WORD(text, expected)                                                              \
  asm volatile(text                                                                         \
               : "=r"(word)                                                                 \
               : "r"(a), "r"(b), "r"(c), "f"(__uint_as_float(a)), "f"(__uint_as_float(b))); \
  put(word);
  WORD_FORMS(X_WORD)
  float number = 0;
#define X_FLOAT(text, expected)                                                             \
  asm volatile(text                                                                         \
               : "=f"(number)                                                               \
               : "r"(a), "r"(b), "r"(c), "f"(__uint_as_float(a)), "f"(__uint_as_float(b))); \
  put(__float_as_uint(number));
  FLOAT_FORMS(X_FLOAT)
  const uint64_t k = uint64_t(b) << 32 | a, l = uint64_t(c) << 32 | b, m = uint64_t(a) << 32 | c;
  uint64_t wide = 0;
#define X_LONG(text, expected)                                      \
  asm volatile(text : "=l"(wide) : "l"(k), "l"(l), "l"(m), "r"(a)); \
  put(wide);
  LONG_FORMS(X_LONG)
  uint16_t half = 0;
#define X_HALF(text, expected)                                                                    \
  asm volatile(text : "=h"(half) : "h"(uint16_t(a)), "h"(uint16_t(b)), "h"(uint16_t(c)), "r"(c)); \
  put(half);
  HALF_FORMS(X_HALF)
}

void compute(const uint32_t* words, uint64_t* results, unsigned count) {
  compute_kernel<<<count / 32, 32>>>(words, results, count);
}

}  // namespace edges
