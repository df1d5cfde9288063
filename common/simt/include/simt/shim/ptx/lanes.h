// PTX of a warp's lanes, and special registers beside those of ptx_cluster.h.
#pragma once
#include "simt/shim/ptx/registers.h"
#include "simt/shim/ptx_cluster.h"

namespace simt {
namespace ptx {

#define SIMT_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// The lanes of the mask in which the predicate holds; present: those of the mask that exist.
__forceinline__ uint32_t ballot(bool predicate, uint32_t mask, uint32_t& present, const char* file,
                                int line) {
  Lanes all;
  gather_lanes(mask, predicate, all, file, line);
  uint32_t votes = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    votes |= uint32_t((all.present >> lane & 1) != 0 && all.value[lane] != 0) << lane;
  }
  present = all.present;
  return votes;
}
__forceinline__ void vote_any(bool& to, bool predicate, uint32_t mask, SIMT_PLACE) {
  uint32_t present;
  to = ballot(predicate, mask, present, file, line) != 0;
}
__forceinline__ void vote_all(bool& to, bool predicate, uint32_t mask, SIMT_PLACE) {
  uint32_t present;
  to = ballot(predicate, mask, present, file, line) == present;
}
__forceinline__ void vote_uni(bool& to, bool predicate, uint32_t mask, SIMT_PLACE) {
  uint32_t present;
  const uint32_t votes = ballot(predicate, mask, present, file, line);
  to = votes == 0 || votes == present;
}
template <typename R>
__forceinline__ void vote_ballot(R& to, bool predicate, uint32_t mask, SIMT_PLACE) {
  uint32_t present;
  put<uint32_t>(to, ballot(predicate, mask, present, file, line));
}

// The lowest lane of the mask.
__forceinline__ void elect(bool& is, uint32_t mask, SIMT_PLACE) {
  Lanes all;
  gather_lanes(mask, 0, all, file, line);
  is = (all.present & ((1u << special_laneid()) - 1)) == 0;
}
template <typename R>
__forceinline__ void elect(R& to, bool& is, uint32_t mask, SIMT_PLACE) {
  Lanes all;
  gather_lanes(mask, 0, all, file, line);
  const uint32_t first = uint32_t(__builtin_ctz(all.present));
  put<uint32_t>(to, first);
  is = first == special_laneid();
}

__forceinline__ uint32_t lanes_with(const Lanes& all, uint64_t value) {
  uint32_t same = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    same |= uint32_t((all.present >> lane & 1) != 0 && all.value[lane] == value) << lane;
  }
  return same;
}
template <typename T, typename R, typename A>
__forceinline__ void match_any(R& to, A value, uint32_t mask, SIMT_PLACE) {
  Lanes all;
  gather_lanes(mask, get<T>(value), all, file, line);
  put<uint32_t>(to, lanes_with(all, get<T>(value)));
}
template <typename T, typename R, typename A>
__forceinline__ void match_all(R& to, bool& is, A value, uint32_t mask, SIMT_PLACE) {
  Lanes all;
  gather_lanes(mask, get<T>(value), all, file, line);
  is = lanes_with(all, get<T>(value)) == all.present;
  put<uint32_t>(to, is ? all.present : 0);
}
template <AtomicOp OP, typename T, typename R, typename A>
__forceinline__ void redux(R& to, A value, uint32_t mask, SIMT_PLACE) {
  Lanes all;
  gather_lanes(mask, uint32_t(get<T>(value)), all, file, line);
  T result{};
  bool first = true;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((all.present >> lane & 1) == 0) continue;
    const T x = T(uint32_t(all.value[lane]));
    result = first                    ? x
             : OP == AtomicOp::op_add ? T(uint32_t(result) + uint32_t(x))
             : OP == AtomicOp::op_min ? (x < result ? x : result)
             : OP == AtomicOp::op_max ? (x > result ? x : result)
             : OP == AtomicOp::op_and ? T(result & x)
             : OP == AtomicOp::op_or  ? T(result | x)
                                      : T(result ^ x);
    first = false;
  }
  put<T>(to, result);
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
