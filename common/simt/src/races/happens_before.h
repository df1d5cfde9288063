// Which accesses of a block's threads are ordered.
//
// Time goes in epochs: every barrier, __syncwarp() and block start takes the next one. An access carries
// the epoch of its thread, so accesses with epochs from before the interval are ordered. A thread that
// arrives at an mbarrier (__mbarrier_t) takes a new epoch, too; in such a block, what is ordered is a
// matter of each pair of threads.
#pragma once
#include <bitset>
#include <cstdint>
#include <vector>

namespace simt {

// Where a thread is in time.
struct ThreadClock {
  uint32_t epoch = 0;  // of its accesses
  uint32_t warp_epoch = 0;  // accesses of its warp before this are ordered
  uint32_t partial_epoch = 0;  // and before this, those of the lanes in partial_mask
  uint32_t partial_mask = 0;
  uint32_t interval_begin = 0;  // accesses of all threads before this happen before its own
};

// For each party (see Space), the epoch before which its accesses are known to be over.
using VectorClock = std::vector<uint32_t>;

// The parties of a block, as numbers in VectorClock from `base` on: its threads, then channels of TMA. Each
// mbarrier that waits for bytes has a channel: what was copied is known to whoever has waited there. Behind them
// come the products of warps, which are numbered: what they read has been read for whoever knows of a later number.
// The last one stands for the mbarriers that are initialised: fence.mbarrier_init makes them known.
// Blocks of a cluster have spaces side by side, and clocks of their own.
struct Space {
  static constexpr uint32_t kChannels = 16, kWarps = 32;

  uint32_t threads = 0, base = 0, total = 0;  // total: of all spaces together

  uint32_t products(unsigned warp) const { return threads + kChannels + warp; }
  uint32_t inits() const { return threads + kChannels + kWarps; }
  uint32_t width() const { return inits() + 1; }
};

// Who runs, and when: what a check of an access has to know.
struct ThreadView {
  uint32_t thread = 0;
  uint32_t block_begin = 0,
           last_barrier = 0;  // epochs: of the block, and of its last __syncthreads()
  ThreadClock clock;
  const uint32_t* vector_clock = nullptr;  // what this thread knows, in a block with mbarriers
  uint32_t parties = 0;  // of which it knows
  // The same of all blocks of the cluster, and the thread's own number among their parties.
  const uint32_t* cluster_clock = nullptr;
  uint32_t party = 0;
  // The block's threads that have used a lock since the last barrier; null if this one has not.
  const std::bitset<1024>* locked = nullptr;

  // Whether an access by that thread in this interval came before a __syncwarp() of both, or before a
  // phase of an mbarrier at which it arrived, and for which this thread has waited.
  // What two threads with a lock do is taken to be ordered by it.
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

  // Of the block whose thread runs on this OS thread, or ran last.
  static HappensBefore& running() { return *running_; }
  // The thread that runs, as this block's checks see it: of another block of the cluster, it has no number here, and
  // knows of this block's accesses only what mbarriers and barriers of the cluster have told it.
  ThreadView actor() const { return running_ == this ? now_ : running_->seen_by(*this); }
  // True if epochs start over, so that no older one may be kept. rank: of this block among those of a cluster.
  bool begin_launch(unsigned threads, unsigned rank, unsigned blocks);
  void begin_block();
  void end_block() { has_vector_clocks_ = has_products_ = false; }
  // What is known of a party of any block by one of this block's threads or another.
  bool anybody_has_acquired(uint32_t party, uint32_t epoch) const;
  void end_barrier();
  // This thread goes on.
  void enter(unsigned thread);

  // The running thread's.
  const ThreadView& now() const { return now_; }
  uint32_t launch_begin() const { return launch_begin_; }

  // The lanes in mask of the running thread's warp, which has `size` lanes, meet.
  void sync_warp(uint32_t mask, unsigned size);

  // The running thread uses atomics as locks do.
  void lock() {
    locked_.set(now_.thread);
    now_.locked = &locked_;
  }

  // From now on in this block, order is kept for each pair of threads.
  void keep_vector_clocks();
  bool has_vector_clocks() const { return has_vector_clocks_; }
  uint32_t next_epoch() { return ++counter_; }
  // The running thread arrives at a phase whose first arrival took phase_epoch: adds what it did and
  // knows to what the phase releases.
  void release(uint32_t phase_epoch, VectorClock& released);
  // The same, but releases only what is over and cannot be late (copies that have come, products that have read), what
  // fences have released before, and that the thread has begun. A relaxed arrival.
  void release_over(VectorClock& released);
  // The running thread learns what a phase has released.
  void acquire(const VectorClock& released);
  const Space& space() const { return space_; }

  // The running thread's warp has waited for its products below that number.
  void complete_products(uint32_t number);
  // The number below which products of a warp are over for the running thread.
  uint32_t known_products(const ThreadView& now, unsigned warp) const {
    return now.vector_clock != nullptr ? now.vector_clock[space_.products(warp)] : 0;
  }

  // What the running thread does from now on can be told from what it did before. Returns the epoch.
  uint32_t advance_epoch() { return now_.clock.epoch = clocks_[now_.thread].epoch = ++counter_; }
  // fence.proxy.async: what the running thread wrote before this, TMA and wgmma can see.
  void fence_proxy();
  // See api/engine.h.
  void fence_inits();
  void fence_arrivals();
  // Whether the mbarrier that was initialised then is known to be one by such a fence.
  bool knows_init(const ThreadView& now, uint32_t epoch) const {
    return now.vector_clock != nullptr && epoch < now.vector_clock[space_.inits()];
  }
  // The epoch of a thread's last such fence.
  uint32_t fenced(unsigned thread) const { return thread < fenced_.size() ? fenced_[thread] : 0; }

 private:
  void join_warp(unsigned warp, uint32_t mask);
  uint32_t interval_begin_of(const VectorClock& known, unsigned thread) const;

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
  std::vector<VectorClock>
      vector_clocks_;  // vector_clocks_[t]: what thread t knows, where order is kept by pairs
};

}  // namespace simt
