// Functions for clusters of blocks, as sm_90_rt.h has them.
#pragma once
#include "simt/api/cluster.h"
#include "simt/api/ptx.h"
#include "simt/shim/ptx.h"
#include "simt/shim/ptx_cluster.h"
#include "simt/shim/warp.h"

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __cluster_barrier_arrive(SIMT_PLACE) {
  simt::cluster_arrive(false, file, line);
}
inline void __cluster_barrier_arrive_relaxed(SIMT_PLACE) {
  simt::cluster_arrive(true, file, line);
}
inline void __cluster_barrier_wait(SIMT_PLACE) {
  simt::cluster_wait(file, line);
}
// The same variable in the shared memory of the block of that rank, and the rank of the block that a pointer leads to.
inline void* __cluster_map_shared_rank(const void* pointer, unsigned rank, SIMT_PLACE) {
  return const_cast<void*>(simt::map_shared(pointer, rank, file, line));
}
inline unsigned __cluster_query_shared_rank(const void* pointer, SIMT_PLACE) {
  return unsigned(simt::shared_address(pointer, file, line) >> 24);
}
inline void __threadfence_cluster() {
  __threadfence();
}
inline dim3 __clusterDim() {
  return simt::cluster_extent();
}
inline dim3 __clusterRelativeBlockIdx() {
  return simt::index_in_cluster();
}
inline dim3 __clusterIdx() {
  const uint3 extent = simt::cluster_extent();
  return {blockIdx.x / extent.x, blockIdx.y / extent.y, blockIdx.z / extent.z};
}
inline dim3 __clusterGridDimInClusters() {
  const uint3 extent = simt::cluster_extent();
  return {gridDim.x / extent.x, gridDim.y / extent.y, gridDim.z / extent.z};
}
inline unsigned __clusterRelativeBlockRank() {
  return simt::rank_in_cluster();
}
inline unsigned __clusterSizeInBlocks() {
  const uint3 extent = simt::cluster_extent();
  return extent.x * extent.y * extent.z;
}
#undef SIMT_PLACE
