// Waits for phases of mbarriers: the order that they give, and waits that never end.
#include <algorithm>
#include <utility>

#include "races/barriers/mbarriers.h"
#include "races/recorder.h"

namespace simt {

bool Mbarriers::test(const void* barrier, uint64_t token, const RawPlace& place) {
  Barrier& b = use(barrier, place, "waits at");
  const size_t number = size_t(token & 0xffffffffu) - 1;
  const uint32_t phase = uint32_t(token >> 32);
  if (number >= barriers_.size() || &barriers_[number] != &b || phase > b.phase) {
    refuse(ErrorKind::BadArgument, place,
           "waits at " + shared_.name(b.offset) +
               " with a token that no __mbarrier_arrive() of this barrier returned");
  }
  const auto check = [&] {
    if (!b.valid || b.phase - phase > 1) {
      refuse(ErrorKind::BadArgument, place,
             "waits at " + shared_.name(b.offset) + " with a token of " +
                 (b.valid ? std::to_string(b.phase - phase) +
                                " phases ago; it holds for its phase and the next"
                          : std::string("a barrier that has been invalidated")));
    }
  };
  check();
  const bool before = b.phase != phase;
  const bool over = wait_for(b, phase, place);
  if (!before) {
    check();
  }
  return over;
}

// The parity tells the running phase from the one before. A fresh barrier's "phase before" orders nothing.
bool Mbarriers::test_parity(const void* barrier, uint32_t parity, const RawPlace& place) {
  if (parity > 1) {
    refuse(ErrorKind::BadArgument, place,
           "passes the parity " + std::to_string(parity) +
               " to mbarrier.test_wait; it must be 0 or 1");
  }
  Barrier& b = use(barrier, place, "waits at");
  const uint32_t phase = (b.phase & 1) == parity ? b.phase : b.phase - 1;
  const bool before = b.phase != phase;
  const bool over = wait_for(b, phase, place);
  if (!before && (!b.valid || b.phase - phase > 1)) {
    refuse(ErrorKind::BadArgument, place,
           "waits at " + shared_.name(b.offset) + " for a phase by its parity" +
               (b.valid ? ", but the next phase is complete, too: a polling thread can miss both"
                        : ", but the barrier has been invalidated"));
  }
  return over;
}

// The running thread tests whether that phase, the running one or the one before, is complete. A thread's first look at
// a phase that is not returns at once, as it may on a GPU: a wait without its loop goes on too early.
bool Mbarriers::wait_for(Barrier& b, uint32_t phase, const RawPlace& place) {
  const bool before =
      b.phase != phase;  // if so, the thread stops only to stay with the lanes of its warp
  if (!before && std::exchange(b.looked[order_.now().party], phase + 1) != phase + 1) return false;
  Recorder::running->log().note(Access::Test, place.call, b.offset);
  if (before) {
    order_.acquire(b.complete);
  }
  const bool over = worker_.wait_phase(&b.phase, phase, place);
  if (!before && over) {
    order_.acquire(b.complete);
  }
  if (over) {
    BarrierUse::Waits& waits = b.use->waits[place.call];
    tell("wait", b, phase, place);
    ++waits.count;
    waits.warps |= 1u << order_.now().thread / 32 % 32;
  }
  return over;
}

void Mbarriers::tell(const char* step, const Barrier& b, uint32_t phase, const RawPlace& place,
                     uint64_t bytes) const {
  if (Watch* const watch = Watch::of(worker_.block())) {
    watch->step({step,
                 uint32_t(Worker::current()->running().id) / 32,
                 place.line,
                 place.call,
                 {{"barrier", b.offset}, {"phase", phase}, {"bytes", bytes}}});
  }
}

// "1 of 1 have arrived", and the bytes if it waits for any.
std::string Mbarriers::missing_of(const Barrier& b) const {
  std::string text = std::to_string(b.arrived) + " of " + std::to_string(b.count) + " have arrived";
  if (b.expected != 0 || b.copied != 0) {
    text += ", and copies have brought " + std::to_string(b.copied) + " of " +
            std::to_string(b.expected) + " bytes";
  }
  return text;
}

bool Mbarriers::is_awaited(const Barrier& b) const {
  for (unsigned t = 0; t < worker_.thread_count(); ++t) {
    const Thread& thread = worker_.thread(t);
    if (thread.state == Thread::AtPhase && thread.phase == &b.phase && thread.number == b.phase) {
      return true;
    }
  }
  return false;
}

// A thread that has not arrived at the running phase. It prefers a thread of any block that arrived at earlier phases,
// then one of a warp from which no thread has arrived, then any other than `waiting`. Among these it prefers one that
// does not wait there itself.
Mbarriers::Missing Mbarriers::missing_at(const Barrier& b, unsigned waiting) const {
  const unsigned threads = worker_.thread_count();
  Missing best;
  unsigned best_rank = 6;
  for (unsigned block = 0; block < worker_.cluster().size() && b.arrived != b.count; ++block) {
    Worker& worker = worker_.cluster().block(block);
    const uint32_t* const last = b.last.data() + size_t(block) * order_.space().width();
    const auto here = [&](unsigned t) { return last[t] == b.phase + 1; };
    for (unsigned t = 0; t < threads; ++t) {
      const unsigned first = t / 32 * 32, end = std::min(first + 32, threads);
      bool warp_here = &worker != &worker_;  // threads of other blocks need not arrive
      for (unsigned lane = first; lane < end; ++lane) {
        warp_here = warp_here || here(lane);
      }
      const bool waits =
          worker.thread(t).state == Thread::AtPhase && worker.thread(t).phase == &b.phase;
      const unsigned rank = (last[t] != 0 ? 0 : warp_here ? 2 : 1) + (waits ? 3 : 0);
      if ((t != waiting || &worker != &worker_) && !here(t) && rank < best_rank) {
        best = {&worker, t}, best_rank = rank;
      }
    }
  }
  return best;
}

bool Mbarriers::stalled() {
  unsigned self = 0;
  auto b = barriers_.end();
  for (; self < worker_.thread_count() && b == barriers_.end(); ++self) {
    const Thread& thread = worker_.thread(self);
    if (thread.state == Thread::AtPhase) {
      b = std::find_if(barriers_.begin(), barriers_.end(),
                       [&](const Barrier& o) { return &o.phase == thread.phase; });
    }
  }
  if (b == barriers_.end()) {
    return false;
  }
  const Thread& thread = worker_.thread(--self);
  RawError error;
  error.kind = ErrorKind::BarrierDivergence;
  error.here = {thread.stop, self, worker_.block()};
  error.what = "waits for a phase of " + shared_.name(b->offset) + " (initialised at " +
               short_path(b->place.file) + ":" + std::to_string(b->place.line) +
               ") that cannot complete: " + missing_of(*b);
  const Missing missing = missing_at(*b, self);
  if (b->expected != b->copied && b->expects.file != nullptr) {
    error.has_other = true;
    error.other = {b->expects, ~0u, worker_.block()};
    error.other_what = "announced " + std::to_string(b->expected);
  } else if (missing.block != nullptr) {
    const Thread& other = missing.block->thread(missing.thread);
    error.has_other = true;
    error.other = {other.stop, missing.thread, missing.block->block()};
    error.other.waits = other.state != Thread::Done;
    error.other_what = what_stops(other);
    const auto its = std::find_if(barriers_.begin(), barriers_.end(), [&](const Barrier& o) {
      return other.state == Thread::AtPhase && &o.phase == other.phase;
    });
    if (its != barriers_.end() && its != b) {
      error.other_what += " of " + name(*its) + " (" + missing_of(*its) + ")";
    }
    if (other.state == Thread::Done) {
      error.other.place = RawPlace(missing.block->observer().last_access(missing.thread));
    }
  }
  if (findings_.list().is_new(error.kind, error.here.place, error.other.place)) {
    findings_.list().add(std::move(error));
  }
  return true;
}

}  // namespace simt
