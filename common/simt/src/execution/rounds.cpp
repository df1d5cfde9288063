// Selects the threads that continue when all threads of a block have stopped at barriers or wait for phases of
// mbarriers.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "execution/cluster.h"
#include "execution/divergence.h"
#include "execution/worker.h"
#include "execution/workers.h"

namespace simt {
namespace {

// Full logs of polling warps, without a step of any other warp, after which they count as waiting forever.
constexpr uint64_t kMostIdle = 8192;

std::atomic<unsigned> largest_block{1};  // threads

}  // namespace

bool Worker::is_waiting() const {
  return std::any_of(threads_.begin(), threads_.begin() + thread_count_,
                     [](const Thread& t) { return t.state == Thread::AtPhase; });
}

bool Worker::is_polling() const {
  return std::any_of(threads_.begin(), threads_.begin() + thread_count_,
                     [](const Thread& t) { return t.state == Thread::AtPhase && t.polls; });
}

// False if the block has finished, or no thread can continue by itself.
bool Worker::next_round() {
  if (!is_waiting()) {
    return check_barrier();
  }
  if (!end_waits()) {
    return false;
  }
  abandoned_ = !observer_->end_phases();
  return true;
}

bool Worker::can_continue() const {
  return std::any_of(threads_.begin(), threads_.begin() + thread_count_, [](const Thread& t) {
    return t.state == Thread::AtPhase && *t.phase != t.number;
  });
}

// Lets threads continue whose phase is over. False if there are none.
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

// Lets polling threads run again. What they do between two polls can help the others.
void Worker::poll_again() {
  for (unsigned i = 0; i < thread_count_; ++i) {
    Thread& thread = threads_[i];
    if (thread.state == Thread::AtPhase && thread.polls) {
      thread.state = Thread::Ready;
    }
  }
  abandoned_ = !observer_->end_phases();
}

// If all threads wait at the same barrier, lets them continue. False if the block has finished.
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
  votes_passed_ = votes_;
  votes_ = 0;
  abandoned_ = !observer_->end_barrier();
  return true;
}

void Worker::barrier(const RawPlace& stop) {
  running_->state = Thread::AtBarrier;
  running_->stop = stop;
  yield();
}

unsigned Worker::barrier_count(bool predicate, const RawPlace& stop) {
  votes_ += predicate;
  barrier(stop);
  return votes_passed_;
}

bool Worker::wait_phase(const uint32_t* phase, uint32_t number, const RawPlace& stop, bool polls) {
  Thread& self = *running_;
  self.state = Thread::AtPhase;
  self.stop = stop;
  self.phase = phase;
  self.number = number;
  self.polls = polls;
  yield();
  return *phase != number;
}

namespace {

bool waits_for_grid(const Thread& thread, const Launch& launch) {
  return thread.state == Thread::AtPhase && thread.phase == &launch.grid_phase;
}

}  // namespace

void Worker::wait_for_grid(const RawPlace& stop) {
  wait_phase(&launch_->grid_phase, launch_->grid_phase, stop, false);
}

bool Worker::is_at_grid() const {
  return std::any_of(threads_.begin(), threads_.begin() + thread_count_,
                     [this](const Thread& t) { return waits_for_grid(t, *launch_); });
}

bool Worker::all_at_grid() const {
  return std::all_of(threads_.begin(), threads_.begin() + thread_count_,
                     [this](const Thread& t) { return waits_for_grid(t, *launch_); });
}

// The grid's barrier is a barrier of the block, too.
void Worker::pass_grid() {
  end_waits();
  abandoned_ = !observer_->end_barrier();
}

unsigned Worker::active_mask(const RawPlace& stop) {
  unsigned mask = 0;
  running_->state = Thread::AtWarpOp;
  running_->stop = stop;
  running_->op = WarpOp::Active;
  running_->mask = 1u << running_->id % 32;
  running_->argument = &mask;
  yield();
  return mask;
}

// When no lane can continue otherwise, forms the active mask of the lanes that wait for it at the earliest place in the
// code, and lets them continue. False if no lane waits for a mask.
bool Worker::form_active_mask(unsigned warp) {
  const auto begin = threads_.begin() + size_t(warp) * 32, end = begin + warp_size_of(warp);
  const auto wants_mask = [](const Thread& t) {
    return t.state == Thread::AtWarpOp && t.op == WarpOp::Active;
  };
  const auto first = std::min_element(begin, end, [&](const Thread& a, const Thread& b) {
    return wants_mask(a) && (!wants_mask(b) || a.stop.pc < b.stop.pc);
  });
  if (first == end || !wants_mask(*first)) {
    return false;
  }
  const RawPlace place = first->stop;
  unsigned mask = 0;
  for (auto lane = begin; lane != end; ++lane) {
    mask |= unsigned(wants_mask(*lane) && same_place(lane->stop, place)) << (lane - begin);
  }
  for (auto lane = begin; lane != end; ++lane) {
    if ((mask >> (lane - begin) & 1) != 0) {
      *static_cast<unsigned*>(lane->argument) = mask;
      lane->state = Thread::Ready;
    }
  }
  return true;
}

unsigned Worker::most_threads() {
  return largest_block;
}

void Worker::note_threads() const {
  if (largest_block < thread_count_) {
    largest_block = thread_count_;  // the same for all workers of a launch
  }
}

// Called when the block's warps have stopped and some poll for a value that another thread must write. Other warps and
// blocks run meanwhile, including blocks that have not started. False if other blocks on this OS thread take their
// turns now.
bool Worker::wait_for_others() {
  const uint64_t steps = launch_->steps;
  idle_ = steps == steps_seen_ ? idle_ + waiting_warps_ : 0;
  steps_seen_ = steps;
  if (idle_ > kMostIdle) {
    const auto ready = std::find_if(threads_.begin(), threads_.begin() + thread_count_,
                                    [](const Thread& t) { return t.state == Thread::Ready; });
    observer_->waits_for_ever(ready->id);
    abandoned_ = true;
  } else if (idle_ != 0 &&
             !(launch_->next < launch_->clusters && !launch_->alone && add_worker())) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return cluster_->size() == 1 && !launch_->config.cooperative;
}

}  // namespace simt
