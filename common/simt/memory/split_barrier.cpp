// Split barriers (__mbarrier_t): their phases, what they order, and how they are used wrongly.
#include <algorithm>
#include <string>

#include "common/simt/memory/recorder_inline.h"
#include "common/simt/program/program.h"

namespace simt {
namespace {

constexpr uint32_t kMostArrivals = (1u << 14) - 1;  // __mbarrier_maximum_count()

}  // namespace

std::string Recorder::name_of(const void* shared) const {
  return is_shared(shared) ? shared_name(reinterpret_cast<uintptr_t>(shared) - tls_begin_)
                           : "an address outside of shared memory";
}

SplitBarrier* Recorder::find_barrier(const void* barrier) {
  const size_t offset = reinterpret_cast<uintptr_t>(barrier) - tls_begin_;
  for (auto b = order_.barriers.rbegin(); b != order_.barriers.rend(); ++b) {
    if (b->valid && b->offset == offset) {
      return &*b;
    }
  }
  return nullptr;
}

// The barrier there, which must have been initialised, and that must be known to this thread.
SplitBarrier& Recorder::use_barrier(const void* barrier, Stop place, const char* does) {
  SplitBarrier* const b = find_barrier(barrier);
  if (b == nullptr) {
    report_and_abandon(
        ErrorKind::BadArgument, place_of(place),
        std::string(does) + " " + name_of(barrier) + ", where no __mbarrier_init() made a barrier");
  }
  if (b->maker != tid_ && b->made >= interval_begin_ && !ordered(b->maker, b->made)) {
    report_pair(ErrorKind::SharedRace, place_of(place),
                std::string(does) + " " + name_of(barrier) +
                    " with no __syncthreads() since another thread initialised it",
                place_of(b->place), b->maker, "initialised it");
  }
  return *b;
}

// The first barrier of a block: from now on, order is a matter of each pair of threads. Reads since the last
// __syncthreads() are taken over, and what __syncwarp() ordered stays so: see ordered(). Whoever else uses
// the barrier comes from another __syncthreads().
void Recorder::begin_split_order() {
  order_.begin(worker_.thread_count(), shared_->count());
  for (size_t i = 0; i < shared_->count(); ++i) {
    const Cell& cell = cells_[i];
    if (cell.read >= sync_begin_) {
      order_.reads(reader_of(cell))[i] = {cell.read, cell.read_site};
      order_.reads(other_reader_of(cell))[i] = {cell.read, cell.read_site};
    }
  }
  reads_ = order_.reads(tid_);
}

// The lanes in mask of this warp meet, at the newest stamp: each now knows what any of them knew.
void Recorder::sync_split_order(unsigned warp, uint32_t mask) {
  Stamps all(worker_.thread_count(), 0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) {
      SplitOrder::raise(all, order_.known(warp * 32 + lane));
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) {
      all[warp * 32 + lane] = counter_;
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) {
      order_.known(warp * 32 + lane) = all;
      know(warp * 32 + lane);
    }
  }
}

// A thread's part of the order has grown.
void Recorder::know(unsigned thread) {
  const uint32_t least = std::min(order_.least_known(thread), counter_);
  clocks_[thread].before = std::max(sync_begin_, least);
}

// A write beside reads that are not all known to be over.
void Recorder::check_last_reads(Cell& cell, uint32_t site, size_t offset) {
  const size_t at = size_t(&cell - cells_);
  for (unsigned t = 0; t < worker_.thread_count(); ++t) {
    const LastRead read = order_.reads(t)[at];
    if (t != tid_ && read.stamp >= sync_begin_ && !ordered(t, read.stamp)) {
      report_race("writes", site, offset, "read", read.site, t);
      return;
    }
  }
}

