// Barriers and shuffles. Every error message has the file and line of the call.
#pragma once
#include <cstdint>
#include <type_traits>

#include "simt/api/qualifiers.h"
#include "simt/api/threads.h"
#include "simt/shim/warp/votes.h"

struct __half2;
struct __nv_bfloat16;
struct __nv_bfloat162;
struct __half;

namespace simt {

// Numbers of 8 and 16 bits become int, as with CUDA's overloads. The types of cuda_fp16.h stay as they are.
template <typename T>
constexpr bool is_half = std::is_same_v<T, __half> || std::is_same_v<T, __half2> ||
                         std::is_same_v<T, __nv_bfloat16> || std::is_same_v<T, __nv_bfloat162>;
template <typename T>
using Moved = std::conditional_t<is_half<T> || (sizeof(T) >= 4 && !std::is_enum_v<T>), T, int>;

template <typename T>
SIMT_UNCHECKED inline T shuffle(unsigned mask, T value, Shuffle kind, int lane, int width,
                                const char* file, int line) {
  static_assert(
      is_half<T> || (std::is_arithmetic_v<T> && sizeof(T) <= 8),
      "CUDA shuffles numbers of at most 8 bytes, half and __nv_bfloat16, and pairs of these");
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
// Also orders the shared-memory accesses of the lanes in mask.
__forceinline__ void __syncwarp(unsigned mask = 0xffffffffu, SIMT_PLACE) {
  simt::sync_warp(mask, file, line);
}
template <typename T>
__forceinline__ simt::Moved<T> __shfl_sync(unsigned mask, T value, int lane, int width = 32,
                                           SIMT_PLACE) {
  return simt::shuffle<simt::Moved<T>>(mask, value, simt::Shuffle::Index, lane, width, file, line);
}
template <typename T>
__forceinline__ simt::Moved<T> __shfl_up_sync(unsigned mask, T value, unsigned delta,
                                              int width = 32, SIMT_PLACE) {
  return simt::shuffle<simt::Moved<T>>(mask, value, simt::Shuffle::Up, int(delta), width, file,
                                       line);
}
template <typename T>
__forceinline__ simt::Moved<T> __shfl_down_sync(unsigned mask, T value, unsigned delta,
                                                int width = 32, SIMT_PLACE) {
  return simt::shuffle<simt::Moved<T>>(mask, value, simt::Shuffle::Down, int(delta), width, file,
                                       line);
}
template <typename T>
__forceinline__ simt::Moved<T> __shfl_xor_sync(unsigned mask, T value, int lane_mask,
                                               int width = 32, SIMT_PLACE) {
  return simt::shuffle<simt::Moved<T>>(mask, value, simt::Shuffle::Xor, lane_mask, width, file,
                                       line);
}
#undef SIMT_PLACE

// Memory is sequentially consistent here. A fence alone never resolves a race between threads of a block.
__forceinline__ void __threadfence() {
  simt::fence();
}
inline void __threadfence_system() {
  simt::fence();
}
inline void __threadfence_block() {}
