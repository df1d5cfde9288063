// Accesses to shared memory of other blocks of the cluster.
#include "races/races.h"

namespace simt {

Recorder* Recorder::block_at(uint32_t address) {
  const unsigned rank = address >> 24;
  const bool inside =
      rank < worker_.cluster().size() && shared_.pointer(offset_in_block(address)) != nullptr;
  return inside ? &block(rank) : nullptr;
}

void* Recorder::pointer_into(unsigned rank, size_t offset) {
  SharedShadow& shared = block(rank).shared_;
  return rank == worker_.rank() ? shared.memory() + offset : shared.image(offset);
}

bool Recorder::find_remote(const void* pointer, uint32_t& address) const {
  for (unsigned rank = 0; rank < worker_.cluster().size(); ++rank) {
    SharedShadow& shared = block(rank).shared_;
    const uintptr_t at = reinterpret_cast<uintptr_t>(pointer);
    if (rank != worker_.rank() && shared.image_contains(at)) {
      address = uint32_t(at - reinterpret_cast<uintptr_t>(shared.image(0))) | rank << 24;
      return true;
    }
  }
  return false;
}

void Recorder::keep_vector_clocks() {
  if (!order_.has_vector_clocks()) {
    order_.keep_vector_clocks();
    shared_.keep_vector_clocks(order_.now(), worker_.thread_count());
  }
}

void Recorder::advance() {
  tma_.advance();
  if (worker_.rank() == 0) {
    cluster_barrier_.settle();
  }
}

void Recorder::stalled() {
  if (!barriers_.stalled() && !named_.stalled()) {
    cluster_barrier().stalled(worker_);
  }
}

// False if this is no access to shared memory of another block.
bool Recorder::is_remote(uintptr_t address, unsigned size, Access access, uint32_t site) {
  for (unsigned rank = 0; rank < worker_.cluster().size(); ++rank) {
    SharedShadow& shared = block(rank).shared_;
    if (rank == worker_.rank() || !shared.image_contains(address)) {
      continue;
    }
    const size_t offset = address - reinterpret_cast<uintptr_t>(shared.image(0));
    const ThreadView seen = block(rank).order_.actor();
    if (!shared.is_all_array(offset, size)) {
      findings_.report_and_abandon(ErrorKind::SharedOutOfBounds, place_of(site),
                                   std::string(verb_of(access)) + " " + std::to_string(size) +
                                       " bytes outside of all shared arrays of another block");
    }
    block(rank).reach(place_of(site));
    shared.remote_access(seen,
                         {seen.party, seen.clock.epoch, site, access == Access::Atomic,
                          worker_.running().id, worker_.block()},
                         offset, size, access);
    log_.add(site, true, offset);
    return true;
  }
  return false;
}

void Recorder::reach(const RawPlace& place, bool at_once) {
  const ThreadView seen = order_.actor();
  Worker& now = *Worker::current();
  const auto [at, is_new] = reaches_.insert({seen.party, Reach()});
  const bool started = std::any_of(seen.vector_clock, seen.vector_clock + order_.space().threads,
                                   [](uint32_t epoch) { return epoch != 0; });
  if (is_new && !started) {
    findings_.report(ErrorKind::SharedRace, place,
                     "uses shared memory" + findings_.whose() +
                         ", which need not have started yet: there was no barrier of the cluster");
  }
  if (at_once) {
    at->second = {seen.clock.epoch, place, now.running().id, now.block()};
  }
}

// Reports accesses by other blocks that this block does not wait for: it can end, and its shared memory with it, before
// such an access.
void Recorder::check_reaches() {
  for (const auto& [party, reach] : reaches_) {
    const bool at_once = reach.epoch != 0;
    if (!worker_.finished() || !at_once || order_.anybody_has_acquired(party, reach.epoch)) {
      continue;
    }
    RawError error;
    error.kind = ErrorKind::SharedRace;
    error.here = {reach.place, reach.thread, reach.block};
    error.what =
        "uses shared memory of a block that may have ended by then: it waits for no barrier of the "
        "cluster behind this";
    error.has_other = true;
    error.other = {RawPlace(log_.last_access(0)), 0, worker_.block()};
    error.other_what = "has exited";
    if (findings_.own_list().is_new(error.kind, error.here.place, error.other.place)) {
      findings_.own_list().add(std::move(error));
    }
    break;
  }
  reaches_.clear();
}

}  // namespace simt
