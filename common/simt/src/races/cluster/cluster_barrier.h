// The barrier of a cluster: barrier.cluster, cluster.sync(). Each phase takes one arrival of each thread of all blocks
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
  // What the running thread does. relaxed: what it wrote is released to nobody.
  void arrive(bool relaxed, const RawPlace& place);
  void wait(const RawPlace& place);
  // Nobody of the cluster can go on: ends the phase if all have arrived.
  void settle();
  // Nobody can go on, and threads of that block wait here: reports that.
  void stalled(Worker& block);

 private:
  struct OfParty {
    uint32_t arrived = 0, waited = 0;  // phases
    RawPlace place;
  };
  template <typename Use>
  void for_each_missing(Use use) const;

  uint32_t phase_ = 0;
  VectorClock running_,
      complete_;  // what the arrivals of this phase, and of the one before, release
  std::vector<OfParty> parties_;
  Worker& first_;
  Findings& findings_;
};

}  // namespace simt
