#include "races/happens_before.h"

#include <algorithm>

namespace simt {
namespace {

void join(VectorClock& to, const VectorClock& from) {
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] = std::max(to[i], from[i]);
  }
}

}  // namespace

thread_local HappensBefore* HappensBefore::running_ = nullptr;

bool HappensBefore::begin_launch(unsigned threads, unsigned rank, unsigned blocks) {
  space_.threads = threads;
  space_.base = rank * space_.width();
  space_.total = blocks * space_.width();
  const bool over = counter_ > 0xf0000000u;
  counter_ = over ? 2 : counter_ + 1;
  launch_begin_ = counter_;
  clocks_.assign(threads, ThreadClock());
  now_ = ThreadView();
  return over;
}

void HappensBefore::begin_block() {
  block_begin_ = last_barrier_ = ++counter_;
  locked_.reset();
  fenced_.assign(clocks_.size(), 0);
  released_.assign(clocks_.size(), 0);
  turn_epochs_.assign(clocks_.size(), 0);
}

void HappensBefore::end_turn(unsigned warp) {
  const unsigned end = std::min(warp * 32 + 32, space_.threads);
  for (unsigned t = warp * 32; t < end && has_vector_clocks_; ++t) {
    turn_epochs_[t] = clocks_[t].epoch;
  }
}

void HappensBefore::end_barrier() {
  last_barrier_ = ++counter_;
  locked_.reset();
  for (unsigned warp = 0; warp * 32 < space_.threads && has_products_; ++warp) {
    const uint32_t at = space_.base + space_.products(warp);
    const uint32_t most = vector_clocks_[size_t(warp) * 32][at];  // its own lanes have the latest
    for (VectorClock& clock : vector_clocks_) {
      clock[at] = most;
    }
  }
  if (space_.total > space_.width()) {
    meet();
  }
}

// In a cluster, a barrier of the block joins the vector clocks of its threads.
void HappensBefore::meet() {
  VectorClock all(space_.total, 0);
  for (const VectorClock& clock : vector_clocks_) {
    join(all, clock);
  }
  std::fill_n(all.begin() + space_.base, space_.threads, counter_);
  vector_clocks_.assign(vector_clocks_.size(), all);
}

void HappensBefore::complete_products(uint32_t number) {
  has_products_ = true;
  const unsigned warp = now_.thread / 32;
  for (unsigned lane = 0; lane < 32; ++lane) {
    vector_clocks_[warp * 32 + lane][space_.base + space_.products(warp)] = number;
  }
}

void HappensBefore::enter(unsigned thread) {
  ThreadClock& clock = clocks_[thread];
  if (clock.epoch < last_barrier_) {
    clock = {last_barrier_, last_barrier_, 0, 0, last_barrier_};
  }
  running_ = this;
  now_ = {thread,
          block_begin_,
          last_barrier_,
          clock,
          nullptr,
          0,
          nullptr,
          0,
          locked_[thread] ? &locked_ : nullptr};
  show_vector_clock();
}

void HappensBefore::show_vector_clock() {
  now_.vector_clock =
      has_vector_clocks_ ? vector_clocks_[now_.thread].data() + space_.base : nullptr;
  now_.parties = space_.width();
  now_.cluster_clock = has_vector_clocks_ ? vector_clocks_[now_.thread].data() : nullptr;
  now_.party = space_.base + now_.thread;
}

ThreadView HappensBefore::seen_by(const HappensBefore& other) const {
  ThreadView seen = now_;
  seen.thread = kElsewhere;
  seen.locked = nullptr;
  seen.block_begin = seen.last_barrier = other.block_begin_;
  seen.vector_clock = now_.cluster_clock + other.space_.base;
  seen.clock = {now_.clock.epoch, 0, 0, 0, 0};
  seen.clock.interval_begin =
      *std::min_element(seen.vector_clock, seen.vector_clock + other.space_.threads);
  return seen;
}

bool HappensBefore::anybody_has_acquired(uint32_t party, uint32_t epoch) const {
  return std::any_of(vector_clocks_.begin(), vector_clocks_.end(),
                     [&](const VectorClock& clock) { return epoch < clock[party]; });
}

