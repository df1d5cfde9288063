// Asynchronous copies from global to shared memory by a group.
#pragma once
#include "simt/names/begin.h"

#include "simt/shim/cuda/memcpy_async.h"
#include "simt/shim/groups/tiles.h"

namespace cooperative_groups {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// Each call is a stage of its own for wait_prior().
template <typename Group, typename To, typename From, typename Size>
__forceinline__ void memcpy_async(const Group& group, To* to, const From* from, const Size& bytes,
                                  SIMT_PLACE) {
  simt::copy_units<simt::alignment_of_copy<To, Size>()>(
      group, to, from, bytes, [=](void* shared, const void* global, size_t size) {
        simt::copy_async(shared, global, size, 0, file, line);
      });
  simt::pipeline_commit();
}
// Copies the smaller of two numbers of elements.
template <typename Group, typename T, typename ToSize, typename FromSize>
__forceinline__ void memcpy_async(const Group& group, T* to, const ToSize& room, const T* from,
                                  const FromSize& count, SIMT_PLACE) {
  const size_t elements = size_t(room) < size_t(count) ? size_t(room) : size_t(count);
  memcpy_async(group, to, from, elements * sizeof(T), file, line);
}
// Waits until all copies of the group but the last STAGES are complete, for all its threads.
template <unsigned STAGES, typename Group>
__forceinline__ void wait_prior(const Group& group, SIMT_PLACE) {
  simt::pipeline_wait(STAGES);
  group.sync(file, line);
}
template <typename Group>
__forceinline__ void wait(const Group& group, SIMT_PLACE) {
  wait_prior<0>(group, file, line);
}

}  // namespace cooperative_groups
#undef SIMT_PLACE

#include "simt/names/end.h"
