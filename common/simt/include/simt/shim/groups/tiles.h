// Groups within a warp: tiles of a power of two lanes, and coalesced lanes.
#pragma once
#include <type_traits>
#include <utility>

#include "simt/shim/groups/blocks.h"
#include "simt/shim/groups/lanes.h"

namespace cooperative_groups {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

class thread_group;

// The operations of all groups of lanes. Lanes are numbered by their ranks in the group.
class lane_group {
 public:
  explicit lane_group(unsigned mask, unsigned part = 0, unsigned parts = 1)
      : lanes_(mask), part_(part), parts_(parts) {}

  void sync(SIMT_PLACE) const { lanes_.sync(file, line); }
  unsigned thread_rank() const { return lanes_.rank_of(simt::ptx::special_laneid()); }
  unsigned meta_group_rank() const { return part_; }
  unsigned meta_group_size() const { return parts_; }

  template <typename T>
  __forceinline__ ::std::decay_t<T> shfl(T&& value, int rank, SIMT_PLACE) const {
    return lanes_.take<::std::decay_t<T>>(value, unsigned(rank), file, line);
  }
  template <typename T>
  __forceinline__ ::std::decay_t<T> shfl_up(T&& value, unsigned delta, SIMT_PLACE) const {
    const unsigned self = thread_rank();
    return lanes_.take<::std::decay_t<T>>(value, self < delta ? self : self - delta, file, line);
  }
  // A lane gets its own value if there is no such lane.
  template <typename T>
  __forceinline__ ::std::decay_t<T> shfl_down(T&& value, unsigned delta, SIMT_PLACE) const {
    return lanes_.take<::std::decay_t<T>>(value, thread_rank() + delta, file, line);
  }

  __forceinline__ int any(int predicate, SIMT_PLACE) const {
    return lanes_.ballot(predicate != 0, file, line) != 0;
  }
  __forceinline__ int all(int predicate, SIMT_PLACE) const {
    return lanes_.ballot(predicate == 0, file, line) == 0;
  }
  __forceinline__ unsigned ballot(int predicate, SIMT_PLACE) const {
    return lanes_.by_rank(lanes_.ballot(predicate != 0, file, line));
  }
  template <typename T>
  __forceinline__ unsigned match_any(T value, SIMT_PLACE) const {
    return lanes_.by_rank(lanes_.match(value, file, line).same);
  }
  // All ranks if all values are equal, else 0. `same` tells which.
  template <typename T>
  __forceinline__ unsigned match_all(T value, int& same, SIMT_PLACE) const {
    const simt::LaneMatch match = lanes_.match(value, file, line);
    same = match.parts == 1;
    return same != 0 ? lanes_.by_rank(match.same) : 0;
  }

  const simt::LaneSet& lanes() const { return lanes_; }

 private:
  simt::LaneSet lanes_;
  unsigned part_, parts_;  // number of this group among those of its parent
};

// SIZE neighbouring lanes. PARENT: the group that was divided, or void.
template <unsigned SIZE, typename PARENT = void>
class thread_block_tile : public lane_group {
  static_assert(SIZE >= 1 && SIZE <= 32 && (SIZE & (SIZE - 1)) == 0,
                "thread_block_tile: the CPU backend has tiles of 1, 2, 4, 8, 16 and 32 threads");

 public:
  using lane_group::lane_group;
  template <typename OTHER>
  thread_block_tile(const thread_block_tile<SIZE, OTHER>& other)  // NOLINT: as CUDA's
      : lane_group(other) {}

  static constexpr unsigned size() { return SIZE; }
  static constexpr unsigned num_threads() { return SIZE; }
  static unsigned thread_rank() { return simt::ptx::thread_in_block() % SIZE; }

  template <typename T>
  __forceinline__ ::std::decay_t<T> shfl(T&& value, int rank, SIMT_PLACE) const {
    return lanes().template take<::std::decay_t<T>>(value, unsigned(rank) % SIZE, file, line);
  }
  template <typename T>
  __forceinline__ ::std::decay_t<T> shfl_xor(T&& value, unsigned mask, SIMT_PLACE) const {
    return lanes().template take<::std::decay_t<T>>(value, thread_rank() ^ mask, file, line);
  }
};

// Lanes that are together at some line of the code.
class coalesced_group : public lane_group {
 public:
  using lane_group::lane_group;
  unsigned size() const { return lanes().size(); }
  unsigned num_threads() const { return size(); }
};

// A group of a kind that the compiler does not know: a block, or lanes.
class thread_group {
 public:
  thread_group(const thread_block&) {}  // NOLINT: as CUDA's
  template <unsigned SIZE, typename PARENT>
  thread_group(const thread_block_tile<SIZE, PARENT>& tile)
      : mask_(tile.lanes().mask()) {}  // NOLINT
  thread_group(const coalesced_group& group) : mask_(group.lanes().mask()) {}  // NOLINT

