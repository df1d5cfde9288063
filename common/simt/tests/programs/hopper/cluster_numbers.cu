// The functions that name the blocks of a cluster, and its barrier in two parts, without cooperative groups.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void __cluster_dims__(2, 2, 1) sum_kernel(const int* from, int* sums) {
  __shared__ int own;
  __cluster_barrier_arrive_relaxed();  // it releases nothing
  __cluster_barrier_wait();
  const dim3 index = __clusterRelativeBlockIdx(), extent = __clusterDim();
  const unsigned rank = __clusterRelativeBlockRank(), blocks = __clusterSizeInBlocks();
  const dim3 cluster = __clusterIdx(), clusters = __clusterGridDimInClusters();
  const bool fits = rank == index.y * extent.x + index.x && blocks == extent.x * extent.y &&
                    cluster.x == blockIdx.x / 2 && cluster.y == blockIdx.y / 2 &&
                    clusters.x * 2 == gridDim.x && clusters.y * 2 == gridDim.y;
  if (threadIdx.x == 0) own = from[blockIdx.y * gridDim.x + blockIdx.x];
  __threadfence_cluster();
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  int sum = 0;
  for (unsigned other = 0; other < blocks; ++other) {
    const int* const there = static_cast<int*>(__cluster_map_shared_rank(&own, other));
    if (__cluster_query_shared_rank(there) == other) sum += *there;
  }
  if (threadIdx.x == 0 && rank == 0) sums[cluster.y * clusters.x + cluster.x] = fits ? sum : -1;
  __cluster_barrier_arrive();  // nobody ends while others read
  __cluster_barrier_wait();
}

int main() {
  int numbers[32], sums[8], *from, *to;
  for (int i = 0; i < 32; ++i) numbers[i] = i * i;
  cudaMalloc(&from, sizeof numbers);
  cudaMalloc(&to, sizeof sums);
  cudaMemcpy(from, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  sum_kernel<<<dim3(8, 4), 32>>>(from, to);
  if (cudaMemcpy(sums, to, sizeof sums, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  bool right = true;
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 4; ++x) {
      const int at = 16 * y + 2 * x;
      right = right &&
              sums[4 * y + x] == numbers[at] + numbers[at + 1] + numbers[at + 8] + numbers[at + 9];
    }
  }
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(from);
  cudaFree(to);
  return !right;
}

// BUG others_may_have_ended
// - __cluster_barrier_arrive();  // nobody ends while others read
// +
// - __cluster_barrier_wait();
// - }
// + }
// ! uses shared memory of a block that may have ended by then
// @ if (__cluster_query_shared_rank(there) == other) sum += *there;

// BUG relaxed
// - __cluster_barrier_arrive();
// - __cluster_barrier_wait();
// - int sum = 0;
// + __cluster_barrier_arrive_relaxed();
// + __cluster_barrier_wait();
// + int sum = 0;
// - __threadfence_cluster();
// +
// ! own + 0 bytes
// @ if (__cluster_query_shared_rank(there) == other) sum += *there;

// BUG no_such_rank
// - other < blocks; ++other
// + other <= blocks; ++other
// ! asks for shared memory of block 4 of its cluster, which has 4
// @ const int* const there =
