#include "tests/simt/api/numbers.h"

namespace numbers {

__global__ void shuffle_up_kernel(int* out) {
  out[threadIdx.x] = __shfl_up_sync(~0u, int(threadIdx.x), 3, 16);
}

void shuffle_up(int* out) {
  shuffle_up_kernel<<<1, 32>>>(out);
}

// Each thread adds its number by comparing and swapping, as code does that has no atomic for its type.
__global__ void add_kernel(int* sum, unsigned long long* product) {
  int seen = *sum, expected;
  do {
    expected = seen;
    seen = atomicCAS(sum, expected, expected + int(threadIdx.x));
  } while (seen != expected);
  if (threadIdx.x < 10) {
    unsigned long long found = *product, before;
    do {
      before = found;
      found = atomicCAS(product, before, before * 2);
    } while (found != before);
  }
  __threadfence();
}

void add(int* sum, unsigned long long* product) {
  add_kernel<<<1, 64>>>(sum, product);
}

// A fence orders nothing that another thread waits for: without a barrier this is a race.
__global__ void fence_kernel(int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 1;
  __threadfence_block();
  if (threadIdx.x == 32) *out = word;
}

void fence(int* out) {
  fence_kernel<<<1, 64>>>(out);
}

}  // namespace numbers