  void sync(SIMT_PLACE) const {
    mask_ == 0 ? simt::barrier(file, line) : simt::sync_lanes(mask_, file, line);
  }
  unsigned thread_rank() const {
    return mask_ == 0 ? simt::ptx::thread_in_block()
                      : simt::LaneSet(mask_).rank_of(simt::ptx::special_laneid());
  }
  unsigned size() const { return mask_ == 0 ? thread_block().size() : simt::LaneSet(mask_).size(); }
  unsigned num_threads() const { return size(); }
  unsigned mask() const { return mask_; }

 private:
  unsigned mask_ = 0;  // 0: the block
};

__forceinline__ coalesced_group coalesced_threads(SIMT_PLACE) {
  return coalesced_group(simt::active_mask(file, line));
}

// The lanes of the running thread's warp in the same tile of SIZE lanes.
template <unsigned SIZE>
__forceinline__ unsigned tile_mask() {
  const unsigned first = simt::ptx::special_laneid() / SIZE * SIZE;
  return (SIZE == 32 ? ~0u : (1u << SIZE % 32) - 1) << first;
}

template <unsigned SIZE>
__forceinline__ thread_block_tile<SIZE, thread_block> tiled_partition(const thread_block& block) {
  return thread_block_tile<SIZE, thread_block>(tile_mask<SIZE>(), block.thread_rank() / SIZE,
                                               (block.size() + SIZE - 1) / SIZE);
}
template <unsigned SIZE, unsigned OUTER, typename PARENT>
__forceinline__ thread_block_tile<SIZE, thread_block_tile<OUTER, PARENT>> tiled_partition(
    const thread_block_tile<OUTER, PARENT>& tile) {
  static_assert(SIZE <= OUTER, "tiled_partition: a tile cannot be larger than what it is cut from");
  return thread_block_tile<SIZE, thread_block_tile<OUTER, PARENT>>(
      tile_mask<SIZE>(), tile.thread_rank() / SIZE, OUTER / SIZE);
}

// Parts of `size` neighbours of a group, by rank. The last part may be smaller.
inline coalesced_group neighbours(const simt::LaneSet& lanes, unsigned size) {
  const unsigned rank = lanes.rank_of(simt::ptx::special_laneid());
  unsigned mask = 0;
  for (unsigned i = rank / size * size; i < rank / size * size + size && i < lanes.size(); ++i) {
    mask |= 1u << lanes.lane_of(i);
  }
  return coalesced_group(mask, rank / size, (lanes.size() + size - 1) / size);
}
inline coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
  return neighbours(group.lanes(), size);
}
inline thread_group tiled_partition(const thread_group& group, unsigned size) {
  if (group.mask() != 0) {
    return neighbours(simt::LaneSet(group.mask()), size);
  }
  const unsigned warp = simt::ptx::thread_in_block() / 32 * 32, left = group.size() - warp;
  return neighbours(simt::LaneSet(left >= 32 ? ~0u : (1u << left) - 1), size);
}

// The lanes of the group with the same label.
template <typename Group, typename T>
__forceinline__ coalesced_group labeled_partition(const Group& group, T label, SIMT_PLACE) {
  static_assert(::std::is_integral_v<T>, "labeled_partition: a label is an integer");
  const simt::LaneMatch match = group.lanes().match(label, file, line);
  return coalesced_group(match.same, match.part, match.parts);
}
template <typename Group>
__forceinline__ coalesced_group binary_partition(const Group& group, bool predicate, SIMT_PLACE) {
  const simt::LaneMatch match = group.lanes().match(predicate, file, line);
  return coalesced_group(match.same, match.part, match.parts);
}

template <typename Group>
__forceinline__ void sync(const Group& group, SIMT_PLACE) {
  group.sync(file, line);
}
template <typename Group>
__forceinline__ unsigned thread_rank(const Group& group) {
  return unsigned(group.thread_rank());
}
template <typename Group>
__forceinline__ unsigned group_size(const Group& group) {
  return unsigned(group.size());
}

// One thread of the group calls it.
template <typename Group, typename Function, typename... Args>
__forceinline__ void invoke_one(const Group& group, Function&& function, Args&&... args) {
  if (group.thread_rank() == 0) {
    ::std::forward<Function>(function)(::std::forward<Args>(args)...);
  }
}
// The same; all threads get its result.
template <typename Group, typename Function, typename... Args>
__forceinline__ auto invoke_one_broadcast(const Group& group, Function&& function, Args&&... args)
    -> ::std::decay_t<decltype(function(::std::forward<Args>(args)...))> {
  ::std::decay_t<decltype(function(::std::forward<Args>(args)...))> result{};
  if (group.thread_rank() == 0) {
    result = ::std::forward<Function>(function)(::std::forward<Args>(args)...);
  }
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
#undef SIMT_PLACE
