// Mbarriers (__mbarrier_t): their phases, what they order, and how they are used wrongly. Their state
// is kept here, beside their memory, which holds nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "races/shared_shadow.h"

namespace simt {

// What was done with the barriers that one line initialises.
struct BarrierUse {
  uint64_t barriers = 0, phases = 0;  // phases that are complete
  uint64_t arrivals = 0, bytes = 0;  // in these
  struct Waits {
    uint64_t count = 0;  // of threads, that were told of the end of a phase
    uint32_t warps = 0;  // of these threads, as bits
  };
  std::map<RawPlace, Waits> waits;
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
  // Nobody can go on. False if nobody waits for a phase; else reports that.
  bool stalled();

  // What the running thread, of this block or another one of the cluster, does at that place, at the return address
  // pc. Do not return if that is not allowed.
  void init(const void* barrier, uint32_t count, const RawPlace& place, const void* pc);
  void inval(const void* barrier, const RawPlace& place);
  void discard(const void* barrier);  // whatever its phase
  // Returns the token of the running phase. So many arrivals; the phase also takes that many bytes of copies.
  // relaxed: releases nothing but what is over: see HappensBefore. drops: later phases wait for so many less.
  uint64_t arrive(const void* barrier, const RawPlace& place, uint32_t count = 1,
                  uint32_t bytes = 0, bool relaxed = false, bool drops = false);
  // The running phase also takes that many bytes of copies.
  void expect(const void* barrier, uint32_t bytes, const RawPlace& place);
  // Whether the token's phase is complete; and that of a parity.
  bool test(const void* barrier, uint64_t token, const RawPlace& place);
  bool test_parity(const void* barrier, uint32_t parity, const RawPlace& place);

  // Of this launch.
  uint64_t arrivals() const { return arrivals_; }
  // By the place of their init.
  const std::map<RawPlace, BarrierUse>& uses() const { return uses_; }

  struct Barrier {
    size_t offset = 0;  // in shared memory
    bool valid = true;
    uint32_t count = 0, arrived = 0;  // arrivals that a phase takes; and that have come
    uint32_t dropped = 0;  // that later phases do not take any more
    int64_t expected = 0, copied = 0;  // bytes of copies, the same
    uint32_t channel = 0;  // of the copies: see Space; 0 before the first
    RawPlace expects;  // who told of bytes last
    uint32_t phase = 0;  // number of the running phase
    uint32_t epoch = 0;  // of its first arrival
    VectorClock running,
        complete;  // what the arrivals of this phase, and of the one before, release
    std::vector<uint32_t> last;  // for each thread, one past the last phase that it arrived at
    unsigned maker = 0;  // the thread that initialised it, when and where
    uint32_t made = 0;
    RawPlace place;
    BarrierUse* use = nullptr;  // what is counted of it
  };

  // The barrier there, for a copy that the running thread asks for; TMA's needs a fence. And for those that
  // it makes itself by cp.async.
  Barrier& for_copy(const void* barrier, const RawPlace& place, bool fenced = true);
  Barrier& for_own_copies(const void* barrier, const RawPlace& place);
  // Such copies, which came at the epoch, are known to who waits for the running phase.
  void hand_on(Barrier& b, uint32_t epoch);
  // Bytes of a copy have come.
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
  // For a Watch, if there is one.
  void tell(const char* step, const Barrier& b, uint32_t phase, const RawPlace& place,
            uint64_t bytes = 0) const;
  bool wait_for(Barrier& b, uint32_t phase, const RawPlace& place);
  struct Missing {
    Worker* block = nullptr;  // none: all are there
    unsigned thread = 0;
  };
  Missing missing_at(const Barrier& b, unsigned waiting) const;
  std::string name_of(const void* p) const;
  [[noreturn]] void refuse(ErrorKind kind, const RawPlace& place, const std::string& what) {
    findings_.report_and_abandon(kind, place, what);
  }

  std::deque<Barrier> barriers_;  // of this block, in the order of their init; none moves
  uint64_t arrivals_ = 0;
  std::map<RawPlace, BarrierUse> uses_;
  uint32_t channels_ = 0;  // that have been given away
  Worker& worker_;
  Findings& findings_;
  HappensBefore& order_;
  SharedShadow& shared_;
};

}  // namespace simt
