// Adds numbers of 256 bits. The carry passes from one asm to the next, and threads without a number end by `exit`.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

constexpr int WORDS = 8, COUNT = 100;

__device__ uint32_t add_cc(uint32_t a, uint32_t b) {
  uint32_t sum;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}
__device__ uint32_t addc_cc(uint32_t a, uint32_t b) {
  uint32_t sum;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}
__device__ uint32_t addc(uint32_t a, uint32_t b) {
  uint32_t sum;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}

// Sums have a word more than their addends. The last word is the carry twice: addc leaves it as it is.
__global__ void add(const uint32_t* a, const uint32_t* b, uint32_t* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= COUNT) asm volatile("exit;");
  a += i * WORDS;
  b += i * WORDS;
  sums += i * (WORDS + 1);
  sums[0] = add_cc(a[0], b[0]);
  for (int word = 1; word < WORDS; ++word) {
    sums[word] = addc_cc(a[word], b[word]);
  }
  sums[WORDS] = addc(0, 0);
  sums[WORDS] += addc(0, 0);
}

int main() {
  uint32_t* words = nullptr;
  cudaMallocManaged(&words, COUNT * (3 * WORDS + 1) * sizeof *words);
  uint32_t *a = words, *b = a + COUNT * WORDS, *sums = b + COUNT * WORDS;
  for (int i = 0; i < 2 * COUNT * WORDS; ++i) {
    words[i] = i % 3 == 0 ? 2654435761u * i : ~0u;
  }
  add<<<2, 64>>>(a, b, sums);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) {
    uint64_t rest = 0;
    for (int word = 0; word < WORDS; ++word) {
      rest += uint64_t(a[i * WORDS + word]) + b[i * WORDS + word];
      wrong += sums[i * (WORDS + 1) + word] != uint32_t(rest);
      rest >>= 32;
    }
    wrong += sums[i * (WORDS + 1) + WORDS] != 2 * rest;
  }
  cudaFree(words);
  std::printf("%d wrong words\n", wrong);
  return wrong != 0;
}

// BUG no_carry
// -     sums[word] = addc_cc(a[word], b[word]);
// +     sums[word] = addc(a[word], b[word]);
// ! wrong result

// BUG no_exit
// -   if (i >= COUNT) asm volatile("exit;");
// +   if (i > COUNT) asm volatile("exit;");
// ! out of bounds
// @ sums[0] = add_cc(a[0], b[0]);
