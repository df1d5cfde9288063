// A stencil of radius 3 in one dimension, with halos in shared memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kRadius = 3;

__global__ void stencil_kernel(const int* from, int* to, int count) {
  __shared__ int tile[kThreads + 2 * kRadius];
  const int i = blockIdx.x * kThreads + threadIdx.x, at = threadIdx.x + kRadius;
  tile[at] = i < count ? from[i] : 0;
  if (threadIdx.x < kRadius) {
    tile[at - kRadius] = i >= kRadius ? from[i - kRadius] : 0;
    tile[at + kThreads] = i + kThreads < count ? from[i + kThreads] : 0;
  }
  __syncthreads();
  if (i >= count) return;
  int sum = 0;
  for (int d = -kRadius; d <= kRadius; ++d) {
    sum += tile[at + d];
  }
  to[i] = sum;
}

int main() {
  const int count = 1000, bytes = count * sizeof(int);
  std::vector<int> from(count), to(count);
  for (int i = 0; i < count; ++i) from[i] = i * i % 53;
  int *d_from, *d_to;
  cudaMalloc(&d_from, bytes);
  cudaMalloc(&d_to, bytes);
  cudaMemcpy(d_from, from.data(), bytes, cudaMemcpyHostToDevice);
  stencil_kernel<<<(count + kThreads - 1) / kThreads, kThreads>>>(d_from, d_to, count);
  cudaMemcpy(to.data(), d_to, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    int sum = 0;
    for (int d = -kRadius; d <= kRadius; ++d) sum += i + d >= 0 && i + d < count ? from[i + d] : 0;
    wrong += to[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_from);
  cudaFree(d_to);
  return wrong != 0;
}

// BUG no_barrier
// - __syncthreads();
// +
// ! tile
// ! with no __syncthreads()
// @ sum += tile[at + d];

// BUG halo_without_guard
// - tile[at - kRadius] = i >= kRadius ? from[i - kRadius] : 0;
// + tile[at - kRadius] = from[i - kRadius];
// ! out of bounds
// @ tile[at - kRadius] = from[i - kRadius];

// BUG halo_too_small
// - if (threadIdx.x < kRadius) {
// + if (threadIdx.x < kRadius - 1) {
// ! tile
// ! which no thread of this block has written
// @ sum += tile[at + d];

// BUG one_halo_only
// - tile[kThreads + 2 * kRadius];
// + tile[kThreads + kRadius];
// ! uses index 67 of the array type
// @ tile[at + kThreads] = i + kThreads < count ? from[i + kThreads] : 0;

// BUG exit_before_the_barrier
// - __syncthreads();
// - if (i >= count) return;
// + if (i >= count) return;
// + __syncthreads();
// ! __syncthreads()
// @ __syncthreads();
