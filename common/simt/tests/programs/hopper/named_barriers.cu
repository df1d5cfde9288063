// One warp produces numbers and another adds them up: bar.arrive and bar.sync of PTX pass two buffers between them.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kRounds = 6;

__device__ void sync(int barrier) {
  asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");
}
__device__ void arrive(int barrier) {
  asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory");
}

// Barriers 1 and 2: a buffer is full; 3 and 4: it is empty.
__global__ void pass_kernel(const int* values, int* sums) {
  __shared__ int buffers[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int round = 0; round < kRounds; ++round) {
      if (round >= 2) sync(3 + round % 2);
      buffers[round % 2][lane] = values[round * 32 + lane] * 3;
      arrive(1 + round % 2);
    }
  } else {
    int sum = 0;
    for (int round = 0; round < kRounds; ++round) {
      sync(1 + round % 2);
      sum += buffers[round % 2][31 - lane];
      if (round + 2 < kRounds) arrive(3 + round % 2);
    }
    sums[lane] = sum;
  }
}

int main() {
  std::vector<int> values(kRounds * 32), sums(32), expected(32);
  for (int i = 0; i < kRounds * 32; ++i) {
    values[i] = i * 13 % 50;
    expected[31 - i % 32] += values[i] * 3;
  }
  int *d_values, *d_sums;
  cudaMalloc(&d_values, values.size() * sizeof(int));
  cudaMalloc(&d_sums, 32 * sizeof(int));
  cudaMemcpy(d_values, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  pass_kernel<<<1, 64>>>(d_values, d_sums);
  cudaMemcpy(sums.data(), d_sums, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", sums == expected ? "right" : "wrong");
  cudaFree(d_values);
  cudaFree(d_sums);
  return sums != expected;
}

// BUG overwrites_without_waiting
// - if (round >= 2) sync(3 + round % 2);
// +
// - if (round + 2 < kRounds) arrive(3 + round % 2);
// +
// ! a second time before the others have arrived

// BUG waits_too_often
// - if (round >= 2) sync(3 + round % 2);
// + sync(3 + round % 2);
// ! waits at barrier 3 for 64 threads, of which 32 have arrived
// @ asm volatile("bar.sync %0, 64;"
// ^ sync(3 + round % 2);

// BUG counts_differ
// - "bar.arrive %0, 64;"
// + "bar.arrive %0, 32;"
// ! waits at barrier 3 for 64 threads, of which 32 have arrived
// ? "bar.arrive %0, 32;"

// BUG reads_without_waiting
// - sync(1 + round % 2);
// + arrive(1 + round % 2);
// ! buffers
// @ sum += buffers[round % 2][31 - lane];
