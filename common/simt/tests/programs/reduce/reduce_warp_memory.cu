// The last steps of a sum are done by one warp in shared memory: __syncwarp orders its lanes, no barrier is needed.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 128;

__device__ void warp_reduce(volatile int* sums, int lane) {
  for (int s = 16; s > 0; s /= 2) {
    const int other = sums[lane + s];
    __syncwarp();  // all have read
    sums[lane] = sums[lane] + other;
    __syncwarp();  // all have written
  }
}

__global__ void __launch_bounds__(kThreads) sum_kernel(const int* values, int count, int* result) {
  __shared__ int sums[kThreads];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * kThreads + tid; i < count; i += gridDim.x * kThreads) sum += values[i];
  sums[tid] = sum;
  __syncthreads();  // the sums of all threads are there
  for (int s = kThreads / 2; s > 16; s /= 2) {
    if (tid < s) sums[tid] += sums[tid + s];
    __syncthreads();
  }
  if (tid < 32) warp_reduce(sums, tid);
  if (tid == 0) atomicAdd(result, sums[0]);
}

int main() {
  const int count = 3000;
  std::vector<int> values(count);
  int expected = 0, result = 0;
  for (int i = 0; i < count; ++i) {
    values[i] = i % 23;
    expected += values[i];
  }
  int *d_values, *d_result;
  cudaMalloc(&d_values, count * sizeof(int));
  cudaMalloc(&d_result, sizeof(int));
  cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_result, 0, sizeof(int));
  sum_kernel<<<4, kThreads>>>(d_values, count, d_result);
  cudaMemcpy(&result, d_result, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sum %d, expected %d\n", result, expected);
  cudaFree(d_values);
  cudaFree(d_result);
  return result != expected;
}

// BUG no_syncwarp_behind_the_reads
// - __syncwarp();  // all have read
// +
// ! sums
// ! with no __syncthreads() or __syncwarp() since another thread
// @ sums[lane] = sums[lane] + other;

// BUG no_syncwarp_behind_the_writes
// - __syncwarp();  // all have written
// +
// ! sums
// ! with no __syncthreads() or __syncwarp() since another thread
// @ const int other = sums[lane + s];

// BUG volatile_alone
// - const int other = sums[lane + s];
// - __syncwarp();  // all have read
// - sums[lane] = sums[lane] + other;
// - __syncwarp();  // all have written
// + sums[lane] = sums[lane] + sums[lane + s];  // as on GPUs before Volta
// ! sums
// ! with no __syncthreads() or __syncwarp() since another thread
// @ as on GPUs before Volta

// BUG one_warp_takes_over_too_early
// - s > 16; s /= 2
// + s > 32; s /= 2
// ! wrong result

// BUG more_threads_than_launch_bounds
// - sum_kernel<<<4, kThreads>>>
// + sum_kernel<<<4, 2 * kThreads>>>
// ! is refused
// @ sum_kernel<<<

// MISSED syncwarp_of_missing_lanes
// - if (tid < 32) warp_reduce(sums, tid);
// + if (tid < 16) warp_reduce(sums, tid);
// ! waits at __syncwarp() for lanes 0xffffffff, but 16 of them do not arrive
// @ all have read

// BUG index_overflows
// - int sum = 0;
// - for (int i = blockIdx.x * kThreads + tid; i < count;
// + int sum = 0;
// + for (int i = (blockIdx.x * kThreads + tid) * 40000000; i < count;
// ! which is not device memory
// @ sum += values[i];
