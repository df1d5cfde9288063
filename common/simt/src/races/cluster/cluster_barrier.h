// The barrier of a cluster: barrier.cluster, cluster.sync(). Each phase needs one arrival of each thread of the cluster
// that has not exited.
#pragma once
#include <cstdint>
#include <vector>

#include "races/findings.h"
#include "races/happens_before.h"

namespace simt {

class ClusterBarrier {
 public:
  ClusterBarrier(Worker& first, Findings& findings) : first_(first), findings_(findings) {}

  void begin(uint32_t parties);
  // The running thread arrives. relaxed: releases nothing.
  void arrive(bool relaxed, const RawPlace& place);
  void wait(const RawPlace& place);
  // No thread of the cluster can continue: ends the phase if all have arrived.
  void settle();
  // Reports the wait of that block's threads: no thread can continue.
  void stalled(Worker& block);

 private:
  struct OfParty {
    uint32_t arrived = 0, waited = 0;  // phases
    RawPlace place;
  };
  template <typename Use>
  void for_each_missing(Use use) const;

  uint32_t phase_ = 0;
  VectorClock running_, complete_;  // clocks of the running phase and of the previous one
  std::vector<OfParty> parties_;
  Worker& first_;
  Findings& findings_;
};

}  // namespace simt
