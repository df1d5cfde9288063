// Breadth-first search, one launch a level: neighbours are claimed by atomicCAS and appended to the next frontier.
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

constexpr int kNodes = 300, kDegree = 3;

__host__ __device__ int neighbour(int node, int i) {
  return (node * (2 * i + 3) + 7 * i + 1) % kNodes;
}

__global__ void level_kernel(const int* frontier, int size, int* next, int* next_size, int* levels,
                             int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  for (int edge = 0; edge < kDegree; ++edge) {
    const int node = neighbour(frontier[i], edge);
    if (atomicCAS(&levels[node], -1, level) == -1) {
      next[atomicAdd(next_size, 1)] = node;
    }
  }
}

int main() {
  std::vector<int> expected(kNodes, -1), levels(kNodes, -1), queue = {0};
  expected[0] = levels[0] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    for (int edge = 0; edge < kDegree; ++edge) {
      const int node = neighbour(queue[i], edge);
      if (expected[node] >= 0) continue;
      expected[node] = expected[queue[i]] + 1;
      queue.push_back(node);
    }
  }
  int *d_frontier, *d_next, *d_size, *d_levels, size = 1;
  cudaMalloc(&d_frontier, kNodes * sizeof(int));
  cudaMalloc(&d_next, kNodes * sizeof(int));
  cudaMalloc(&d_size, sizeof(int));
  cudaMalloc(&d_levels, kNodes * sizeof(int));
  cudaMemcpy(d_levels, levels.data(), kNodes * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_frontier, 0, sizeof(int));
  for (int level = 1; size > 0; ++level) {
    cudaMemset(d_size, 0, sizeof(int));
    level_kernel<<<(size + 31) / 32, 32>>>(d_frontier, size, d_next, d_size, d_levels, level);
    if (cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::swap(d_frontier, d_next);
  }
  cudaMemcpy(levels.data(), d_levels, kNodes * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", levels == expected ? "right" : "wrong");
  cudaFree(d_frontier);
  cudaFree(d_next);
  cudaFree(d_size);
  cudaFree(d_levels);
  return levels != expected;
}

// BUG claimed_without_atomics
// - if (atomicCAS(&levels[node], -1, level) == -1) {
// + if (levels[node] == -1) {
// + levels[node] = level;
// ! writes 4 bytes
// ! since another thread read it
// @ levels[node] = level;

// BUG size_not_cleared
// - cudaMemset(d_size, 0, sizeof(int));
// - level_kernel
// + level_kernel
// ! which no copy and no earlier launch has initialised
// @ next[atomicAdd(next_size, 1)] = node;

// BUG old_size_kept
// - for (int level = 1; size > 0; ++level) {
// - cudaMemset(d_size, 0, sizeof(int));
// + cudaMemset(d_size, 0, sizeof(int));
// + for (int level = 1; size > 0; ++level) {
// ! which no copy and no earlier launch has initialised
// @ const int node = neighbour(frontier[i], edge);

// MISSED appended_without_atomics
// - next[atomicAdd(next_size, 1)] = node;
// + next[(*next_size)++] = node;
// ! which another thread stores as well
// @ next[(*next_size)++] = node;

// BUG no_guard
// - if (i >= size) return;
// +
// ! which no copy and no earlier launch has initialised
// @ const int node = neighbour(frontier[i], edge);
