// What the warps of one block did, in order, for those who want to draw it. Costs nothing unless set.
#pragma once
#include <cstdint>
#include <vector>

#include "common/simt/counting/sites.h"

namespace simt {

// The pass through the banks, counted from 0, that serves each word of a lane; kNoPass: none.
using Passes = uint8_t[32][4];
constexpr uint8_t kNoPass = 0xff;

// One instruction of a warp, or a barrier of its block: site == 0, and its line in at[0].
struct WatchedEvent {
  uint64_t block = 0;
  uint32_t warp = 0, site = 0;
  bool shared = false;  // else global; a copy's destination is shared
  uint32_t mask = 0;
  uint64_t at[32] = {};  // offset of each lane in the arena or the TLS segment; or an argument
  uint64_t from[32] = {};  // of a copy: offset in the arena
  unsigned sectors = 0, wavefronts = 0, ideal = 0;
  bool has_passes = false;
  Passes passes;
};

// Keeps every event of one warp and the global stores of all. One OS thread may run blocks while
// a Watch is set.
class Watch {
 public:
  Watch(uint64_t block, uint32_t warp) : block_(block), warp_(warp) {}
  ~Watch() { clear(); }

  // The watch of this process, else null.
  static Watch* current() { return current_; }
  void set() { current_ = this; }
  static void clear() { current_ = nullptr; }

  bool follows(uint64_t block, uint32_t warp) const { return block == block_ && warp == warp_; }
  // The warp whose events come next.
  void enter(uint64_t block, uint32_t warp) {
    now_block_ = block;
    now_warp_ = warp;
  }
  // An event of that warp, to be filled in; null if nobody wants it.
  WatchedEvent* add(uint32_t site, bool shared, uint32_t mask, const uint64_t* at);

  const std::vector<WatchedEvent>& events() const { return events_; }

 private:
  static Watch* current_;

  uint64_t block_, now_block_ = 0;
  uint32_t warp_, now_warp_ = 0;
  std::vector<WatchedEvent> events_;
};

}  // namespace simt