void Recorder::split_init(const void* barrier, uint32_t count, Stop place, const void* pc) {
  const size_t offset = reinterpret_cast<uintptr_t>(barrier) - tls_begin_;
  if (!is_shared(barrier) || cells_[offset >> shift_].written == Cell::kInvalid) {
    report_and_abandon(ErrorKind::BadArgument, place_of(place),
                       "initialises a split barrier outside of shared memory");
  }
  if (offset % 8 != 0 || alignment_of(barrier) < 8) {
    report_and_abandon(ErrorKind::Misaligned, place_of(place),
                       "initialises a split barrier at " + shared_name(offset) +
                           ", which is not at a multiple of 8 bytes");
  }
  if (count == 0 || count > kMostArrivals) {
    report_and_abandon(ErrorKind::BadArgument, place_of(place),
                       "initialises " + shared_name(offset) + " for " + std::to_string(count) +
                           " arrivals; there must be 1 to " + std::to_string(kMostArrivals));
  }
  if (const SplitBarrier* const other = find_barrier(barrier)) {
    report_pair(ErrorKind::BadArgument, place_of(place),
                "initialises " + shared_name(offset) + ", which is a barrier already",
                place_of(other->place), other->maker, "initialised it");
    worker_.abandon();
  }
  if (!order_.active()) {
    begin_split_order();
  }
  const uint32_t site =
      Sites::get().number(static_cast<const char*>(pc), 0, Access::Store, sizeof(uint64_t));
  for (size_t at = offset >> shift_; at < (offset + 8) >> shift_; ++at) {
    check_write(cells_[at], site, offset, false);
    cells_[at].written = Cell::kBarrier;
    cells_[at].who = (cells_[at].who & ~kWriterMask) | tid_ | kSlow;
    cells_[at].write_site = uint16_t(site);
  }
  SplitBarrier b;
  b.offset = offset;
  b.count = count;
  b.running.assign(worker_.thread_count(), 0);
  b.complete = b.running;
  b.last.assign(worker_.thread_count(), 0);
  b.maker = tid_;
  b.made = now_.stamp;
  b.place = place;
  order_.barriers.push_back(std::move(b));
}

void Recorder::split_inval(const void* barrier, Stop place) {
  SplitBarrier& b = use_barrier(barrier, place, "invalidates");
  if (b.arrived != 0) {
    report_and_abandon(ErrorKind::BadArgument, place_of(place),
                       "invalidates " + shared_name(b.offset) + ", at whose running phase " +
                           std::to_string(b.arrived) + " of " + std::to_string(b.count) +
                           " have arrived");
  }
  b.valid = false;
  for (size_t at = b.offset >> shift_; at < (b.offset + 8) >> shift_; ++at) {
    cells_[at].written = now_.stamp;
    cells_[at].who = (cells_[at].who & ~kWriterMask) | tid_;
  }
}

uint64_t Recorder::split_arrive(const void* barrier, Stop place) {
  SplitBarrier& b = use_barrier(barrier, place, "arrives at");
  const unsigned threads = worker_.thread_count();
  if (b.last[tid_] == b.phase + 1 && b.count <= threads) {
    report_and_abandon(ErrorKind::BadArgument, place_of(place),
                       "arrives a second time at the running phase of " + shared_name(b.offset) +
                           ", which it has not waited for: " + std::to_string(b.arrived) + " of " +
                           std::to_string(b.count) + " have arrived");
  }
  const uint64_t token = uint64_t(b.phase) << 32 |
                         uint64_t(std::find_if(order_.barriers.begin(), order_.barriers.end(),
                                               [&b](const SplitBarrier& o) { return &o == &b; }) -
                                  order_.barriers.begin() + 1);
  if (b.arrived == 0) {
    b.stamp = ++counter_;
  }
  // Threads that arrive at the same barriers in the same order have the same stamps.
  now_.stamp = b.stamp > now_.stamp ? b.stamp : ++counter_;
  clocks_[tid_].stamp = now_.stamp;
  SplitOrder::raise(b.running, order_.known(tid_));
  b.running[tid_] = std::max(b.running[tid_], now_.stamp);
  b.last[tid_] = b.phase + 1;
  if (++b.arrived == b.count) {
    b.complete.swap(b.running);
    b.running.assign(threads, 0);
    b.arrived = 0;
    ++b.phase;
  }
  ++arrivals_;
  worker_.progress();
  return token;
}

}  // namespace simt
