// Logs the memory accesses of each lane of a warp, and merges them into requests.
#pragma once
#include <cstdint>

#include "counting/tally.h"

namespace simt {

// An entry: the event (24 bits), and an offset in the memory space or a count (40 bits).
namespace entry {
constexpr uint64_t kShared = uint64_t(1) << 56;
constexpr uint64_t kJump = uint64_t(2) << 56;
constexpr uint64_t kOffset = (uint64_t(1) << 40) - 1;

inline uint64_t access(uint32_t site, bool shared, uint64_t offset) {
  return (shared ? kShared : 0) | uint64_t(site) << 40 | offset;
}
// `count` consecutive jumps back from the basic block at this offset in the code.
inline uint64_t jump(uint32_t block, uint32_t count) {
  return kJump | uint64_t(block) << 24 | count;
}
constexpr uint32_t kMostJumps = (1u << 24) - 1;
inline bool is_jump(uint64_t e) {
  return (e & kJump) != 0;
}
inline uint32_t site(uint64_t e) {
  return uint32_t(e >> 40) & 0xffff;
}
inline uint32_t jump_block(uint64_t e) {
  return uint32_t(e >> 24);
}
inline uint32_t jump_count(uint64_t e) {
  return uint32_t(e) & kMostJumps;
}
}  // namespace entry

// One log per lane. Lanes run one after the other, so the logs are merged when the warp has stopped. If all lanes have
// the same entry next, it is one request. If not, the lanes farthest back in the code go first, so that lanes
// reconverge after a branch or a loop. The backward jumps in the logs keep the iterations of a loop apart.
class Trace {
 public:
  static constexpr unsigned kCapacity = 1024;

  void begin_warp();
  uint64_t* end(unsigned lane) { return ends_[lane]; }
  void set_end(unsigned lane, uint64_t* end) { ends_[lane] = end; }
  uint64_t* limit(unsigned lane) { return begin(lane) + kCapacity; }
  // Whether the logs of all these lanes are full.
  bool are_full(uint32_t lanes);

  // Merges all entries. The logs are empty afterwards.
  void merge_all(Tally& tally);
  // Merges the entries whose order is certain while the lanes in `running` still log.
  void merge_some(Tally& tally, uint32_t running);

 private:
  uint64_t* begin(unsigned lane) { return logs_[lane] + kFront; }
  void merge(Tally& tally, uint32_t running);
  void merge_equal(Tally& tally, uint32_t lanes);
  bool merge_step(Tally& tally, uint32_t running);

  // Unused words before each log. They spread the logs over the sets of the L1 cache, and the last one serves as the
  // entry before the first.
  static constexpr unsigned kFront = 8;
  uint64_t logs_[32][kFront + kCapacity] = {};
  uint64_t* ends_[32];
  uint64_t* next_[32];
};

}  // namespace simt
