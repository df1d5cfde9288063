// Cooperative groups: the block and its cluster. Others are refused.
#pragma once
#include "simt/api/cluster.h"
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
};

class cluster_group {
 public:
  void barrier_arrive(SIMT_PLACE) const { simt::cluster_arrive(false, file, line); }
  void barrier_wait(SIMT_PLACE) const { simt::cluster_wait(file, line); }
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
  // The same variable in the shared memory of the block of that rank.
  template <typename T>
  T* map_shared_rank(T* pointer, int rank, SIMT_PLACE) const {
    return static_cast<T*>(
        const_cast<void*>(simt::map_shared(pointer, unsigned(rank), file, line)));
  }
};
#undef SIMT_PLACE

inline thread_block this_thread_block() {
  return {};
}
inline cluster_group this_cluster() {
  return {};
}
template <typename Group>
__forceinline__ void sync(const Group& group, const char* file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
  group.sync(file, line);
}

}  // namespace cooperative_groups
