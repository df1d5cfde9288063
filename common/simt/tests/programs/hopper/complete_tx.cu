// Threads store the part of a tile that no bulk copy brings, and count its bytes by mbarrier.complete_tx: the consumer
// waits for one number of bytes.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kThreads = 32, kCount = 64, kBytes = kCount * sizeof(int);

__device__ uint32_t address_of(const void* pointer) {
  return uint32_t(__cvta_generic_to_shared(pointer));
}

__device__ void complete(uint64_t* barrier, uint32_t bytes) {
  asm volatile(
      "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(address_of(barrier)),
      "r"(bytes)
      : "memory");
}

__device__ void copy(int* to, const int* from, uint32_t bytes, uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(address_of(to)),
      "l"(from), "r"(bytes), "r"(address_of(barrier))
      : "memory");
}

__device__ void wait(uint64_t* barrier, uint32_t parity) {
  asm volatile(
      "{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra again; "
      "}" ::"r"(address_of(barrier)),
      "r"(parity)
      : "memory");
}

// The last tile has only `rest` elements; zeros fill it up.
__global__ void sum_kernel(const int* values, int rest, int* sum) {
  __shared__ alignas(16) int tile[kCount];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address_of(&barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();  // the barrier is ready
  if (threadIdx.x == 0) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&barrier)),
        "r"(kBytes));
    copy(tile, values, rest * sizeof(int), &barrier);
    complete(&barrier, (kCount - rest) * sizeof(int));
  }
  for (int i = rest + threadIdx.x; i < kCount; i += kThreads) tile[i] = 0;
  wait(&barrier, 0);
  __syncthreads();  // the zeros are there
  if (threadIdx.x > 0) return;
  int all = 0;
  for (int i = 0; i < kCount; ++i) {
    all += tile[i];
  }
  *sum = all;
}

int main() {
  const int rest = 40;
  std::vector<int> values(rest, 3);
  int *d_values, *d_sum, sum = 0;
  cudaMalloc(&d_values, rest * sizeof(int));
  cudaMalloc(&d_sum, sizeof(int));
  cudaMemcpy(d_values, values.data(), rest * sizeof(int), cudaMemcpyHostToDevice);
  sum_kernel<<<1, kThreads>>>(d_values, rest, d_sum);
  if (cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  std::printf("%d\n", sum);
  cudaFree(d_values);
  cudaFree(d_sum);
  return sum != 3 * rest;
}

// BUG zeros_not_counted
// - complete(&barrier, (kCount - rest) * sizeof(int));
// +
// ! cannot complete: 1 of 1 have arrived, and copies have brought 160 of 256 bytes
// ^ wait(&barrier, 0);

// BUG all_counted
// - complete(&barrier, (kCount - rest) * sizeof(int));
// + complete(&barrier, kBytes);
// ! reads tile + 0 bytes before its asynchronous copy has been waited for
// @ all += tile[i];
// ^ copy(tile, values, rest * sizeof(int), &barrier);

// BUG zeros_not_waited_for
// - __syncthreads();  // the zeros are there
// +
// ! with no __syncthreads()
// @ all += tile[i];

// BUG no_barrier
// - __syncthreads();  // the barrier is ready
// - if (threadIdx.x == 0) {
// + if (threadIdx.x == 1) {
// ! with no __syncthreads() since another thread initialised it
