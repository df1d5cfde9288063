// Inclusive scan of each block by Hillis and Steele, with two buffers in shared memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 128;

__global__ void scan_kernel(const int* values, int* sums) {
  __shared__ int buffer[2][kThreads];
  const int tid = threadIdx.x, i = blockIdx.x * kThreads + tid;
  int from = 0;
  buffer[from][tid] = values[i];
  __syncthreads();  // the elements are there
  for (int offset = 1; offset < kThreads; offset *= 2) {
    const int to = 1 - from;
    buffer[to][tid] = buffer[from][tid];
    if (tid >= offset) {
      buffer[to][tid] += buffer[from][tid - offset];
    }
    from = to;
    __syncthreads();  // a round is complete
  }
  sums[i] = buffer[from][tid];
}

int main() {
  const int blocks = 5, count = blocks * kThreads, bytes = count * sizeof(int);
  std::vector<int> values(count), sums(count);
  for (int i = 0; i < count; ++i) values[i] = i * 5 % 23 - 4;
  int *d_values, *d_sums;
  cudaMalloc(&d_values, bytes);
  cudaMalloc(&d_sums, bytes);
  cudaMemcpy(d_values, values.data(), bytes, cudaMemcpyHostToDevice);
  scan_kernel<<<blocks, kThreads>>>(d_values, d_sums);
  cudaMemcpy(sums.data(), d_sums, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0, sum = 0; i < count; ++i) {
    sum = values[i] + (i % kThreads == 0 ? 0 : sum);
    wrong += sums[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_values);
  cudaFree(d_sums);
  return wrong != 0;
}

// BUG no_barrier_in_loop
// - __syncthreads();  // a round is complete
// +
// ! buffer
// ! with no __syncthreads() or __syncwarp() since another thread

// BUG one_buffer
// - const int to = 1 - from;
// + const int to = from;
// ! buffer
// ! with no __syncthreads() or __syncwarp() since another thread
// @ buffer[to][tid] += buffer[from][tid - offset];

// BUG no_lower_bound
// - if (tid >= offset) {
// + if (tid > 0) {
// ! uses index -1 of the array type
// @ buffer[to][tid] += buffer[from][tid - offset];
