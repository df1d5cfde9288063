// What the warps of one block did, in order, for those who want to draw it. Costs nothing unless set.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "counting/sites.h"

namespace simt {

// The address of a lane that takes part in a request but moves no bytes (cp.async that only zeroes).
constexpr uint64_t kNoAddress = (uint64_t(1) << 40) - 1;

// The pass through the banks, counted from 0, that serves each word of a lane; kNoPass: none.
using Passes = uint8_t[32][4];
constexpr uint8_t kNoPass = 0xff;

// One instruction of a warp; or, with site == 0, that it stops at the line in at[0] of the file whose name at[2] points
// to: at a barrier of its block, or, where at[1] is 1, until a phase of an mbarrier ends.
struct WatchedEvent {
  uint64_t block = 0;
  uint32_t warp = 0, site = 0;
  bool shared = false;  // else global; a copy's destination is shared
  uint32_t mask = 0;
  uint64_t at[32] = {};  // offset of each lane in the arena or the TLS segment; or an argument
  // Where each lane's words of 4 bytes come from, as offsets in the arena, [lane * words + word]: of a copy, and of
  // a store to shared memory what settle() finds. kNoAddress: from nowhere. Empty: not known.
  std::vector<uint64_t> from;
  unsigned sectors = 0, wavefronts = 0, ideal = 0;
  bool has_passes = false;
  Passes passes;
};

// What a warp does that is no access, or TMA: with mbarriers, boxes and products of warpgroups.
struct WatchedStep {
  static constexpr uint32_t kTma = ~0u;

  const char* kind;
  uint32_t warp;  // or kTma
  int line;
  std::vector<std::pair<const char*, uint64_t>> numbers;  // by their names
  size_t events = 0;  // that were kept before it
};

// What TMA is asked for.
struct WatchedCopy {
  uint64_t global = 0, shared = 0;  // offsets of its first byte in the arena and in the TLS segment
  uint64_t barrier = kNoAddress;  // offset there of the mbarrier that it is for
  uint64_t rows = 0, bytes = 0;  // of shared memory that each row takes
  uint64_t sectors = 0;
};

// Keeps every event of some warps of a block and the global stores of all. One OS thread may run blocks while
// a Watch is set.
class Watch {
 public:
  Watch(uint64_t block, uint32_t warp, uint32_t warps)
      : block_(block), warp_(warp), warps_(warps) {}
  ~Watch() { clear(); }

  // The watch of this process, else null.
  static Watch* current() { return current_; }
  void set() { current_ = this; }
  static void clear() { current_ = nullptr; }

  bool follows(uint64_t block, uint32_t warp) const {
    return block == block_ && warp - warp_ < warps_;
  }
  // The warp whose events come next.
  void enter(uint64_t block, uint32_t warp) {
    now_block_ = block;
    now_warp_ = warp;
  }
  // An event of that warp, to be filled in; null if nobody wants it.
  WatchedEvent* add(uint32_t site, bool shared, uint32_t mask, const uint64_t* at);

  // Keeps a copy; returns its number, which the lane's event has for an offset.
  uint64_t keep(const WatchedCopy& copy) {
    copies_.push_back(copy);
    return copies_.size() - 1;
  }
  // Keeps at most so many events and steps from now on, together.
  void limit(size_t events) { room_ = events; }
  // Those that came when there was no more room.
  uint64_t left_out() const { return left_out_; }
  // Forgets all that it has kept, which makes no room.
  void forget();
  const WatchedCopy& copy(uint64_t number) const { return copies_[number]; }

  // That warp has stopped: finds where the words come from that it has stored in shared memory. They are those of
  // its lanes' latest loads that have the same values. global, shared: where the two memories begin.
  void settle(const char* global, const char* shared);

  const std::vector<WatchedEvent>& events() const { return events_; }

  // That of this process if it follows the block, else null.
  static Watch* of(uint64_t block) {
    return current_ != nullptr && current_->block_ == block ? current_ : nullptr;
  }
  // A step of a lane. The waits of a warp's lanes for one phase are one.
  void step(WatchedStep step);
  const std::vector<WatchedStep>& steps() const { return steps_; }

 private:
  bool take_room();
  static void find_sources(WatchedEvent& store, const std::vector<const WatchedEvent*>& loads,
                           const char* global, const char* shared);

  static Watch* current_;

  uint64_t block_, now_block_ = 0;
  uint32_t warp_, warps_, now_warp_ = 0;
  std::vector<WatchedEvent> events_;
  std::vector<WatchedCopy> copies_;
  std::vector<WatchedStep> steps_;
  size_t settled_ = 0;  // events before this one
  size_t room_ = ~size_t(0);  // for further events and steps
  uint64_t left_out_ = 0;
};

}  // namespace simt
