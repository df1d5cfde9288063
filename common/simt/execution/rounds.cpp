// When all threads of a block have stopped: who goes on. Barriers, and waits for phases of split barriers.
#include <algorithm>

#include "common/simt/execution/divergence.h"
#include "common/simt/execution/worker.h"

namespace simt {
namespace {

// Rounds after which threads that only look whether a phase is over are taken to wait for ever.
constexpr unsigned kMostStalls = 256;

}  // namespace

// False when the block has finished.
bool Worker::next_round() {
  const bool phases = std::any_of(threads_.begin(), threads_.begin() + thread_count_,
                                  [](const Thread& t) { return t.state == Thread::AtPhase; });
  return phases ? check_phases() : check_barrier();
}

// Threads whose phase is over go on. False if there is none.
bool Worker::end_waits() {
  bool over = false;
  for (unsigned i = 0; i < thread_count_; ++i) {
    Thread& thread = threads_[i];
    if (thread.state == Thread::AtPhase && *thread.phase != thread.number) {
      thread.state = Thread::Ready;
      over = true;
    }
  }
  return over;
}

// If no wait ends, all that wait for phases may look again: what they
// do between two looks can help the others.
bool Worker::check_phases() {
  const bool over = end_waits() || (observer_->advance() && end_waits());
  stalls_ = over ? 0 : stalls_ + 1;
  if (stalls_ > kMostStalls) {
    observer_->stalled();
    abandoned_ = true;
    return true;
  }
  for (unsigned i = 0; i < thread_count_ && !over; ++i) {
    if (threads_[i].state == Thread::AtPhase) {
      threads_[i].state = Thread::Ready;
    }
  }
  abandoned_ = !observer_->end_phases();
  return true;
}

// The same where no thread waits for a phase. All go on behind their barrier.
bool Worker::check_barrier() {
  unsigned waiting = 0;
  for (unsigned i = 0; i < thread_count_; ++i) {
    waiting += threads_[i].state == Thread::AtBarrier;
  }
  if (waiting == 0) {
    return false;
  }
  if (report_barrier_divergence(stopped(), waiting)) {
    abandoned_ = true;
    return true;
  }
  for (unsigned i = 0; i < thread_count_; ++i) {
    threads_[i].state = Thread::Ready;
  }
  ++barriers_;
  abandoned_ = !observer_->end_barrier();
  return true;
}

void Worker::barrier(const RawPlace& stop) {
  running_->state = Thread::AtBarrier;
  running_->stop = stop;
  yield();
}

bool Worker::wait_phase(const uint32_t* phase, uint32_t number, const RawPlace& stop) {
  Thread& self = *running_;
  self.state = Thread::AtPhase;
  self.stop = stop;
  self.phase = phase;
  self.number = number;
  yield();
  return *phase != number;
}

}  // namespace simt
