// PTX of a warp's lanes, and special registers (more are in ptx_cluster.h).
#pragma once
#include "simt/shim/ptx/registers.h"
#include "simt/shim/ptx_cluster.h"

namespace simt {
namespace ptx {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <typename R>
__forceinline__ void activemask(R& to, SIMT_PLACE) {
  put<uint32_t>(to, active_mask(file, line));
}

__forceinline__ void vote_any(bool& to, bool predicate, uint32_t mask, SIMT_PLACE) {
  to = vote(mask, predicate, Vote::Any, file, line).holds != 0;
}
__forceinline__ void vote_all(bool& to, bool predicate, uint32_t mask, SIMT_PLACE) {
  const Votes votes = vote(mask, predicate, Vote::All, file, line);
  to = votes.holds == votes.voters;
}
__forceinline__ void vote_uni(bool& to, bool predicate, uint32_t mask, SIMT_PLACE) {
  const Votes votes = vote(mask, predicate, Vote::All, file, line);
  to = votes.holds == 0 || votes.holds == votes.voters;
}
template <typename R>
__forceinline__ void vote_ballot(R& to, bool predicate, uint32_t mask, SIMT_PLACE) {
  put<uint32_t>(to, vote(mask, predicate, Vote::Ballot, file, line).holds);
}

// The lowest lane of the mask.
__forceinline__ void elect(bool& is, uint32_t mask, SIMT_PLACE) {
  const uint32_t lanes = vote(mask, true, Vote::Ballot, file, line).voters;
  is = (lanes & ((1u << special_laneid()) - 1)) == 0;
}
template <typename R>
__forceinline__ void elect(R& to, bool& is, uint32_t mask, SIMT_PLACE) {
  const uint32_t lanes = vote(mask, true, Vote::Ballot, file, line).voters;
  const uint32_t first = uint32_t(__builtin_ctz(lanes));
  put<uint32_t>(to, first);
  is = first == special_laneid();
}

template <typename T, typename R, typename A>
__forceinline__ void match_any(R& to, A value, uint32_t mask, SIMT_PLACE) {
  put<uint32_t>(to, simt::match_any(mask, get<T>(value), file, line));
}
template <typename T, typename R, typename A>
__forceinline__ void match_all(R& to, bool& is, A value, uint32_t mask, SIMT_PLACE) {
  const uint32_t same = simt::match_all(mask, get<T>(value), file, line);
  is = same != 0;
  put<uint32_t>(to, same);
}
template <AtomicOp OP, typename T, typename R, typename A>
__forceinline__ void redux(R& to, A value, uint32_t mask, SIMT_PLACE) {
  constexpr bool is_signed = std::is_signed_v<T>;
  constexpr Reduction kind =
      OP == AtomicOp::op_add   ? Reduction::Add
      : OP == AtomicOp::op_min ? (is_signed ? Reduction::SignedMin : Reduction::Min)
      : OP == AtomicOp::op_max ? (is_signed ? Reduction::SignedMax : Reduction::Max)
      : OP == AtomicOp::op_and ? Reduction::And
      : OP == AtomicOp::op_or  ? Reduction::Or
                               : Reduction::Xor;
  put<T>(to, T(reduce(mask, uint32_t(get<T>(value)), kind, file, line)));
}

// As in the PTX manual: c holds a clamp in its lowest bits, and from bit 8 on the mask of a segment.
enum class ShuffleMode { up, down, bfly, idx };
template <ShuffleMode MODE, typename R, typename A>
__forceinline__ bool shuffle_lanes(R& to, A value, uint32_t b, uint32_t c, uint32_t mask,
                                   const char* file, int line) {
  const uint32_t lane = special_laneid(), segment = c >> 8 & 31;
  const uint32_t least = lane & segment, most = least | (c & 31 & ~segment);
  b &= 31;
  uint32_t from = MODE == ShuffleMode::up     ? lane - b
                  : MODE == ShuffleMode::down ? lane + b
                  : MODE == ShuffleMode::bfly ? lane ^ b
                                              : least | (b & ~segment);
  const bool inside =
      MODE == ShuffleMode::up ? int32_t(from) >= int32_t(most) : int32_t(from) <= int32_t(most);
  from = inside ? from : lane;
  const uint64_t bits =
      simt::shuffle(mask, get<uint32_t>(value), Shuffle::Index, int(from), 32, file, line);
  put<uint32_t>(to, uint32_t(bits));
  return inside;
}
#define SIMT_SHFL(mode)                                                                   \
  template <typename R, typename A>                                                       \
  __forceinline__ void shfl_##mode(R& to, A value, uint32_t b, uint32_t c, uint32_t mask, \
                                   SIMT_PLACE) {                                          \
    shuffle_lanes<ShuffleMode::mode>(to, value, b, c, mask, file, line);                  \
  }                                                                                       \
  template <typename R, typename A>                                                       \
  __forceinline__ void shfl_##mode(R& to, bool& inside, A value, uint32_t b, uint32_t c,  \
                                   uint32_t mask, SIMT_PLACE) {                           \
    inside = shuffle_lanes<ShuffleMode::mode>(to, value, b, c, mask, file, line);         \
  }
