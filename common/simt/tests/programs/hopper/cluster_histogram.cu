// A histogram in the shared memory of a cluster: each of its blocks keeps a part of the bins for all of them.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
constexpr int kCluster = 2, kBins = 64, kThreads = 64;

__global__ void __cluster_dims__(kCluster, 1, 1)
    histogram_kernel(const int* values, int count, int* bins) {
  __shared__ int mine[kBins];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = 0;
  cluster.sync();  // all bins of the cluster are empty
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) {
    const int bin = values[i];
    int* theirs = cluster.map_shared_rank(mine, bin / kBins);
    atomicAdd(&theirs[bin % kBins], 1);
  }
  cluster.sync();  // all have counted
  const int first = static_cast<int>(cluster.block_rank()) * kBins;
  atomicAdd(&bins[first + threadIdx.x], mine[threadIdx.x]);
}

int main() {
  const int count = 3000, all = kCluster * kBins;
  std::vector<int> values(count), bins(all), expected(all);
  for (int i = 0; i < count; ++i) {
    values[i] = (i * i + i / 7) % all;
    ++expected[values[i]];
  }
  int *d_values, *d_bins;
  cudaMalloc(&d_values, count * sizeof(int));
  cudaMalloc(&d_bins, all * sizeof(int));
  cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, all * sizeof(int));
  histogram_kernel<<<2 * kCluster, kThreads>>>(d_values, count, d_bins);
  cudaMemcpy(bins.data(), d_bins, all * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", bins == expected ? "right" : "wrong");
  cudaFree(d_values);
  cudaFree(d_bins);
  return bins != expected;
}

// BUG no_sync_before_counting
// - cluster.sync();  // all bins of the cluster are empty
// +
// ! which need not have started yet
// @ atomicAdd(&theirs[bin % kBins], 1);

// BUG no_sync_behind_counting
// - cluster.sync();  // all have counted
// +
// ! reads mine
// @ atomicAdd(&bins[first + threadIdx.x], mine[threadIdx.x]);

// BUG block_barrier_instead
// - cluster.sync();  // all have counted
// + __syncthreads();
// ! uses shared memory of a block that may have ended by then

// BUG bin_of_no_block
// - values[i] = (i * i + i / 7) % all;
// - ++expected[values[i]];
// + values[i] = (i * i + i / 7) % (all + kBins);
// + ++expected[values[i] % all];
// ! asks for shared memory of block 2 of its cluster, which has 2
// @ int* theirs = cluster.map_shared_rank(mine, bin / kBins);

// BUG grid_no_multiple_of_the_cluster
// - histogram_kernel<<<2 * kCluster, kThreads>>>
// + histogram_kernel<<<2 * kCluster + 1, kThreads>>>
// ! which is not a multiple of its clusters

// BUG bins_without_atomics
// - atomicAdd(&bins[first + threadIdx.x], mine[threadIdx.x]);
// + bins[first + threadIdx.x / 2] += mine[threadIdx.x];
// ! stores 4 bytes at offset 0 of an allocation of 512 bytes
// ! which another thread stores as well
// @ bins[first + threadIdx.x / 2] += mine[threadIdx.x];

// BUG counted_without_atomics
// - atomicAdd(&theirs[bin % kBins], 1);
// + ++theirs[bin % kBins];
// ! mine
// @ ++theirs[bin % kBins];
