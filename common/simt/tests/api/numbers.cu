#include "tests/api/numbers.h"

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

template <typename T>
__global__ void combine_kernel(T* out) {
  const T t = T(threadIdx.x), signed_or_large = t - 32;
  atomicAdd(&out[0], t);
  atomicSub(&out[1], t);
  atomicMin(&out[2], signed_or_large);
  atomicMax(&out[3], signed_or_large);
  atomicAnd(&out[4], t % 8 == 5 ? ~T(4) : ~T(0));
  atomicOr(&out[5], T(1) << t % 20);
  atomicXor(&out[6], T(1) << t % 20);
  if (t == 63) {
    out[8] = atomicExch(&out[7], t);
  }
}

void combine(int* out) {
  combine_kernel<int><<<1, 64>>>(out);
}

void combine(unsigned* out) {
  combine_kernel<unsigned><<<1, 64>>>(out);
}

__global__ void combine_wide_kernel(unsigned long long* sum, double* fractions, float* swapped) {
  atomicAdd(sum, 1ull << 40);
  atomicAdd(fractions, 0.25);
  if (threadIdx.x == 0) {
    swapped[1] = atomicExch(&swapped[0], 2.5f);
  }
}

void combine_wide(unsigned long long* sum, double* fractions, float* swapped) {
  combine_wide_kernel<<<1, 64>>>(sum, fractions, swapped);
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
