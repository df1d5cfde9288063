// Mbarriers: their phases, the order that they give, and their misuse. This class keeps their state; the 8 bytes in
// shared memory hold nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "races/shared_shadow.h"

namespace simt {

// Counts of the mbarriers that one line initialises.
struct BarrierUse {
  uint64_t barriers = 0, phases = 0;  // phases that are complete
  uint64_t arrivals = 0, bytes = 0;  // in complete phases
  struct Waits {
    uint64_t count = 0;  // of threads whose wait succeeded
    uint32_t warps = 0;  // warps of these threads, as bits
  };
  std::map<const void*, Waits> waits;  // by the return address of the wait
};

class Mbarriers {
 public:
  Mbarriers(Worker& worker, Findings& findings, HappensBefore& order, SharedShadow& shared)
      : worker_(worker), findings_(findings), order_(order), shared_(shared) {}

  void begin_launch() {
    arrivals_ = 0;
    uses_.clear();
  }
  void end_block();
  // No thread can continue. Returns false if none waits for a phase; else reports the wait.
  bool stalled();

  // Operations of the running thread, which may belong to another block of the cluster, at that place and return
  // address. They do not return if the operation is not allowed.
  void init(const void* barrier, uint32_t count, const RawPlace& place, const void* pc);
  void inval(const void* barrier, const RawPlace& place);
  void discard(const void* barrier);  // in any phase
  // Makes `count` arrivals and returns the token of the running phase, which then also waits for `bytes` more bytes of
  // copies. relaxed: see HappensBefore::release_over(). drops: later phases need `count` fewer arrivals.
  uint64_t arrive(const void* barrier, const RawPlace& place, uint32_t count = 1,
                  uint32_t bytes = 0, bool relaxed = false, bool drops = false);
  // The running phase also waits for that many bytes of copies.
  void expect(const void* barrier, uint32_t bytes, const RawPlace& place);
  // Counts bytes as copied, although no copy has brought them. Nothing is ordered by that.
  void complete(const void* barrier, uint32_t bytes, const RawPlace& place);
  // Whether the phase of that token, or of that parity, is complete.
  bool test(const void* barrier, uint64_t token, const RawPlace& place);
  bool test_parity(const void* barrier, uint32_t parity, const RawPlace& place);

  // Of this launch.
  uint64_t arrivals() const { return arrivals_; }
  // By the place of the init.
  const std::map<RawPlace, BarrierUse>& uses() const { return uses_; }

  struct Barrier {
    size_t offset = 0;  // in shared memory
    bool valid = true;
    uint32_t count = 0, arrived = 0;  // arrivals that a phase needs, and has had
    uint32_t dropped = 0;  // arrivals that later phases do not need
    int64_t expected = 0, copied = 0;  // bytes of copies that the running phase needs, and has had
    uint32_t channel = 0;  // of the copies: see Space; 0 before the first
    RawPlace expects;  // the last place that announced bytes
    uint32_t phase = 0;  // number of the running phase
    uint32_t epoch = 0;  // of its first arrival
    VectorClock running, complete;  // clocks of the running phase and of the previous one
    std::vector<uint32_t> last;  // by thread: one past the last phase that it arrived at
    std::vector<uint32_t> looked;  // likewise: that it has found incomplete
    unsigned maker = 0;  // the thread that initialised it, when and where
    uint32_t made = 0;
    RawPlace place;
    BarrierUse* use = nullptr;  // its counts
  };

  // The barrier at that address, for a TMA copy that the running thread starts, or for its own cp.async. fenced: the
  // copy needs fence.mbarrier_init, as TMA does.
  Barrier& for_copy(const void* barrier, const RawPlace& place, bool fenced = true);
  Barrier& for_own_copies(const void* barrier, const RawPlace& place);
  // A wait for the running phase also acquires the channel's copies up to that epoch.
  void hand_on(Barrier& b, uint32_t epoch);
  // Bytes of a copy have arrived.
  void complete(Barrier& b, size_t bytes, uint32_t epoch);
  // Whether a thread of this block waits for the running phase.
  bool is_awaited(const Barrier& b) const;
  std::string name(const Barrier& b) const { return shared_.name(b.offset); }

 private:
  Barrier* find(const void* barrier);
  Barrier& with_channel(Barrier& b);
  Barrier& use(const void* barrier, const RawPlace& place, const char* does);
  void settle(Barrier& b);
  std::string missing_of(const Barrier& b) const;
  // Adds a step to the Watch, if there is one.
  void tell(const char* step, const Barrier& b, uint32_t phase, const RawPlace& place,
            uint64_t bytes = 0) const;
  bool wait_for(Barrier& b, uint32_t phase, const RawPlace& place);
  struct Missing {
    Worker* block = nullptr;  // null: all have arrived
    unsigned thread = 0;
  };
  Missing missing_at(const Barrier& b, unsigned waiting) const;
  std::string name_of(const void* p) const;
  [[noreturn]] void refuse(ErrorKind kind, const RawPlace& place, const std::string& what) {
    findings_.report_and_abandon(kind, place, what);
  }

  std::deque<Barrier> barriers_;  // of this block, in the order of their init; addresses are stable
  uint64_t arrivals_ = 0;
  std::map<RawPlace, BarrierUse> uses_;
  uint32_t channels_ = 0;  // in use
  Worker& worker_;
  Findings& findings_;
  HappensBefore& order_;
  SharedShadow& shared_;
};

}  // namespace simt
