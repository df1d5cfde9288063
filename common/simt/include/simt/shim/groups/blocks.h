// Groups of whole blocks: the block, its cluster, the grid.
#pragma once
#include "simt/api/cluster.h"
#include "simt/api/groups.h"
#include "simt/shim/ptx_cluster.h"
#include "simt/shim/warp.h"

namespace cooperative_groups {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

class thread_block {
 public:
  void sync(SIMT_PLACE) const { simt::barrier(file, line); }
  unsigned thread_rank() const { return simt::ptx::thread_in_block(); }
  unsigned num_threads() const { return blockDim.x * blockDim.y * blockDim.z; }
  unsigned size() const { return num_threads(); }
  dim3 thread_index() const { return threadIdx; }
  dim3 group_index() const { return blockIdx; }
  dim3 dim_threads() const { return blockDim; }
  dim3 group_dim() const { return blockDim; }
};

class cluster_group {
 public:
  struct arrival_token {};

  arrival_token barrier_arrive(SIMT_PLACE) const {
    simt::cluster_arrive(false, file, line);
    return {};
  }
  void barrier_wait(SIMT_PLACE) const { simt::cluster_wait(file, line); }
  void barrier_wait(arrival_token&&, SIMT_PLACE) const { simt::cluster_wait(file, line); }
  void sync(SIMT_PLACE) const {
    simt::cluster_arrive(false, file, line);
    simt::cluster_wait(file, line);
  }
  unsigned block_rank() const { return simt::rank_in_cluster(); }
  unsigned num_blocks() const { return simt::ptx::special_cluster_nctarank(); }
  unsigned num_threads() const { return num_blocks() * thread_block().num_threads(); }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const {
    return block_rank() * thread_block().num_threads() + thread_block().thread_rank();
  }
  dim3 block_index() const { return simt::index_in_cluster(); }
  dim3 dim_blocks() const { return simt::cluster_extent(); }
  dim3 thread_index() const {
    const uint3 block = simt::index_in_cluster();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
            block.z * blockDim.z + threadIdx.z};
  }
  dim3 dim_threads() const {
    const uint3 blocks = simt::cluster_extent();
    return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
  }
  // The same variable in the shared memory of the block of that rank.
  template <typename T>
  T* map_shared_rank(T* pointer, int rank, SIMT_PLACE) const {
    return static_cast<T*>(
        const_cast<void*>(simt::map_shared(pointer, unsigned(rank), file, line)));
  }
  // The rank of the block in whose shared memory that lies.
  unsigned query_shared_rank(const void* pointer, SIMT_PLACE) const {
    return simt::shared_address(pointer, file, line) >> 24;
  }
};

// All blocks of the launch.
class grid_group {
 public:
  bool is_valid() const { return simt::is_cooperative(); }
  void sync(SIMT_PLACE) const { simt::sync_grid(file, line); }
  unsigned long long block_rank() const {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  unsigned long long num_blocks() const {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  unsigned long long num_threads() const { return num_blocks() * thread_block().num_threads(); }
  unsigned long long size() const { return num_threads(); }
  unsigned long long thread_rank() const {
    return block_rank() * thread_block().num_threads() + thread_block().thread_rank();
  }
  dim3 block_index() const { return blockIdx; }
  dim3 dim_blocks() const { return gridDim; }
  dim3 group_dim() const { return gridDim; }
  unsigned long long cluster_rank() const {
    const dim3 count = dim_clusters(), at = cluster_index();
    return (static_cast<unsigned long long>(at.z) * count.y + at.y) * count.x + at.x;
  }
  unsigned long long num_clusters() const {
    const dim3 count = dim_clusters();
    return static_cast<unsigned long long>(count.x) * count.y * count.z;
  }
  dim3 dim_clusters() const {
    const uint3 extent = simt::cluster_extent();
    return {gridDim.x / extent.x, gridDim.y / extent.y, gridDim.z / extent.z};
  }
  dim3 cluster_index() const {
    const uint3 extent = simt::cluster_extent();
    return {blockIdx.x / extent.x, blockIdx.y / extent.y, blockIdx.z / extent.z};
  }
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
