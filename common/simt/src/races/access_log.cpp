#include "races/access_log.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "memory/memory.h"
#include "program/program.h"

namespace simt {

namespace {

size_t bytes_of_counts() {
  return text_size() * sizeof(uint64_t);
}

void* zeros(int access) {
  void* const memory =
      mmap(nullptr, bytes_of_counts(), access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  return memory;
}

}  // namespace

AccessLog::AccessLog(Worker& worker, Progress& progress, GlobalRequests& global)
    : site_map_(Sites::get().map()),
      quick_sites_(site_map_),
      text_(text_begin()),
      block_counts_(static_cast<uint64_t*>(zeros(PROT_READ | PROT_WRITE))),
      quick_counts_(block_counts_),
      zeros_(zeros(PROT_READ)),
      worker_(worker),
      progress_(progress),
      tally_(global) {}

AccessLog::~AccessLog() {
  munmap(block_counts_, bytes_of_counts());
  munmap(zeros_, bytes_of_counts());
}

void AccessLog::place_dynamic(uint64_t offset, size_t alignment) {
  const Launch& launch = worker_.launch();
  alignment = std::max<size_t>(alignment, 16);
  tally_.place_dynamic(offset, launch.config.dynamic_shared,
                       (launch.static_shared + alignment - 1) / alignment * alignment);
}

void AccessLog::begin_launch(unsigned threads) {
  last_blocks_.assign(threads, 0);
  last_access_.assign(threads, nullptr);
  last_jump_.assign(threads, 0);
  for (uint32_t block : blocks_seen_) {
    block_counts_[block] = 0;
  }
  blocks_seen_.clear();
  tally_.clear();
  tally_.place_dynamic(0, 0, 0);
  trace_.begin_warp();
}

void AccessLog::begin_block(unsigned threads) {
  tally_.begin_interval();
  uses_ = worker_.block() == 0 ? Uses::current() : nullptr;
  if (uses_ != nullptr) {
    uses_->begin_block(threads);
  }
  std::fill(last_blocks_.begin(), last_blocks_.end(), 0);
  std::fill(last_access_.begin(), last_access_.end(), nullptr);
  std::fill(last_jump_.begin(), last_jump_.end(), 0);
}

void AccessLog::end_block() {
  if (uses_ != nullptr) {
    uses_->end_block();
    uses_ = nullptr;
  }
}

void AccessLog::drop_block() {
  trace_.begin_warp();
  tally_.drop_interval();
}

void AccessLog::enter(const Thread& thread) {
  const unsigned lane = thread.id % 32;
  next_ = trace_.end(lane);
  limit_ = trace_.limit(lane);
  last_block_ = last_blocks_[thread.id];
  jumped_ = false;
  Watch* const watch = Watch::current();
  followed_ = watch != nullptr && watch->follows(worker_.block(), thread.id / 32);
  const bool closely = followed_ || uses_ != nullptr;
  quick_counts_ = closely ? static_cast<uint64_t*>(zeros_) : block_counts_;
  quick_sites_ = uses_ != nullptr ? static_cast<std::atomic<uint16_t>*>(zeros_) : site_map_;
  if (uses_ != nullptr) {
    uses_->enter(thread.id);
  }
}

void AccessLog::leave(const Thread& thread) {
  const unsigned lane = thread.id % 32;
  for (const uint64_t* e = next_; e != trace_.end(lane);) {
    --e;
    if (!entry::is_jump(*e)) {
      last_access_[thread.id] = Sites::get().at(entry::site(*e)).pc;
      break;
    }
  }
  trace_.set_end(lane, next_);
  last_blocks_[thread.id] = uint32_t(last_block_);
  if (jumped_) last_jump_[thread.id] = worker_.barriers() + 1;
}

namespace {

// The number of accesses of a site in a part of a log.
ptrdiff_t count_of(uint32_t site, const uint64_t* begin, const uint64_t* end) {
  return std::count_if(begin, end,
                       [site](uint64_t e) { return !entry::is_jump(e) && entry::site(e) == site; });
}

}  // namespace

AccessLog::First AccessLog::first_in_program(uint32_t here, uint32_t there, unsigned other_thread) {
  const uint64_t* const begin = limit_ - Trace::kCapacity;
  // The other thread's log shows the order if it is not merged yet; else the requests of earlier warps do.
  const bool same_warp = other_thread / 32 == worker_.running().id / 32;
  ptrdiff_t others = 0;  // accesses of the other thread at this site
  if (same_warp) {
    const unsigned lane = other_thread % 32;
    const uint64_t* const first = trace_.limit(lane) - Trace::kCapacity;
    const uint64_t* last = trace_.end(lane);
    others = count_of(here, first, last);
    while (last != first && count_of(there, last - 1, last) == 0) --last;
    const ptrdiff_t before = last == first ? others : count_of(here, first, last);
    if (before > count_of(here, begin, next_)) return First::kHere;
  }
  if (count_of(there, begin, next_) != 0) {
    return First::kThere;  // the running thread itself has executed that site before
  }
  if (same_warp) return others == 0 ? First::kUnknown : First::kThere;
  return !tally_.have_run(here, there)    ? First::kUnknown
         : tally_.is_earlier(here, there) ? First::kHere
                                          : First::kThere;
}

// Whether the running thread's log repeats a few entries.
bool AccessLog::repeats() const {
  constexpr int kFew = 32;
  const uint64_t* const first = limit_ - Trace::kCapacity;
  return std::all_of(first + kFew, static_cast<const uint64_t*>(limit_), [first](uint64_t e) {
    return std::find(first, first + kFew, e) != first + kFew;
  });
}

void AccessLog::full() {
  // A thread that repeats itself tires sooner. Few threads live long enough for this check.
  constexpr uint32_t kLong = 256, kSooner = 32;
  progress_.tire(progress_.effort() > kLong && repeats() ? kSooner : 1, place());
  worker_.pause();
}

// A block that runs for the first time in this launch, or any block while a Watch or Uses follows the thread.
void AccessLog::on_rare_block(size_t block, const char* pc) {
  if (block_counts_[block]++ == 0) {
    blocks_seen_.push_back(uint32_t(block));
  }
  if (block <= last_block_ && !repeats_jump()) {
    jump_back(block);
  }
  last_block_ = block;
  note(Access::Code, pc);
  if (uses_ != nullptr) {
    uses_->enter_code(pc);
  }
}

void AccessLog::jump_back(size_t to) {
  const uint64_t jump = entry::jump(last_block_, 1);
  if (next_[-1] >> 24 == jump >> 24) {
    // The last entry's counter is full; this is no new loop.
    progress_.tire(2 * entry::kMostJumps / Trace::kCapacity, place());
  }
  add(jump);
  last_block_ = to;
  jumped_ = true;
}

// True if the lane is polling: its recent accesses repeat, store nothing, and include a volatile read or an atomic
// operation.
bool AccessLog::only_looks(unsigned lane) {
  constexpr int kRecent = 64;
  const uint64_t* const end = trace_.limit(lane);
  uint64_t last = 0;
  unsigned times = 0;
  bool looks = false;
  for (const uint64_t* e = end - kRecent; e != end; ++e) {
    if (entry::is_jump(*e)) {
      continue;
    }
    const Site& site = Sites::get().at(entry::site(*e));
    if (site.access == Access::Store) {
      return false;
    }
    looks = looks || site.access == Access::Atomic || site.is_volatile;
    times = *e == last ? times + 1 : times;
    last = last == 0 ? *e : last;
  }
  return looks && times >= 2;
}

bool AccessLog::drain(unsigned warp) {
  bool waits = !changed_;
  changed_ = false;
  uint32_t running_lanes = 0, paused_lanes = 0;
  for (unsigned lane = 0; lane < worker_.warp_size_of(warp); ++lane) {
    const Thread::State state = worker_.thread(warp * 32 + lane).state;
    if (state == Thread::Paused || state == Thread::AtWarpOp) {
      running_lanes |= 1u << lane;
    }
    paused_lanes |= uint32_t(state == Thread::Paused) << lane;
    waits = waits && (state != Thread::Paused || only_looks(lane));
  }
  for (unsigned lane = 0; lane < worker_.warp_size_of(warp) && waits; ++lane) {
    progress_.rest(warp * 32 + lane);
  }
  watch_warp(warp);
  trace_.merge_some(tally_, running_lanes);
  if (trace_.are_full(paused_lanes)) {
    // Lanes with empty logs that wait for others of their warp log nothing until those continue.
    trace_.merge_some(tally_, paused_lanes);
  }
  return waits;
}

bool AccessLog::can_resume(const Thread& thread) {
  const unsigned lane = thread.id % 32;
  return !trace_.are_full(1u << lane);
}

void AccessLog::flush(unsigned warp) {
  if (warp == 0) {
    progress_.add(trace_.limit(0) - Trace::kCapacity, trace_.end(0));
  }
  watch_warp(warp);
  trace_.merge_all(tally_);
  tally_.end_interval();
  if (Watch::current() != nullptr) {
    note_stop(worker_.thread(warp * 32));
  }
}

void AccessLog::note_stop(const Thread& first) {
  Watch& watch = *Watch::current();
  watch.settle(reinterpret_cast<const char*>(Arena::get().base()),
               reinterpret_cast<const char*>(tls_begin()));
  if (first.state == Thread::AtBarrier || first.state == Thread::AtPhase) {
    const uint64_t stop[32] = {uint64_t(first.stop.line), first.state == Thread::AtPhase,
                               reinterpret_cast<uintptr_t>(first.stop.file)};
    watch.add(0, false, 7, stop);
  }
}

void AccessLog::watch_warp(unsigned warp) {
  if (Watch::current() != nullptr) {
    Watch::current()->enter(worker_.block(), warp);
  }
}

void AccessLog::multiplied(const void* pc, unsigned cols, bool by_one) {
  count_product(pc, Access::Multiply, cols | (by_one ? kOneProduct : 0));
  if (uses_ != nullptr) {
    uses_->multiplied(pc, uint64_t(16) * 16 * cols / 32);
  }
}

void AccessLog::multiplied_by_group(const void* pc, unsigned cols, unsigned depth) {
  count_product(pc, Access::GroupMultiply, cols / 8 + (depth == 8 ? 0 : depth == 16 ? 64 : 128));
  if (uses_ != nullptr) {
    uses_->multiplied(pc, uint64_t(64) * cols * depth / 128);
    if (worker_.lane() == 0) {
      uses_->start_product();
    }
  }
}

void AccessLog::count_product(const void* pc, Access access, unsigned size) {
  const uint32_t site = Sites::get().number(static_cast<const char*>(pc), 0, access, size);
  if (followed_) {
    add(site, false, 0);
  }
  if (worker_.lane() == 0) {
    tally_.multiply(site);
  }
}

}  // namespace simt
