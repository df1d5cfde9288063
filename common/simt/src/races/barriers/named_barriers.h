// Named barriers: bar.sync, bar.arrive and bar.red with a number and a count of threads.
#pragma once
#include <bitset>
#include <cstdint>

#include "races/findings.h"
#include "races/happens_before.h"

namespace simt {

class NamedBarriers {
 public:
  static constexpr uint32_t kCount = 16;

  NamedBarriers(Worker& worker, Findings& findings, HappensBefore& order)
      : worker_(worker), findings_(findings), order_(order) {}

  void begin_block();
  // The running thread arrives at a barrier of `threads` threads. waits: it also waits for the others.
  void arrive(uint32_t number, uint32_t threads, bool waits, const RawPlace& place) {
    arrive(number, threads, waits ? Kind::kSync : Kind::kArrive, false, place);
  }
  // bar.red: it waits, and returns how many of the threads had a true predicate.
  unsigned count(uint32_t number, uint32_t threads, bool predicate, const RawPlace& place) {
    return arrive(number, threads, Kind::kCount, predicate, place);
  }
  // The barrier_arrive() of a thread_block, and the wait for the phase whose number that has returned.
  uint32_t arrive_in_block(const RawPlace& place) {
    const uint32_t phase = barriers_[kBlock].phase;
    arrive(kBlock, worker_.thread_count(), Kind::kArrive, false, place);
    return phase;
  }
  void wait_in_block(uint32_t phase, const RawPlace& place);
  // No thread can continue. Reports a wait at a named barrier; returns false if there is none.
  bool stalled();

 private:
  static constexpr uint32_t kBlock = kCount;  // of a thread_block; PTX cannot name it
  enum class Kind { kArrive, kSync, kCount };
  struct Barrier {
    uint32_t threads = 0, arrived = 0, holds = 0;  // of the running phase; holds: true predicates
    bool counts = false;  // it consists of bar.red
    uint16_t counted[16] = {};  // results of the last phases
    uint32_t phase = 0;
    VectorClock running, complete;
    RawPlace place;  // of its first arrival
    unsigned first = 0;  // the thread that made it
    std::bitset<1024> who;  // threads that have arrived
  };

  unsigned arrive(uint32_t number, uint32_t threads, Kind kind, bool predicate,
                  const RawPlace& place);

  Barrier barriers_[kCount + 1];
  Worker& worker_;
  Findings& findings_;
  HappensBefore& order_;
};

}  // namespace simt
