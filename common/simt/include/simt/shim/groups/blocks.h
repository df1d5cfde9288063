// Groups of whole blocks: the block, its cluster, the grid.
#pragma once
#include "simt/api/cluster.h"
#include "simt/api/groups.h"
#include "simt/shim/clusters.h"
#include "simt/shim/ptx_cluster.h"
#include "simt/shim/warp.h"

namespace cooperative_groups {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

class thread_block {
 public:
  struct arrival_token {
    unsigned phase;
  };

  static arrival_token barrier_arrive(SIMT_PLACE) { return {simt::arrive_in_block(file, line)}; }
  static void barrier_wait(arrival_token&& token, SIMT_PLACE) {
    simt::wait_in_block(token.phase, file, line);
  }
  static void sync(SIMT_PLACE) { simt::barrier(file, line); }
  static unsigned thread_rank() { return simt::ptx::thread_in_block(); }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned size() { return num_threads(); }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_index() { return blockIdx; }
  static dim3 dim_threads() { return blockDim; }
  static dim3 group_dim() { return blockDim; }
};

class cluster_group {
 public:
  struct arrival_token {};

  static arrival_token barrier_arrive(SIMT_PLACE) {
    simt::cluster_arrive(false, file, line);
    return {};
  }
  static void barrier_wait(SIMT_PLACE) { simt::cluster_wait(file, line); }
  static void barrier_wait(arrival_token&&, SIMT_PLACE) { simt::cluster_wait(file, line); }
  static void sync(SIMT_PLACE) {
    simt::cluster_arrive(false, file, line);
    simt::cluster_wait(file, line);
  }
  static unsigned block_rank() { return simt::rank_in_cluster(); }
  static unsigned num_blocks() { return simt::ptx::special_cluster_nctarank(); }
  static unsigned num_threads() { return num_blocks() * thread_block().num_threads(); }
  static unsigned size() { return num_threads(); }
  static unsigned thread_rank() {
    return block_rank() * thread_block().num_threads() + thread_block().thread_rank();
  }
  static dim3 block_index() { return simt::index_in_cluster(); }
  static dim3 dim_blocks() { return simt::cluster_extent(); }
  static dim3 thread_index() {
    const uint3 block = simt::index_in_cluster();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
            block.z * blockDim.z + threadIdx.z};
  }
  static dim3 dim_threads() {
    const uint3 blocks = simt::cluster_extent();
    return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
  }
  // The same variable in the shared memory of the block of that rank.
  template <typename T>
  static T* map_shared_rank(T* pointer, int rank, SIMT_PLACE) {
    return static_cast<T*>(
        const_cast<void*>(simt::map_shared(pointer, unsigned(rank), file, line)));
  }
  // The rank of the block in whose shared memory that lies.
  static unsigned query_shared_rank(const void* pointer, SIMT_PLACE) {
    return __cluster_query_shared_rank(pointer, file, line);
  }
};

// All blocks of the launch.
class grid_group {
 public:
  static bool is_valid() { return simt::is_cooperative(); }
  static void sync(SIMT_PLACE) { simt::sync_grid(file, line); }
  static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long num_threads() { return num_blocks() * thread_block().num_threads(); }
  static unsigned long long size() { return num_threads(); }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block().num_threads() + thread_block().thread_rank();
  }
  static dim3 block_index() { return blockIdx; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 group_dim() { return gridDim; }
  static unsigned long long cluster_rank() {
    const dim3 count = dim_clusters(), at = cluster_index();
    return (static_cast<unsigned long long>(at.z) * count.y + at.y) * count.x + at.x;
  }
  static unsigned long long num_clusters() {
    const dim3 count = dim_clusters();
    return static_cast<unsigned long long>(count.x) * count.y * count.z;
  }
  static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  static dim3 cluster_index() { return __clusterIdx(); }
};

inline thread_block this_thread_block() {
  return {};
}
inline cluster_group this_cluster() {
  return {};
}
inline grid_group this_grid() {
  return {};
}

}  // namespace cooperative_groups
#undef SIMT_PLACE
