// The events of one block's warps, in order, for pictures and traces. Costs nothing unless set.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "counting/sites.h"

namespace simt {

// The address of a lane that takes part in a request but reads nothing (a cp.async that only writes zeros).
constexpr uint64_t kNoAddress = (uint64_t(1) << 40) - 1;

// The wavefront, counted from 0, that serves each word of a lane; kNoWavefront: none.
using WavefrontOf = uint8_t[32][4];
constexpr uint8_t kNoWavefront = 0xff;

// One instruction of a warp. With site == 0, the warp stops at the line at[0] of the file whose name at[2] points to:
// at a barrier of its block or, if at[1] is 1, at a wait for a phase of an mbarrier.
struct WatchedEvent {
  uint64_t block = 0;
  uint32_t warp = 0, site = 0;
  bool shared = false;  // else global; a copy counts as shared, by its destination
  uint32_t mask = 0;
  uint64_t at[32] = {};  // offset of each lane in the arena or the TLS segment; or an argument
  // The sources of each lane's words of 4 bytes, as offsets in the arena, [lane * words + word]: those of a copy, and
  // those that settle() finds for a store to shared memory. kNoAddress: no source. Empty: not known.
  std::vector<uint64_t> from;
  unsigned sectors = 0, wavefronts = 0, ideal = 0;
  bool has_wavefront_of = false;
  WavefrontOf wavefront_of;
};

// A step of a warp or of TMA that is no access: at an mbarrier, with a box, or with a wgmma product.
struct WatchedStep {
  static constexpr uint32_t kTma = ~0u;

  const char* kind;
  uint32_t warp;  // or kTma
  int line;
  // If not null, the address whose line counts: the kernel's call of a function with inline PTX.
  const void* call;
  std::vector<std::pair<const char*, uint64_t>> numbers;  // with their names
  size_t events = 0;  // number of earlier events
};

// A copy by TMA.
struct WatchedCopy {
  uint64_t global = 0, shared = 0;  // offsets of its first byte in the arena and in the TLS segment
  uint64_t barrier = kNoAddress;  // offset of its mbarrier in the TLS segment
  uint64_t rows = 0, bytes = 0;  // of shared memory that each row takes
  uint64_t sectors = 0;
};

// Keeps every event of some warps of a block, and the global stores of all warps. While a Watch is set, only one OS
// thread may run blocks.
class Watch {
 public:
  Watch(uint64_t block, uint32_t warp, uint32_t warps)
      : block_(block), warp_(warp), warps_(warps) {}
  ~Watch() { clear(); }

  // The watch of this process, or null.
  static Watch* current() { return current_; }
  void set() { current_ = this; }
  static void clear() { current_ = nullptr; }

  bool follows(uint64_t block, uint32_t warp) const {
    return block == block_ && warp - warp_ < warps_;
  }
  // The following events belong to this warp.
  void enter(uint64_t block, uint32_t warp) {
    now_block_ = block;
    now_warp_ = warp;
  }
  // An event of that warp, for the caller to complete; null if the watch does not follow it.
  WatchedEvent* add(uint32_t site, bool shared, uint32_t mask, const uint64_t* at);

  // Keeps a copy and returns its number, which the lane's event has in place of an offset.
  uint64_t keep(const WatchedCopy& copy) {
    copies_.push_back(copy);
    return copies_.size() - 1;
  }
  // From now on keeps at most `events` more events and steps.
  void limit(size_t events) { room_ = events; }
  // Events and steps beyond that limit.
  uint64_t left_out() const { return left_out_; }
  // Forgets all events and steps. The limit still counts them.
  void forget();
  const WatchedCopy& copy(uint64_t number) const { return copies_[number]; }

  // The warp has stopped. Finds the sources of the words that it has stored in shared memory: its lanes' latest loads
  // of the same values. global, shared: the begin of each memory.
  void settle(const char* global, const char* shared);

  const std::vector<WatchedEvent>& events() const { return events_; }

  // The watch of this process if it follows the block, else null.
  static Watch* of(uint64_t block) {
    return current_ != nullptr && current_->block_ == block ? current_ : nullptr;
  }
  // Adds a step of a lane. The waits of a warp's lanes for one phase become one step.
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
  size_t settled_ = 0;  // settle() has handled the events before this one
  size_t room_ = ~size_t(0);  // number of further events and steps to keep
  uint64_t left_out_ = 0;
};

}  // namespace simt
