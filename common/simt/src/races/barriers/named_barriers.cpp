#include "races/barriers/named_barriers.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace simt {

void NamedBarriers::begin_block() {
  std::fill(std::begin(barriers_), std::end(barriers_), Barrier());
}

unsigned NamedBarriers::arrive(uint32_t number, uint32_t threads, Kind kind, bool predicate,
                               const RawPlace& place) {
  const char* const names[] = {"bar.arrive", "bar.sync", "bar.red"};
  const std::string text = number == kBlock
                               ? "calls barrier_arrive()"
                               : "executes " + std::string(names[int(kind)]) + " " +
                                     std::to_string(number) + ", " + std::to_string(threads);
  if (number != kBlock &&
      (number >= kCount || threads == 0 || threads % 32 != 0 || threads > worker_.thread_count())) {
    findings_.report_and_abandon(
        ErrorKind::BadArgument, place,
        text + "; there are barriers 0 to 15, of a multiple of 32 threads that the block has");
  }
  Barrier& b = barriers_[number];
  if (b.arrived == 0) {
    b.threads = threads;
    b.place = place;
    b.first = worker_.running().id;
    b.running.assign(order_.space().total, 0);
    b.counts = kind == Kind::kCount;
    b.holds = 0;
  }
  if (b.threads != threads) {
    findings_.report_pair(ErrorKind::BadArgument, place,
                          text + " where another thread has said " + std::to_string(b.threads),
                          b.place, b.first, "has arrived");
    worker_.abandon();
  }
  if (b.counts != (kind == Kind::kCount)) {
    findings_.report_pair(ErrorKind::BadArgument, place,
                          text + " where another thread has executed " +
                              (b.counts ? "bar.red" : "bar.sync or bar.arrive"),
                          b.place, b.first, "has arrived");
    worker_.abandon();
  }
  if (b.who[worker_.running().id]) {
    findings_.report_and_abandon(
        ErrorKind::BadArgument, place,
        text + " a second time before the others have arrived, and counts twice");
  }
  b.who.set(worker_.running().id);
  order_.release(0, b.running);
  worker_.cluster().progress();
  const uint32_t phase = b.phase;
  uint16_t& counted = b.counted[phase % std::size(b.counted)];
  b.holds += predicate;
  if (++b.arrived == b.threads) {
    b.complete.swap(b.running);
    b.arrived = 0;
    b.who.reset();
    ++b.phase;
    counted = uint16_t(b.holds);
  }
  if (kind != Kind::kArrive) {
    worker_.wait_phase(&b.phase, phase, place, false);
    order_.acquire(b.complete);
  }
  return counted;
}

void NamedBarriers::wait_in_block(uint32_t phase, const RawPlace& place) {
  Barrier& b = barriers_[kBlock];
  worker_.wait_phase(&b.phase, phase, place, false);
  order_.acquire(b.complete);
}

bool NamedBarriers::stalled() {
  for (unsigned t = 0; t < worker_.thread_count(); ++t) {
    const Thread& thread = worker_.thread(t);
    const auto b = std::find_if(std::begin(barriers_), std::end(barriers_),
                                [&](const Barrier& o) { return &o.phase == thread.phase; });
    if (thread.state != Thread::AtPhase || b == std::end(barriers_)) {
      continue;
    }
    RawError error;
    error.kind = ErrorKind::BarrierDivergence;
    error.here = {thread.stop, t, worker_.block()};
    const ptrdiff_t number = b - barriers_;
    error.what = (number == kBlock ? "waits in barrier_wait() for "
                                   : "waits at barrier " + std::to_string(number) + " for ") +
                 std::to_string(b->threads) + " threads, of which " + std::to_string(b->arrived) +
                 " have arrived";
    if (findings_.list().is_new(error.kind, error.here.place, RawPlace())) {
      findings_.list().add(std::move(error));
    }
    return true;
  }
  return false;
}

}  // namespace simt
