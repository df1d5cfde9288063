// Which accesses of a block's threads are ordered.
//
// Time goes in stamps: every barrier, __syncwarp() and block start takes the next one. An access carries
// the stamp of its thread, so accesses with stamps from before the interval are ordered. A thread that
// arrives at a split barrier (__mbarrier_t) takes a new stamp, too; in such a block, what is ordered is a
// matter of each pair of threads.
#pragma once
#include <bitset>
#include <cstdint>
#include <vector>

namespace simt {

// Where a thread is in time.
struct Clock {
  uint32_t stamp = 0;  // of its accesses
  uint32_t warp_stamp = 0;  // accesses of its warp before this are ordered
  uint32_t partial_stamp = 0;  // and before this, those of the lanes in partial_mask
  uint32_t partial_mask = 0;
  uint32_t before = 0;  // accesses of all threads before this are ordered: its interval begins here
};

// For each party (see Space), the stamp before which its accesses are known to be over.
using Stamps = std::vector<uint32_t>;

// The parties of a block, as numbers in Stamps from `base` on: its threads, then channels of the copy engine. Each
// split barrier that waits for bytes has a channel: what was copied is known to whoever has waited there. Behind them
// come the products of warps, which are numbered: what they read has been read for whoever knows of a later number.
// The last one stands for the split barriers that are initialised: fence.mbarrier_init makes them known.
// Blocks of a cluster have spaces side by side, and clocks of their own.
struct Space {
  static constexpr uint32_t kChannels = 16, kWarps = 32;

  uint32_t threads = 0, base = 0, total = 0;  // total: of all spaces together

  uint32_t products(unsigned warp) const { return threads + kChannels + warp; }
  uint32_t inits() const { return threads + kChannels + kWarps; }
  uint32_t width() const { return inits() + 1; }
};

// Who runs, and when: what a check of an access has to know.
struct Moment {
  uint32_t thread = 0;
  uint32_t block_begin = 0,
           last_barrier = 0;  // stamps: of the block, and of its last __syncthreads()
  Clock clock;
  const uint32_t* known = nullptr;  // what this thread knows, in a block with split barriers
  uint32_t parties = 0;  // of which it knows
  // The same of all blocks of the cluster, and the thread's own number among their parties.
  const uint32_t* all_known = nullptr;
  uint32_t party = 0;
  // The block's threads that have used a lock since the last barrier; null if this one has not.
  const std::bitset<1024>* locked = nullptr;

  // Whether an access by that thread in this interval came before a __syncwarp() of both, or before a
  // phase of a split barrier at which it arrived, and for which this thread has waited.
  // What two threads with a lock do is taken to be ordered by it.
  bool is_behind(unsigned other, uint32_t stamp) const {
    if (locked != nullptr && other < locked->size() && (*locked)[thread] && (*locked)[other]) {
      return true;
    }
    if (known != nullptr && other < parties && stamp < known[other]) {
      return true;
    }
    return other / 32 == thread / 32 &&
           (stamp < clock.warp_stamp ||
            (stamp < clock.partial_stamp && (clock.partial_mask >> other % 32 & 1) != 0));
  }
};

class Order {
 public:
  // Stands for a thread of another block.
  static constexpr uint32_t kElsewhere = 0xffff;

  // Of the block whose thread runs on this OS thread, or ran last.
  static Order& running() { return *running_; }
  // The thread that runs, as this block's checks see it: of another block of the cluster, it has no number here, and
  // knows of this block's accesses only what split barriers and barriers of the cluster have told it.
  Moment actor() const { return running_ == this ? now_ : running_->seen_by(*this); }
  // True if stamps start over, so that no older one may be kept. rank: of this block among those of a cluster.
  bool begin_launch(unsigned threads, unsigned rank, unsigned blocks);
  void begin_block();
  void end_block() { by_pairs_ = has_products_ = false; }
  // What is known of a party of any block by one of this block's threads or another.
  bool anybody_knows(uint32_t party, uint32_t stamp) const;
  void end_barrier();
  // This thread goes on.
  void enter(unsigned thread);

  // The running thread's.
  const Moment& now() const { return now_; }
  uint32_t launch_begin() const { return launch_begin_; }

  // The lanes in mask of the running thread's warp, which has `size` lanes, meet.
  void sync_warp(uint32_t mask, unsigned size);

  // The running thread uses atomics as locks do.
  void lock() {
    locked_.set(now_.thread);
    now_.locked = &locked_;
  }

  // From now on in this block, order is kept for each pair of threads.
  void keep_pairs();
  bool by_pairs() const { return by_pairs_; }
  uint32_t next_stamp() { return ++counter_; }
  // The running thread arrives at a phase whose first arrival took phase_stamp: adds what it did and
  // knows to what the phase releases.
  void release(uint32_t phase_stamp, Stamps& released);
  // The same, but releases only what is over and cannot be late (copies that have come, products that have read), what
  // fences have released before, and that the thread has begun. A relaxed arrival.
  void release_over(Stamps& released);
  // The running thread learns what a phase has released.
  void learn(const Stamps& released);
  const Space& space() const { return space_; }

  // The running thread's warp has waited for its products below that number.
  void complete_products(uint32_t number);
  // The number below which products of a warp are over for the running thread.
  uint32_t known_products(const Moment& now, unsigned warp) const {
    return now.known != nullptr ? now.known[space_.products(warp)] : 0;
  }

  // What the running thread does from now on can be told from what it did before. Returns the stamp.
  uint32_t begin_stamp() { return now_.clock.stamp = clocks_[now_.thread].stamp = ++counter_; }
  // fence.proxy.async: what the running thread wrote before this, the copy engine and wgmma can see.
  void fence_proxy();
  // See api/engine.h.
  void fence_inits();
  void fence_arrivals();
  // Whether the split barrier that was initialised then is known to be one by such a fence.
  bool knows_init(const Moment& now, uint32_t stamp) const {
    return now.known != nullptr && stamp < now.known[space_.inits()];
  }
  // The stamp of a thread's last such fence.
  uint32_t fenced(unsigned thread) const { return thread < fenced_.size() ? fenced_[thread] : 0; }

 private:
  void sync_pairs(unsigned warp, uint32_t mask);
  uint32_t known_before(const Stamps& known, unsigned thread) const;

  void show_known();
  void meet();
  Moment seen_by(const Order& other) const;

  static thread_local Order* running_;
  Moment now_;
  Space space_;
  uint32_t counter_ = 1;
  uint32_t launch_begin_ = 0, block_begin_ = 0, last_barrier_ = 0;
  bool by_pairs_ = false, has_products_ = false;
  std::bitset<1024> locked_;
  std::vector<Clock> clocks_;
  std::vector<uint32_t> fenced_;  // by thread, in this block
  std::vector<uint32_t> released_;  // the same of fence_arrivals()
  std::vector<Stamps> known_;  // known_[t]: what thread t knows, where order is kept by pairs
};

}  // namespace simt
