// Barriers and shuffles. File and line of the call are part of every error message.
#pragma once
#include <cstdint>

#include "simt/api/qualifiers.h"
#include "simt/api/threads.h"

namespace simt {

template <typename T>
SIMT_UNCHECKED inline T shuffle(unsigned mask, T value, Shuffle kind, int lane, int width,
                                const char* file, int line) {
  static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = shuffle(mask, bits, kind, lane, width, file, line);
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

}  // namespace simt

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

__forceinline__ void __syncthreads(SIMT_PLACE) {
  simt::barrier(file, line);
}
// Also orders the shared memory accesses of the lanes in mask.
__forceinline__ void __syncwarp(unsigned mask = 0xffffffffu, SIMT_PLACE) {
  simt::sync_warp(mask, file, line);
}
template <typename T>
__forceinline__ T __shfl_sync(unsigned mask, T value, int lane, int width = 32, SIMT_PLACE) {
  return simt::shuffle<T>(mask, value, simt::Shuffle::Index, lane, width, file, line);
}
template <typename T>
__forceinline__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                                 SIMT_PLACE) {
  return simt::shuffle<T>(mask, value, simt::Shuffle::Up, int(delta), width, file, line);
}
template <typename T>
__forceinline__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                                   SIMT_PLACE) {
  return simt::shuffle<T>(mask, value, simt::Shuffle::Down, int(delta), width, file, line);
}
template <typename T>
__forceinline__ T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                                  SIMT_PLACE) {
  return simt::shuffle<T>(mask, value, simt::Shuffle::Xor, lane_mask, width, file, line);
}
#undef SIMT_PLACE

// Memory is sequentially consistent here; a fence alone never makes a race of a block's threads right.
__forceinline__ void __threadfence() {
  simt::fence();
}
inline void __threadfence_system() {
  simt::fence();
}
inline void __threadfence_block() {}
