// Exclusive scan of each block by Blelloch: sums up a tree, then down again. Each thread has two elements.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kCount = 2 * kThreads;

__global__ void scan_kernel(const int* values, int* sums) {
  __shared__ int tree[kCount];
  const int tid = threadIdx.x, first = blockIdx.x * kCount;
  tree[2 * tid] = values[first + 2 * tid];
  tree[2 * tid + 1] = values[first + 2 * tid + 1];
  int step = 1;
  for (int nodes = kCount / 2; nodes > 0; nodes /= 2, step *= 2) {
    __syncthreads();  // going up
    if (tid < nodes) {
      tree[step * (2 * tid + 2) - 1] += tree[step * (2 * tid + 1) - 1];
    }
  }
  if (tid == 0) tree[kCount - 1] = 0;
  for (int nodes = 1; nodes < kCount; nodes *= 2) {
    step /= 2;
    __syncthreads();  // going down
    if (tid < nodes) {
      const int left = step * (2 * tid + 1) - 1, right = step * (2 * tid + 2) - 1;
      const int value = tree[left];
      tree[left] = tree[right];
      tree[right] += value;
    }
  }
  __syncthreads();  // complete
  sums[first + 2 * tid] = tree[2 * tid];
  sums[first + 2 * tid + 1] = tree[2 * tid + 1];
}

int main() {
  const int blocks = 4, count = blocks * kCount, bytes = count * sizeof(int);
  std::vector<int> values(count), sums(count);
  for (int i = 0; i < count; ++i) values[i] = i * 11 % 17 + 1;
  int *d_values, *d_sums;
  cudaMalloc(&d_values, bytes);
  cudaMalloc(&d_sums, bytes);
  cudaMemcpy(d_values, values.data(), bytes, cudaMemcpyHostToDevice);
  scan_kernel<<<blocks, kThreads>>>(d_values, d_sums);
  cudaMemcpy(sums.data(), d_sums, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0, sum = 0; i < count; ++i) {
    if (i % kCount == 0) sum = 0;
    wrong += sums[i] != sum;
    sum += values[i];
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_values);
  cudaFree(d_sums);
  return wrong != 0;
}

// BUG no_barrier_up
// - __syncthreads();  // going up
// +
// ! tree
// ! with no __syncthreads() or __syncwarp() since another thread
// @ tree[step * (2 * tid + 2) - 1] += tree[step * (2 * tid + 1) - 1];

// BUG no_barrier_down
// - __syncthreads();  // going down
// +
// ! tree
// ! with no __syncthreads() or __syncwarp() since another thread

// BUG barrier_in_the_branch
// - __syncthreads();  // going up
// - if (tid < nodes) {
// + if (tid < nodes) {
// + __syncthreads();  // going up
// ! __syncthreads()
// @ // going up

// BUG half_of_the_tree
// - tree[kCount];
// + tree[kThreads];
// ! uses index 64 of the array type
// @ tree[2 * tid] = values[first + 2 * tid];
