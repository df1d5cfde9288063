#include <cuda_runtime.h>

#include "tests/asm/values.h"

namespace values {

__global__ void compute_kernel(const Inputs* inputs, Results* results) {
  const Inputs in = *inputs;
  int n = 0;
  uint32_t word = 0;
#define X_WORDS(text, expected)                                      \
  asm volatile(text : "+r"(word) : "r"(in.a), "r"(in.b), "r"(in.c)); \
  results->words[n++] = word;
  VALUES_OF_WORDS(X_WORDS)
  n = 0;
  uint64_t wide = 0;
#define X_LONGS(text, expected)                                                 \
  asm volatile(text : "=l"(wide) : "l"(in.k), "l"(in.l), "l"(in.m), "r"(in.c)); \
  results->longs[n++] = wide;
  VALUES_OF_LONGS(X_LONGS)
  n = 0;
  float number = 0;
#define X_FLOATS(text, expected)                                       \
  asm volatile(text : "=f"(number) : "f"(in.x), "f"(in.y), "f"(in.z)); \
  results->floats[n++] = number;
  VALUES_OF_FLOATS(X_FLOATS)
  n = 0;
#define X_WORDS_OF_FLOATS(text, expected)                 \
  asm volatile(text : "=r"(word) : "f"(in.x), "f"(in.y)); \
  results->words_of_floats[n++] = word;
  WORDS_OF_FLOATS(X_WORDS_OF_FLOATS)
  n = 0;
  uint16_t half = 0;
#define X_HALVES(text, expected)                                     \
  asm volatile(text : "=h"(half) : "h"(in.h), "h"(in.i), "h"(in.j)); \
  results->halves[n++] = half;
  VALUES_OF_HALVES(X_HALVES)
  n = 0;
#define X_PAIRS(text, expected)                                      \
  asm volatile(text : "=r"(word) : "r"(in.p), "r"(in.q), "r"(in.r)); \
  results->pairs[n++] = word;
  VALUES_OF_PAIRS(X_PAIRS)
  n = 0;
  double big = 0;
#define X_DOUBLES(text, expected)                        \
  asm volatile(text : "=d"(big) : "d"(in.s), "d"(in.t)); \
  results->doubles[n++] = big;
  VALUES_OF_DOUBLES(X_DOUBLES)
}

void compute(const Inputs* inputs, Results* results) {
  compute_kernel<<<1, 1>>>(inputs, results);
}

}  // namespace values
