// The happens-before order of a block's threads.
//
// Each block start, barrier and __syncwarp() takes the next epoch, and so does an arrival at an mbarrier. An access
// carries its thread's epoch. All accesses with epochs before the thread's interval happen before it. From its first
// mbarrier on, a block keeps a vector clock for each thread. docs/memory_model.md has the algorithm.
#pragma once
#include <algorithm>
#include <bitset>
#include <cstdint>
#include <vector>

namespace simt {

// A thread's clock.
struct ThreadClock {
  uint32_t epoch = 0;  // of its accesses
  uint32_t warp_epoch = 0;  // accesses of its warp before this happen before its own
  uint32_t partial_epoch = 0;  // accesses of the lanes in partial_mask before this, too
  uint32_t partial_mask = 0;
  uint32_t interval_begin = 0;  // accesses of all threads before this happen before its own
};

// An epoch for each party (see Space). The party's accesses before that epoch happen before those of the clock's
// holder.
using VectorClock = std::vector<uint32_t>;

// The parties of a block, as indices of a VectorClock from `base` on. Threads come first. Channels follow: each
// mbarrier that waits for bytes has one, which stands for the copies. Then comes one party for each warp, whose epochs
// are the numbers of its wgmma products. The last party stands for initialised mbarriers: fence.mbarrier_init publishes
// them. The spaces of a cluster's blocks lie side by side. Each block has its own counter of epochs.
struct Space {
  static constexpr uint32_t kChannels = 16, kWarps = 32;

  uint32_t threads = 0, base = 0, total = 0;  // total: parties of all spaces

  uint32_t products(unsigned warp) const { return threads + kChannels + warp; }
  uint32_t inits() const { return threads + kChannels + kWarps; }
  uint32_t width() const { return inits() + 1; }
};

// The running thread, seen by the check of an access.
struct ThreadView {
  uint32_t thread = 0;
  uint32_t block_begin = 0,
           last_barrier = 0;  // epochs: of the block's start and of its last __syncthreads()
  ThreadClock clock;
  const uint32_t* vector_clock = nullptr;  // null while the block has none
  uint32_t parties = 0;  // size of vector_clock
  // The vector clock from the cluster's first party on, and the thread's own index there.
  const uint32_t* cluster_clock = nullptr;
  uint32_t party = 0;
  // The block's threads that have used a lock since the last barrier; null if this thread has not.
  const std::bitset<1024>* locked = nullptr;

  // Whether an access by that thread, in this interval at that epoch, happens before this thread's next access: by a
  // __syncwarp() of both, by the vector clock, or because both have used a lock, which counts as ordering them.
  bool happens_before(unsigned other, uint32_t epoch) const {
    if (locked != nullptr && other < locked->size() && (*locked)[thread] && (*locked)[other]) {
      return true;
    }
    if (vector_clock != nullptr && other < parties && epoch < vector_clock[other]) {
      return true;
    }
    return other / 32 == thread / 32 &&
           (epoch < clock.warp_epoch ||
            (epoch < clock.partial_epoch && (clock.partial_mask >> other % 32 & 1) != 0));
  }
};

class HappensBefore {
 public:
  // Stands for a thread of another block.
  static constexpr uint32_t kElsewhere = 0xffff;

  // The order of the block whose thread runs on this OS thread, or ran last.
  static HappensBefore& running() { return *running_; }
  // The running thread, seen by this block's checks. A thread of another block of the cluster has no number here. Only
  // mbarriers and barriers of the cluster order this block's accesses before those of such a thread.
  ThreadView actor() const { return running_ == this ? now_ : running_->seen_by(*this); }
  // Returns true if epochs start over; the caller must then drop older ones. rank: of this block in its cluster.
  bool begin_launch(unsigned threads, unsigned rank, unsigned blocks);
  void begin_block();
  void end_block() { has_vector_clocks_ = has_products_ = false; }
  // Whether that access of a party of any block happens before the next access of some thread of this block.
  bool anybody_has_acquired(uint32_t party, uint32_t epoch) const;
  void end_barrier();
  // This thread runs from now on.
  void enter(unsigned thread);

