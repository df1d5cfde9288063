// Operations of a group's lanes. A group is a mask of lanes of one warp; a lane's rank is its place in it.
#pragma once
#include <cstdint>
#include <type_traits>

#include "simt/api/groups.h"
#include "simt/api/qualifiers.h"
#include "simt/shim/vector_types.h"

namespace simt {

// Calls use(lane, argument) for each lane of the group.
template <typename Argument, typename Use>
SIMT_UNCHECKED inline void for_lanes(void* const arguments[32], Use use) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (arguments[lane] != nullptr) {
      use(lane, *static_cast<Argument*>(arguments[lane]));
    }
  }
}

// The value that a lane passes, and the value of lane `source` that it gets; its own if the group has no such lane.
template <typename T>
struct PassedValue {
  const T* mine;
  T* result;
  unsigned source;

  SIMT_UNCHECKED static void exchange(void* const arguments[32]) {
    for_lanes<PassedValue>(arguments, [&](unsigned, PassedValue& to) SIMT_UNCHECKED {
      const void* const from = to.source < 32 ? arguments[to.source] : nullptr;
      const T* const value =
          from != nullptr ? static_cast<const PassedValue*>(from)->mine : to.mine;
      __builtin_memcpy(static_cast<void*>(to.result), value, sizeof(T));
    });
  }
};

struct LaneVote {
  bool holds;
  unsigned result;  // the lanes where it does

  SIMT_UNCHECKED static void count(void* const arguments[32]) {
    unsigned holds = 0;
    for_lanes<LaneVote>(arguments, [&](unsigned lane, const LaneVote& from)
                                       SIMT_UNCHECKED { holds |= unsigned(from.holds) << lane; });
    for_lanes<LaneVote>(arguments,
                        [&](unsigned, LaneVote& to) SIMT_UNCHECKED { to.result = holds; });
  }
};

// Lanes with the same bits form one part. Parts are numbered in the order of their first lanes.
struct LaneMatch {
  uint64_t bits;
  unsigned same, part, parts;

  SIMT_UNCHECKED static void compare(void* const arguments[32]) {
    unsigned parts = 0;
    for_lanes<LaneMatch>(arguments, [&](unsigned lane, LaneMatch& to) SIMT_UNCHECKED {
      to.same = 0;
      for_lanes<LaneMatch>(arguments, [&](unsigned other, const LaneMatch& from) SIMT_UNCHECKED {
        to.same |= unsigned(from.bits == to.bits) << other;
      });
      const unsigned first = unsigned(__builtin_ctz(to.same));
      to.part = first == lane ? parts++ : static_cast<const LaneMatch*>(arguments[first])->part;
    });
    for_lanes<LaneMatch>(arguments,
                         [&](unsigned, LaneMatch& to) SIMT_UNCHECKED { to.parts = parts; });
  }
};

class LaneSet {
 public:
  explicit LaneSet(unsigned mask) : mask_(mask) {}

  unsigned mask() const { return mask_; }
  unsigned size() const { return unsigned(__builtin_popcount(mask_)); }
  // The rank of a lane: the number of the group's lanes before it.
  unsigned rank_of(unsigned lane) const {
    return unsigned(__builtin_popcount(mask_ & ((1u << lane) - 1)));
  }
  // The lane of that rank; 32 if there is none.
  SIMT_UNCHECKED unsigned lane_of(unsigned rank) const {
    unsigned rest = mask_;
    for (; rank > 0 && rest != 0; --rank) {
      rest &= rest - 1;
    }
    return rest == 0 ? 32 : unsigned(__builtin_ctz(rest));
  }
  // A set of lanes as bits by rank.
  SIMT_UNCHECKED unsigned by_rank(unsigned lanes) const {
    unsigned result = 0;
    for (unsigned rest = mask_, rank = 0; rest != 0; rest &= rest - 1, ++rank) {
      result |= (lanes >> __builtin_ctz(rest) & 1) << rank;
    }
    return result;
  }

  void sync(const char* file, int line) const { sync_lanes(mask_, file, line); }
  template <typename T>
  SIMT_UNCHECKED T take(T value, unsigned rank, const char* file, int line) const {
    static_assert(kCopiedByBytes<T>, "groups shuffle what can be copied by bytes");
    static_assert(sizeof(T) <= 32, "groups shuffle at most 32 bytes");
    T result = value;
    PassedValue<T> passed{&value, &result, lane_of(rank)};
    meet_lanes(mask_, &passed, PassedValue<T>::exchange, file, line);
    return result;
  }
  SIMT_UNCHECKED unsigned ballot(bool holds, const char* file, int line) const {
    LaneVote vote{holds, 0};
    meet_lanes(mask_, &vote, LaneVote::count, file, line);
    return vote.result;
  }
  template <typename T>
  SIMT_UNCHECKED LaneMatch match(T value, const char* file, int line) const {
    static_assert(sizeof(T) <= 8, "groups match values of at most 8 bytes");
    LaneMatch match{0, 0, 0, 0};
    __builtin_memcpy(&match.bits, &value, sizeof value);
    meet_lanes(mask_, &match, LaneMatch::compare, file, line);
    return match;
  }

 private:
  unsigned mask_;
};

}  // namespace simt