SIMT_SHFL(up)
SIMT_SHFL(down)
SIMT_SHFL(bfly)
SIMT_SHFL(idx)
#undef SIMT_SHFL

__forceinline__ void bar_warp_sync(uint32_t mask, SIMT_PLACE) {
  sync_warp(mask, file, line);
}
__forceinline__ void trap(SIMT_PLACE) {
  ptx_trap(file, line);
}
__forceinline__ void exit_thread() {
  ptx_exit();
}

// Barriers that also reduce predicates.
template <typename R>
__forceinline__ void bar_red_popc(R& to, uint32_t number, uint32_t threads, bool predicate,
                                  SIMT_PLACE) {
  put<uint32_t>(to, counting_barrier(number, threads, predicate, file, line));
}
__forceinline__ void bar_red_and(bool& to, uint32_t number, uint32_t threads, bool predicate,
                                 SIMT_PLACE) {
  to = counting_barrier(number, threads, !predicate, file, line) == 0;
}
__forceinline__ void bar_red_or(bool& to, uint32_t number, uint32_t threads, bool predicate,
                                SIMT_PLACE) {
  to = counting_barrier(number, threads, predicate, file, line) != 0;
}
// Barriers of all threads.
template <typename R>
__forceinline__ void bar_red_popc(R& to, uint32_t number, bool predicate, SIMT_PLACE) {
  bar_red_popc(to, number, 0u, predicate, file, line);
}
__forceinline__ void bar_red_and(bool& to, uint32_t number, bool predicate, SIMT_PLACE) {
  bar_red_and(to, number, 0u, predicate, file, line);
}
__forceinline__ void bar_red_or(bool& to, uint32_t number, bool predicate, SIMT_PLACE) {
  bar_red_or(to, number, 0u, predicate, file, line);
}
#undef SIMT_PLACE

#define SIMT_SPECIAL(name, T, expression) \
  __forceinline__ T special_##name() {    \
    return T(expression);                 \
  }
SIMT_SPECIAL(clock, uint32_t, special_number(SpecialNumber::Clock))
SIMT_SPECIAL(clock_hi, uint32_t, special_number(SpecialNumber::Clock) >> 32)
SIMT_SPECIAL(clock64, uint64_t, special_number(SpecialNumber::Clock))
SIMT_SPECIAL(globaltimer, uint64_t, special_number(SpecialNumber::Nanoseconds))
SIMT_SPECIAL(globaltimer_lo, uint32_t, special_number(SpecialNumber::Nanoseconds))
SIMT_SPECIAL(globaltimer_hi, uint32_t, special_number(SpecialNumber::Nanoseconds) >> 32)
SIMT_SPECIAL(smid, uint32_t, special_number(SpecialNumber::Multiprocessor))
SIMT_SPECIAL(nsmid, uint32_t, special_number(SpecialNumber::Multiprocessors))
SIMT_SPECIAL(dynamic_smem_size, uint32_t, special_number(SpecialNumber::DynamicShared))
SIMT_SPECIAL(lanemask_eq, uint32_t, 1u << special_laneid())
SIMT_SPECIAL(lanemask_lt, uint32_t, (1u << special_laneid()) - 1)
SIMT_SPECIAL(lanemask_le, uint32_t, (2u << special_laneid()) - 1)
SIMT_SPECIAL(lanemask_gt, uint32_t, ~((2u << special_laneid()) - 1))
SIMT_SPECIAL(lanemask_ge, uint32_t, ~((1u << special_laneid()) - 1))
#undef SIMT_SPECIAL

}  // namespace ptx
}  // namespace simt
