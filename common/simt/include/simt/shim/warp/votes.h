// A warp's votes, matches and reductions; barriers that count; the clock.
#pragma once
#include <time.h>

#include <cstdint>
#include <type_traits>

#include "simt/api/qualifiers.h"
#include "simt/api/threads.h"

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// Barriers of the block that also tell for how many threads the predicate holds, whether for all, or for any.
__forceinline__ int __syncthreads_count(int predicate, SIMT_PLACE) {
  return int(simt::barrier_count(predicate != 0, file, line));
}
__forceinline__ int __syncthreads_and(int predicate, SIMT_PLACE) {
  return simt::barrier_count(predicate == 0, file, line) == 0;
}
__forceinline__ int __syncthreads_or(int predicate, SIMT_PLACE) {
  return simt::barrier_count(predicate != 0, file, line) != 0;
}

// The lanes at this call when all others of the warp wait elsewhere or have exited. CUDA promises less: only that the
// own lane is one of them.
__forceinline__ unsigned __activemask(SIMT_PLACE) {
  return simt::active_mask(file, line);
}
__forceinline__ int __all_sync(unsigned mask, int predicate, SIMT_PLACE) {
  const simt::Votes votes = simt::vote(mask, predicate != 0, simt::Vote::All, file, line);
  return votes.voters == votes.holds;
}
__forceinline__ int __any_sync(unsigned mask, int predicate, SIMT_PLACE) {
  return simt::vote(mask, predicate != 0, simt::Vote::Any, file, line).holds != 0;
}
__forceinline__ unsigned __ballot_sync(unsigned mask, int predicate, SIMT_PLACE) {
  return simt::vote(mask, predicate != 0, simt::Vote::Ballot, file, line).holds;
}

namespace simt {

// Compares values bit by bit. Small ones become int, as with CUDA's overloads.
template <typename T>
SIMT_UNCHECKED inline uint64_t match_bits(T value) {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "CUDA matches numbers of 4 or 8 bytes");
  if constexpr (sizeof(T) < 4) {
    return uint64_t(int(value));
  } else {
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
  }
}

}  // namespace simt

// The lanes of the mask that have the same value.
template <typename T>
__forceinline__ unsigned __match_any_sync(unsigned mask, T value, SIMT_PLACE) {
  return simt::match_any(mask, simt::match_bits(value), file, line);
}
// The mask if all its lanes have the same value, else 0. *same tells which.
template <typename T>
__forceinline__ unsigned __match_all_sync(unsigned mask, T value, int* same, SIMT_PLACE) {
  const unsigned result = simt::match_all(mask, simt::match_bits(value), file, line);
  *same = result != 0;
  return result;
}

#define SIMT_REDUCE(name, T, kind)                                                    \
  __forceinline__ T __reduce_##name##_sync(unsigned mask, T value, SIMT_PLACE) {      \
    return T(simt::reduce(mask, unsigned(value), simt::Reduction::kind, file, line)); \
  }
SIMT_REDUCE(add, unsigned, Add)
SIMT_REDUCE(add, int, Add)
SIMT_REDUCE(min, unsigned, Min)
SIMT_REDUCE(min, int, SignedMin)
SIMT_REDUCE(max, unsigned, Max)
SIMT_REDUCE(max, int, SignedMax)
SIMT_REDUCE(and, unsigned, And)
SIMT_REDUCE(or, unsigned, Or)
SIMT_REDUCE(xor, unsigned, Xor)
#undef SIMT_REDUCE

// Nanoseconds of this machine instead of clock cycles. clock() is the C library's, in microseconds.
__forceinline__ long long clock64() {
  return static_cast<long long>(simt::now_in_nanoseconds());
}
// No effect: threads of a block take turns in any case.
__forceinline__ void __nanosleep(unsigned) {}
__forceinline__ void __prof_trigger(int) {}
[[noreturn]] __forceinline__ void __trap(SIMT_PLACE) {
  simt::trap(file, line);
}
#undef SIMT_PLACE