  const ThreadView& now() const { return now_; }
  uint32_t launch_begin() const { return launch_begin_; }

  // The lanes in mask of the running thread's warp, which has `size` lanes, meet.
  void sync_warp(uint32_t mask, unsigned size);

  // The running thread uses an atomic operation of the kind that locks use.
  void lock() {
    locked_.set(now_.thread);
    now_.locked = &locked_;
  }

  // Keeps a vector clock for each thread from now on in this block.
  void keep_vector_clocks();
  bool has_vector_clocks() const { return has_vector_clocks_; }
  // The accesses of a warp in global memory are checked at the end of its turn. Until then a thread may have arrived at
  // barriers. So they get the thread's epoch at the start of the turn.
  uint32_t turn_epoch(unsigned thread) const {
    return std::max(turn_epochs_[thread], last_barrier_);
  }
  void end_turn(unsigned warp);
  // Whether accesses of `other` at this epoch happen before those of `thread` by its vector clock.
  bool has_acquired(unsigned thread, unsigned other, uint32_t epoch) const {
    return vector_clocks_[thread][space_.base + other] > epoch;
  }
  uint32_t next_epoch() { return ++counter_; }
  // The running thread arrives at a phase whose first arrival took phase_epoch. Joins the thread's vector clock into
  // the phase's.
  void release(uint32_t phase_epoch, VectorClock& released);
  // A relaxed arrival. Joins only the parties of completed copies and products, and the accesses that earlier fences
  // have released.
  void release_over(VectorClock& released);
  // The running thread's wait succeeds. Joins the phase's clock into the thread's.
  void acquire(const VectorClock& released);
  const Space& space() const { return space_; }

  // The running thread's warp has waited for its products before that number.
  void complete_products(uint32_t number);
  // The running thread's next access happens after the products of that warp before this number.
  uint32_t known_products(const ThreadView& now, unsigned warp) const {
    return now.vector_clock != nullptr ? now.vector_clock[space_.products(warp)] : 0;
  }

  // Gives the running thread a new epoch, and returns it.
  uint32_t advance_epoch() { return now_.clock.epoch = clocks_[now_.thread].epoch = ++counter_; }
  // fence.proxy.async: makes the running thread's writes visible to TMA and wgmma.
  void fence_proxy();
  // See api/tma.h.
  void fence_inits();
  void fence_arrivals();
  // Whether fence.mbarrier_init has published an mbarrier that was initialised at that epoch.
  bool knows_init(const ThreadView& now, uint32_t epoch) const {
    return now.vector_clock != nullptr && epoch < now.vector_clock[space_.inits()];
  }
  // The epoch of a thread's last fence.proxy.async.
  uint32_t fenced(unsigned thread) const { return thread < fenced_.size() ? fenced_[thread] : 0; }

 private:
  void join_warp(unsigned warp, uint32_t mask);
  uint32_t interval_begin_of(const VectorClock& clock, unsigned thread) const;

  void show_vector_clock();
  void meet();
  ThreadView seen_by(const HappensBefore& other) const;

  static thread_local HappensBefore* running_;
  ThreadView now_;
  Space space_;
  uint32_t counter_ = 1;
  uint32_t launch_begin_ = 0, block_begin_ = 0, last_barrier_ = 0;
  bool has_vector_clocks_ = false, has_products_ = false;
  std::bitset<1024> locked_;
  std::vector<ThreadClock> clocks_;
  std::vector<uint32_t> fenced_;  // by thread, in this block
  std::vector<uint32_t> released_;  // the same of fence_arrivals()
  std::vector<VectorClock> vector_clocks_;  // by thread
  std::vector<uint32_t> turn_epochs_;  // by thread
};

}  // namespace simt
