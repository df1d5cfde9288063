// Two groups of warps vote at barriers of their own, by bar.red: each searches its half of the numbers in steps.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kGroup = 64, kSteps = 5;

__device__ unsigned count(unsigned barrier, bool holds) {
  unsigned number;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; bar.red.popc.u32 %0, %1, 64, p; }"
               : "=r"(number)
               : "r"(barrier), "r"(unsigned(holds))
               : "memory");
  return number;
}
__device__ bool any(unsigned barrier, bool holds) {
  unsigned one;
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %2, 0; barrier.cta.red.or.pred q, %1, 64, p;"
      " selp.u32 %0, 1, 0, q; }"
      : "=r"(one)
      : "r"(barrier), "r"(unsigned(holds))
      : "memory");
  return one != 0;
}
__device__ bool all(bool holds) {
  unsigned one;
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; barrier.cta.red.and.pred q, 7, p;"
      " selp.u32 %0, 1, 0, q; }"
      : "=r"(one)
      : "r"(unsigned(holds))
      : "memory");
  return one != 0;
}

__global__ void search_kernel(const int* numbers, int* found, int* counts) {
  __shared__ int places[2];
  const int group = threadIdx.x / kGroup, t = threadIdx.x % kGroup;
  const unsigned barrier = 1 + group;
  int total = 0, step = 0;
  for (bool more = true; more && step < kSteps; ++step) {
    const int at = (group * kSteps + step) * kGroup + t;
    if (numbers[at] == 0) places[group] = at;
    more = !any(barrier, numbers[at] == 0);
    total += count(barrier, numbers[at] % 3 == 1);
  }
  if (t == 1) found[group] = places[group];
  if (t == 2) counts[group] = total;
  if (!all(step < kSteps)) found[group] = -1;
}

int main() {
  constexpr int n = 2 * kSteps * kGroup;
  int numbers[n], found[2], counts[2], expected[2] = {};
  for (int i = 0; i < n; ++i) numbers[i] = 1 + i % 7;
  numbers[70] = numbers[kSteps * kGroup + 200] = 0;
  for (int i = 0; i < 2 * kGroup; ++i) expected[0] += numbers[i] % 3 == 1;
  for (int i = 0; i < 4 * kGroup; ++i) expected[1] += numbers[kSteps * kGroup + i] % 3 == 1;
  int *d_numbers, *d_found, *d_counts;
  cudaMalloc(&d_numbers, sizeof numbers);
  cudaMalloc(&d_found, sizeof found);
  cudaMalloc(&d_counts, sizeof counts);
  cudaMemcpy(d_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  search_kernel<<<1, 2 * kGroup>>>(d_numbers, d_found, d_counts);
  cudaMemcpy(found, d_found, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost);
  const bool right = found[0] == 70 && found[1] == kSteps * kGroup + 200 &&
                     counts[0] == expected[0] && counts[1] == expected[1];
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(d_numbers), cudaFree(d_found), cudaFree(d_counts);
  return !right;
}

// BUG no_order
// - more = !any(barrier, numbers[at] == 0);
// + more = __ballot_sync(0xffffffffu, numbers[at] == 0) == 0;
// ! waits at barrier

// BUG no_vote
// - more = !any(barrier, numbers[at] == 0);
// +
// - total += count(barrier, numbers[at] % 3 == 1);
// + if (at == numbers[0]) places[group] = 0;
// ! places + 0 bytes with no __syncthreads() since another thread

// BUG mixed
// - total += count(barrier, numbers[at] % 3 == 1);
// + if (t < 32) total += count(barrier, numbers[at] % 3 == 1);
// + else asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");
// ! where another thread has executed bar.red
