// Named barriers: bar.sync and bar.arrive with a number and a count of threads.
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
  void arrive(uint32_t number, uint32_t threads, bool waits, const RawPlace& place);
  // No thread can continue. Reports a wait at a named barrier; returns false if there is none.
  bool stalled();

 private:
  struct Barrier {
    uint32_t threads = 0, arrived = 0;  // of the running phase
    uint32_t phase = 0;
    VectorClock running, complete;
    RawPlace place;  // of its first arrival
    unsigned first = 0;  // the thread that made it
    std::bitset<1024> who;  // threads that have arrived
  };

  Barrier barriers_[kCount];
  Worker& worker_;
  Findings& findings_;
  HappensBefore& order_;
};

}  // namespace simt
