#include "races/order.h"

#include <algorithm>

namespace simt {
namespace {

void raise(Stamps& to, const Stamps& from) {
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] = std::max(to[i], from[i]);
  }
}

}  // namespace

thread_local Order* Order::running_ = nullptr;

bool Order::begin_launch(unsigned threads, unsigned rank, unsigned blocks) {
  space_.threads = threads;
  space_.base = rank * space_.width();
  space_.total = blocks * space_.width();
  const bool over = counter_ > 0xf0000000u;
  counter_ = over ? 2 : counter_ + 1;
  launch_begin_ = counter_;
  clocks_.assign(threads, Clock());
  now_ = Moment();
  return over;
}

void Order::begin_block() {
  block_begin_ = last_barrier_ = ++counter_;
  locked_.reset();
  fenced_.assign(clocks_.size(), 0);
  released_.assign(clocks_.size(), 0);
}

void Order::end_barrier() {
  last_barrier_ = ++counter_;
  locked_.reset();
  for (unsigned warp = 0; warp * 32 < space_.threads && has_products_; ++warp) {
    const uint32_t at = space_.base + space_.products(warp);
    const uint32_t most = known_[size_t(warp) * 32][at];  // its own lanes know first
    for (Stamps& stamps : known_) {
      stamps[at] = most;
    }
  }
  if (space_.total > space_.width()) {
    meet();
  }
}

// In a cluster, threads that meet tell each other what they know of other blocks, and may tell others of all of them.
void Order::meet() {
  Stamps all(space_.total, 0);
  for (const Stamps& stamps : known_) {
    raise(all, stamps);
  }
  std::fill_n(all.begin() + space_.base, space_.threads, counter_);
  known_.assign(known_.size(), all);
}

void Order::complete_products(uint32_t number) {
  has_products_ = true;
  const unsigned warp = now_.thread / 32;
  for (unsigned lane = 0; lane < 32; ++lane) {
    known_[warp * 32 + lane][space_.base + space_.products(warp)] = number;
  }
}

void Order::enter(unsigned thread) {
  Clock& clock = clocks_[thread];
  if (clock.stamp < last_barrier_) {
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
  show_known();
}

void Order::show_known() {
  now_.known = by_pairs_ ? known_[now_.thread].data() + space_.base : nullptr;
  now_.parties = space_.width();
  now_.all_known = by_pairs_ ? known_[now_.thread].data() : nullptr;
  now_.party = space_.base + now_.thread;
}

Moment Order::seen_by(const Order& other) const {
  Moment seen = now_;
  seen.thread = kElsewhere;
  seen.locked = nullptr;
  seen.block_begin = seen.last_barrier = other.block_begin_;
  seen.known = now_.all_known + other.space_.base;
  seen.clock = {now_.clock.stamp, 0, 0, 0, 0};
  seen.clock.before = *std::min_element(seen.known, seen.known + other.space_.threads);
  return seen;
}

bool Order::anybody_knows(uint32_t party, uint32_t stamp) const {
  return std::any_of(known_.begin(), known_.end(),
                     [&](const Stamps& known) { return stamp < known[party]; });
}

void Order::sync_warp(uint32_t mask, unsigned size) {
  const unsigned warp = now_.thread / 32;
  const uint32_t all = size == 32 ? ~0u : (1u << size) - 1;
  ++counter_;
  for (unsigned lane = 0; lane < size; ++lane) {
    Clock& clock = clocks_[warp * 32 + lane];
    if ((mask >> lane & 1) == 0) {
      continue;
    }
    clock.stamp = counter_;
    if ((mask & all) == all) {
      clock.warp_stamp = counter_;
    } else {
      clock.partial_stamp = counter_;
      clock.partial_mask = mask;
    }
  }
  if (by_pairs_) {
    sync_pairs(warp, mask & all);
  }
  now_.clock = clocks_[now_.thread];
}

// The lanes in mask of this warp meet, at the newest stamp: each now knows what any of them knew.
void Order::sync_pairs(unsigned warp, uint32_t mask) {
  Stamps all(space_.total, 0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) {
      raise(all, known_[warp * 32 + lane]);
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) {
      all[space_.base + warp * 32 + lane] = counter_;
    }
  }
  const uint32_t before = known_before(all, warp * 32 + unsigned(__builtin_ctz(mask)));
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) {
      known_[warp * 32 + lane] = all;
      clocks_[warp * 32 + lane].before = before;
    }
  }
}

// Where the interval of a thread that knows this begins: what all others did before the least of it is over for it.
uint32_t Order::known_before(const Stamps& known, unsigned thread) const {
  const auto begin = known.begin() + space_.base, own = begin + thread;
  const auto least = [](auto from, auto to, uint32_t most) {
    for (; from != to; ++from) most = std::min(most, *from);
    return most;
  };
  return std::max(last_barrier_,
                  least(begin, own, least(own + 1, begin + space_.threads, counter_)));
}

void Order::keep_pairs() {
  known_.resize(clocks_.size());
  for (Stamps& stamps : known_) {
    stamps.assign(space_.total, 0);
  }
  by_pairs_ = true;
  show_known();
}

// Threads that arrive at the same barriers in the same order have the same stamps.
void Order::release(uint32_t phase_stamp, Stamps& released) {
  Clock& clock = clocks_[now_.thread];
  clock.stamp = phase_stamp > clock.stamp ? phase_stamp : ++counter_;
  now_.clock.stamp = clock.stamp;
  raise(released, known_[now_.thread]);
  uint32_t& own = released[space_.base + now_.thread];
  own = std::max(own, clock.stamp);
}

void Order::release_over(Stamps& released) {
  const Stamps& known = known_[now_.thread];
  if (released_[now_.thread] != 0) {
    raise(released, known);
  }
  uint32_t& own = released[space_.base + now_.thread];
  own = std::max({own, released_[now_.thread], 1u});
  for (uint32_t base = 0; base < space_.total; base += space_.width()) {
    for (uint32_t i = base + space_.threads; i < base + space_.width(); ++i) {
      released[i] = std::max(released[i], known[i]);
    }
  }
}

void Order::learn(const Stamps& released) {
  raise(known_[now_.thread], released);
  now_.clock.before = clocks_[now_.thread].before = known_before(known_[now_.thread], now_.thread);
}

void Order::fence_proxy() {
  fenced_[now_.thread] = begin_stamp();
}

void Order::fence_inits() {
  if (by_pairs_) {
    known_[now_.thread][space_.base + space_.inits()] = begin_stamp();
  }
}

void Order::fence_arrivals() {
  released_[now_.thread] = begin_stamp();
}

}  // namespace simt
