#include "races/cluster/cluster_barrier.h"

#include <string>
#include <utility>

namespace simt {

void ClusterBarrier::begin(uint32_t parties) {
  phase_ = 0;
  running_.assign(parties, 0);
  complete_ = running_;
  parties_.assign(parties, OfParty());
}

void ClusterBarrier::arrive(bool relaxed, const RawPlace& place) {
  HappensBefore& order = HappensBefore::running();
  OfParty& me = parties_[order.now().party];
  if (me.arrived != me.waited) {
    findings_.report_and_abandon(ErrorKind::BadArgument, place,
                                 "arrives at the barrier of the cluster a second time, with no "
                                 "wait for the first");
  }
  ++me.arrived;
  me.place = place;
  relaxed ? order.release_over(running_) : order.release(0, running_);
  first_.cluster().progress();
}

void ClusterBarrier::wait(const RawPlace& place) {
  HappensBefore& order = HappensBefore::running();
  OfParty& me = parties_[order.now().party];
  if (me.arrived == me.waited) {
    findings_.report_and_abandon(ErrorKind::BadArgument, place,
                                 "waits at the barrier of the cluster, where it has not arrived");
  }
  Worker::current()->wait_phase(&phase_, me.waited, place, false);
  ++me.waited;
  order.acquire(complete_);
}

// Calls use(worker, thread) for each thread that has neither arrived nor exited.
template <typename Use>
void ClusterBarrier::for_each_missing(Use use) const {
  const Cluster& cluster = first_.cluster();
  const size_t width = parties_.size() / cluster.size();
  for (unsigned rank = 0; rank < cluster.size(); ++rank) {
    Worker& block = cluster.block(rank);
    for (unsigned t = 0; t < block.thread_count(); ++t) {
      if (parties_[rank * width + t].arrived == phase_ && block.thread(t).state != Thread::Done) {
        use(block, block.thread(t));
      }
    }
  }
}

void ClusterBarrier::settle() {
  bool missing = false, arrived = false;
  for_each_missing([&](Worker&, Thread&) { missing = true; });
  for (const OfParty& party : parties_) {
    arrived = arrived || party.arrived > phase_;
  }
  if (!missing && arrived) {
    complete_.swap(running_);
    running_.assign(complete_.size(), 0);
    ++phase_;
  }
}

void ClusterBarrier::stalled(Worker& block) {
  unsigned self = 0;
  while (block.thread(self).state != Thread::AtPhase) {
    ++self;
  }
  unsigned missing = 0;
  const Thread* other = nullptr;
  uint64_t other_block = 0;
  for_each_missing([&](Worker& theirs, Thread& thread) {
    if (missing++ == 0) {
      other = &thread;
      other_block = theirs.block();
    }
  });
  RawError error;
  error.kind = ErrorKind::BarrierDivergence;
  error.here = {block.thread(self).stop, self, block.block()};
  error.what = "waits at the barrier of its cluster for " + std::to_string(missing) +
               " threads that do not arrive";
  if (other != nullptr) {
    error.has_other = true;
    error.other = {other->stop, other->id, other_block};
    error.other.waits = other->state != Thread::Done;
    error.other_what = what_stops(*other);
  }
  ErrorList& errors = block.observer().errors();
  if (errors.is_new(error.kind, error.here.place, error.other.place)) {
    errors.add(std::move(error));
  }
}

}  // namespace simt