void HappensBefore::sync_warp(uint32_t mask, unsigned size) {
  const unsigned warp = now_.thread / 32;
  const uint32_t all = size == 32 ? ~0u : (1u << size) - 1;
  ++counter_;
  for (unsigned lane = 0; lane < size; ++lane) {
    ThreadClock& clock = clocks_[warp * 32 + lane];
    if ((mask >> lane & 1) == 0) {
      continue;
    }
    clock.epoch = counter_;
    if ((mask & all) == all) {
      clock.warp_epoch = counter_;
    } else {
      clock.partial_epoch = counter_;
      clock.partial_mask = mask;
    }
  }
  if (has_vector_clocks_) {
    join_warp(warp, mask & all);
  }
  now_.clock = clocks_[now_.thread];
}

// The lanes in mask of this warp meet at the newest epoch. Joins their vector clocks.
void HappensBefore::join_warp(unsigned warp, uint32_t mask) {
  VectorClock all(space_.total, 0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) {
      join(all, vector_clocks_[warp * 32 + lane]);
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) {
      all[space_.base + warp * 32 + lane] = counter_;
    }
  }
  const uint32_t before = interval_begin_of(all, warp * 32 + unsigned(__builtin_ctz(mask)));
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) {
      vector_clocks_[warp * 32 + lane] = all;
      clocks_[warp * 32 + lane].interval_begin = before;
    }
  }
}

// The begin of the interval of a thread with that vector clock. All other threads' accesses before the least epoch in
// it happen before the thread's own.
uint32_t HappensBefore::interval_begin_of(const VectorClock& clock, unsigned thread) const {
  const auto begin = clock.begin() + space_.base, own = begin + thread;
  const auto least = [](auto from, auto to, uint32_t most) {
    for (; from != to; ++from) most = std::min(most, *from);
    return most;
  };
  return std::max(last_barrier_,
                  least(begin, own, least(own + 1, begin + space_.threads, counter_)));
}

void HappensBefore::keep_vector_clocks() {
  vector_clocks_.resize(clocks_.size());
  for (VectorClock& clock : vector_clocks_) {
    clock.assign(space_.total, 0);
  }
  has_vector_clocks_ = true;
  show_vector_clock();
}

// Threads that arrive at the same mbarriers in the same order have the same epochs.
void HappensBefore::release(uint32_t phase_epoch, VectorClock& released) {
  ThreadClock& clock = clocks_[now_.thread];
  clock.epoch = phase_epoch > clock.epoch ? phase_epoch : ++counter_;
  now_.clock.epoch = clock.epoch;
  join(released, vector_clocks_[now_.thread]);
  uint32_t& own = released[space_.base + now_.thread];
  own = std::max(own, clock.epoch);
}

void HappensBefore::release_over(VectorClock& released) {
  const VectorClock& clock = vector_clocks_[now_.thread];
  if (released_[now_.thread] != 0) {
    join(released, clock);
  }
  uint32_t& own = released[space_.base + now_.thread];
  own = std::max({own, released_[now_.thread], 1u});
  for (uint32_t base = 0; base < space_.total; base += space_.width()) {
    for (uint32_t i = base + space_.threads; i < base + space_.width(); ++i) {
      released[i] = std::max(released[i], clock[i]);
    }
  }
}

void HappensBefore::acquire(const VectorClock& released) {
  join(vector_clocks_[now_.thread], released);
  now_.clock.interval_begin = clocks_[now_.thread].interval_begin =
      interval_begin_of(vector_clocks_[now_.thread], now_.thread);
}

void HappensBefore::fence_proxy() {
  fenced_[now_.thread] = advance_epoch();
}

void HappensBefore::fence_inits() {
  if (has_vector_clocks_) {
    vector_clocks_[now_.thread][space_.base + space_.inits()] = advance_epoch();
  }
}

void HappensBefore::fence_arrivals() {
  released_[now_.thread] = advance_epoch();
}

}  // namespace simt
