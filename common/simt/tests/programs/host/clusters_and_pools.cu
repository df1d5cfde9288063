// Asks the runtime how large clusters may be, opts in to 16 blocks, and takes memory from a pool.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

#define CHECK(call) \
  if (const cudaError_t status = (call)) return std::printf("%s\n", cudaGetErrorString(status)), 2

constexpr int kBlocks = 16, kThreads = 32;

// Each block sends its number to the next one of its cluster.
__global__ void ring_kernel(int* from) {
  __shared__ int sender;
  const auto cluster = cooperative_groups::this_cluster();
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
  __prof_trigger(1);
  cluster.sync();  // all have started
  if (threadIdx.x == 0) *cluster.map_shared_rank(&sender, next) = int(rank);
  cluster.sync();
  if (threadIdx.x == 0) from[blockIdx.x] = sender;
}

int main() {
  CHECK(cudaInitDevice(0, 0, 0));
  cudaMemPool_t pool, same;
  uint64_t before = 0, now = 0, keep = UINT64_MAX;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cudaDeviceSetMemPool(0, pool));
  CHECK(cudaDeviceGetMemPool(&same, 0));
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &before));
  int* d_from;
  CHECK(cudaMallocAsync(&d_from, kBlocks * sizeof(int), cudaStreamPerThread));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &now));

  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  config.gridDim = kBlocks;
  config.blockDim = kThreads;
  config.attrs = &attribute;
  config.numAttrs = 1;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = kBlocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  CHECK(cudaFuncSetAttribute(ring_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  int most = 0;
  CHECK(cudaOccupancyMaxPotentialClusterSize(&most, ring_kernel, &config));
  CHECK(cudaLaunchKernelEx(&config, ring_kernel, d_from));

  int from[kBlocks];
  CHECK(cudaMemcpy(from, d_from, sizeof from, cudaMemcpyDeviceToHost));
  CHECK(cudaFreeAsync(d_from, cudaStreamPerThread));
  CHECK(cudaMemPoolTrimTo(pool, 0));
  for (int i = 0; i < kBlocks; ++i) {
    if (from[i] != (i + kBlocks - 1) % kBlocks) return 1;
  }
  return most != kBlocks || same != pool || now <= before;
}

// BUG not_opted_in
// - CHECK(cudaFuncSetAttribute(ring_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
// +
// ! clusters of 16 x 1 x 1 blocks; there may be 1 to 8 together
// @ CHECK(cudaLaunchKernelEx(&config, ring_kernel, d_from));

// BUG not_all_have_started
// - cluster.sync();  // all have started
// +
// ! which need not have started yet
// @ *cluster.map_shared_rank(&sender, next) = int(rank);

// BUG too_much_shared_memory
// - CHECK(cudaFuncSetAttribute(ring_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
// + CHECK(cudaFuncSetAttribute(ring_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));
// ! 300000 bytes of dynamic and 4 of static shared memory, but a block has at most 232448
// @ cudaFuncAttributeMaxDynamicSharedMemorySize, 300000

// BUG copies_too_much
// - CHECK(cudaMemcpy(from, d_from, sizeof from, cudaMemcpyDeviceToHost));
// + CHECK(cudaMemcpy(from, d_from + 1, sizeof from, cudaMemcpyDeviceToHost));
// ! its source has 60 bytes to the end of its allocation, but the call needs 64
// @ CHECK(cudaMemcpy(from, d_from + 1

// BUG copies_the_wrong_way
// - CHECK(cudaMemcpy(from, d_from, sizeof from, cudaMemcpyDeviceToHost));
// + CHECK(cudaMemcpy(from, d_from, sizeof from, cudaMemcpyHostToDevice));
// ! its destination is no device memory
