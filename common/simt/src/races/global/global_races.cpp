#include "races/global/global_races.h"

#include <algorithm>
#include <string>
#include <utility>

#include "races/global/cells.h"
#include "races/global/global_shadow.h"
#include "races/streams/stream_order.h"

namespace simt {
namespace {

// A cooperative launch has one worker for each block: the worker takes 10 of these bits, and the interval 19.
constexpr unsigned kWideWorker = 49;
// Flags of a reader's cell: another lane or warp has read the word in this interval, or another block in this launch.
constexpr uint64_t kOtherLane = 1 << 16, kOtherWarp = 1 << 17, kOtherBlock = 1 << 18;
constexpr size_t kMostConflicts = size_t(1) << 16;  // of a worker; it drops the rest

uint64_t cell_of(uint64_t when, unsigned thread, uint32_t site) {
  return when | uint64_t(thread) << kCellThread | site;
}
bool same_interval(uint64_t a, uint64_t b) {
  return (a ^ b) >> kCellWhen == 0;
}
bool same_launch(uint64_t a, uint64_t b) {
  return (a ^ b) >> kCellLaunch == 0 && a != 0;
}

uint64_t next_worker() {
  static std::atomic<uint64_t> count{0};
  return count++ % 32;
}

}  // namespace

struct GlobalRaces::Word {
  uintptr_t address;  // of the access, which may be smaller or larger than the word
  uintptr_t at;  // of the word
  unsigned size, thread;
  uint32_t site;
  uint64_t bytes;
};

GlobalRaces::GlobalRaces(Worker& worker, Findings& findings, const HappensBefore& order)
    : own_number_(next_worker()),
      readers_(Arena::get().reader(Arena::get().base())),
      pages_(Arena::get().page(Arena::get().base())),
      worker_(worker),
      findings_(findings),
      order_(order) {}

void GlobalRaces::begin_launch(uint32_t serial, bool cooperative) {
  worker_shift_ = cooperative ? kWideWorker : kCellWorker;
  most_intervals_ = (uint64_t(1) << (worker_shift_ - kCellWhen)) - 1;
  worker_number_ = own_number_;
  launch_ = launch_number(serial);
  overlapping_ = StreamOrder::get().overlapping();
  interval_ = 0;
  orders_nothing_ = true;
  conflicts_.clear();
  seen_.assign(kSeen, Seen());
}

void GlobalRaces::begin_grid_phase(uint32_t serial) {
  launch_ = launch_number(serial);
  overlapping_ = StreamOrder::get().overlapping();
  conflicts_.clear();
  orders_nothing_ = orders_nothing_ && !stored_;
  begin_block();
}

void GlobalRaces::begin_block() {
  if (worker_shift_ == kWideWorker) {
    worker_number_ = worker_.block();
  }
  begin_interval();
  block_begin_ = interval_;
  guarded_.reset();
  fenced_ = stored_ = false;
}

void GlobalRaces::begin_interval() {
  interval_ += interval_ < most_intervals_;
  now_ =
      uint64_t(launch_) << kCellLaunch | worker_number_ << worker_shift_ | interval_ << kCellWhen;
  synced_warps_.reset();
}

bool GlobalRaces::same_block(uint64_t cell) const {
  return (cell ^ now_) >> worker_shift_ == 0 &&
         (cell >> kCellWhen & most_intervals_) >= block_begin_;
}

// Whether these two threads count as ordered without a barrier. epoch: of the other thread's access. Lanes are not
// checked in the order in which they ran, so the opposite order counts, too.
bool GlobalRaces::in_order(unsigned thread, unsigned other, uint32_t epoch) const {
  return (order_.has_vector_clocks() &&
          (order_.has_acquired(thread, other, epoch) ||
           order_.has_acquired(other, thread, order_.turn_epoch(thread)))) ||
         interval_ == most_intervals_ ||
         (thread / 32 == other / 32 && synced_warps_[thread / 32]) ||
         (guarded_[thread] && guarded_[other]);
}

// Whether a read of that word adds nothing: several warps have read it in this interval, and no thread has written to
// its page in this launch.
inline bool GlobalRaces::is_known(uint64_t offset) const {
  const uint64_t cell = readers_[offset / 4].load(std::memory_order_relaxed);
  return ((cell ^ (now_ | kOtherWarp)) & (~uint64_t(0) << kCellWhen | kOtherWarp)) == 0 &&
         pages_[offset / 4096].load(std::memory_order_relaxed) != launch_;
}

// True if two warps have made this request in this interval, so that a third one adds nothing. Otherwise notes it.
bool GlobalRaces::was_seen(uint32_t site, const Pattern& pattern, uint64_t first) {
  Seen& seen = seen_[(first / 4 + uint64_t(pattern.id()) * 61) % kSeen];
  if (seen.when != now_ || seen.first != first || seen.pattern != pattern.id() ||
      seen.site != site) {
    seen = {now_, first, pattern.id(), uint16_t(site), uint8_t(warp_), false};
  } else if (seen.warp != warp_ && !seen.twice) {
    seen.twice = true;
  } else {
    return true;
  }
  return false;
}

void GlobalRaces::request(uint32_t number, uint32_t mask, const uint64_t* offsets,
                          const Pattern* pattern) {
  const Site& site = Sites::get().at(number);
  stored_ = stored_ || site.access == Access::Store || site.access == Access::Atomic;
  if (site.access > Access::AsyncLoad || site.access == Access::Atomic || site.is_volatile) {
    return;
  }
  const uintptr_t base = Arena::get().base();
  const bool stores = site.access == Access::Store;
  const bool uniform = !stores && pattern != nullptr && pattern->uniform() && pattern->lanes() > 1;
  if (uniform) {
    mask &= -mask;  // all lanes read the same word
  } else if (!stores && pattern != nullptr &&
             was_seen(number, *pattern, offsets[__builtin_ctz(mask)])) {
    return;
  }
  for (uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = unsigned(__builtin_ctz(lanes));
    if (offsets[lane] == kNoAddress) {
      continue;
    }
    const uint64_t end = offsets[lane] + site.size;
    for (uint64_t at = offsets[lane] & ~uint64_t(3); at < end; at += 4) {
      if (!stores && is_known(at)) {
        continue;
      }
      Word word{base + offsets[lane], base + at, site.size, warp_ * 32 + lane, number, 15};
      if (site.size < 4) {
        word.bytes = ((1u << site.size) - 1) << (word.address & 3);
      }
      stores ? store(word) : load(word, uniform);
    }
  }
}

void GlobalRaces::load(const Word& word, bool several) {
  Arena& arena = Arena::get();
  if (arena.page(word.at)->load(std::memory_order_relaxed) == launch_ || overlapping_ != 0) {
    check_writer(word, "reads");
  }
  std::atomic<uint64_t>& cell = *arena.reader(word.at);
  const uint64_t old = cell.load(std::memory_order_relaxed);
  uint64_t now = old;
  if (!same_interval(old, now_)) {
    now = cell_of(now_, word.thread, word.site) | (several ? kOtherLane : 0);
    if (same_launch(old, now_)) {
      now |= same_block(old) ? old & kOtherBlock : kOtherBlock;
    }
  } else if ((old & kOtherWarp) == 0) {
    const unsigned reader = thread_of(old);
    now |= reader / 32 != warp_ ? kOtherWarp : reader != word.thread || several ? kOtherLane : 0;
  }
  if (now != old) {
    cell.store(now, std::memory_order_relaxed);
  }
}

// Checks an access against the last write: by another thread in this interval, by another block in this launch, or by
// an operation of another stream.
void GlobalRaces::check_writer(const Word& word, const char* does) {
  const uint64_t cell = Arena::get().writer(word.at)->load(std::memory_order_relaxed);
  if (overlaps(cell) && (bytes_of(cell) & word.bytes) != 0) {
    report_stream(word, does, cell, "writes");
  } else if (same_interval(cell, now_)) {
    const unsigned writer = thread_of(cell);
    if (writer != word.thread && (bytes_of(cell) & word.bytes) != 0 &&
        !in_order(word.thread, writer, write_epoch(word.at))) {
      report(word, does, "wrote", cell, writer);
    }
  } else if (does[0] == 'r' && same_launch(cell, now_) && !same_block(cell) && !fenced_ &&
             (bytes_of(cell) & word.bytes) != 0) {
    conflict(word.size < 4 ? word.address : word.at, word.site);
  }
}

// The word with which the compiler fills local variables that have no value.
constexpr uint32_t kUnset = 0xfefefefe;

void GlobalRaces::store(const Word& word) {
  Arena& arena = Arena::get();
  if (word.size >= 4 && *reinterpret_cast<const volatile uint32_t*>(word.at) == kUnset) {
    RawError error;
    error.kind = ErrorKind::UnsetLocal;
    error.here = {place_of(word.site), word.thread, worker_.block()};
    error.element = RawElement::global(word.address, word.size);
    error.what = "stores " + Names::get().of(word.address, word.size) +
                 ", computed with a variable that was never given a value";
    findings_.add(std::move(error));
  }
  arena.page(word.at)->store(launch_, std::memory_order_relaxed);
  check_writer(word, "writes");
  std::atomic<uint64_t>& cell = *arena.writer(word.at);
  const uint64_t old = cell.load(std::memory_order_relaxed), mine = cell_of(now_, word.thread, 0);
  const bool again = (old ^ mine) >> kCellThread == 0;
  cell.store(mine | word.site | (word.bytes | (again ? bytes_of(old) : 0)) << kCellBytes);
  if (order_.has_vector_clocks()) {
    written_.resize(kWritten);
    written_[word.at / 4 % kWritten] = {word.at, order_.turn_epoch(word.thread)};
  }
  if (word.size < 4) {
    return;  // a reader's cell does not say which bytes it read
  }
  const uint64_t read = arena.reader(word.at)->load(std::memory_order_relaxed);
  if (overlaps(read)) {
    report_stream(word, "writes", read, "reads");
  } else if (same_launch(read, now_)) {
    check_reader(word, read, thread_of(read));
  }
}

// Whether the cell belongs to an operation of another stream that may run at the same time as this launch.
bool GlobalRaces::overlaps(uint64_t cell) const {
  return (overlapping_ >> launch_of(cell) & 1) != 0;
}

// Checks a write of the word against its reader's cell, which is of this launch.
void GlobalRaces::check_reader(const Word& word, uint64_t read, unsigned reader) {
  if (same_interval(read, now_)) {
    if (reader != word.thread) {
      // No epochs of reads are kept. The read counts as the reader's first access of the interval.
      if (!in_order(word.thread, reader, order_.now().last_barrier)) {
        report(word, "writes", "read", read, reader);
      }
    } else if ((read & kOtherWarp) != 0 ||
               ((read & kOtherLane) != 0 && !synced_warps_[word.thread / 32])) {
      if (!order_.has_vector_clocks() && !guarded_[word.thread]) {
        report(word, "writes", "read", read, ~0u);
      }
    }
  }
  if (!fenced_ && (!same_block(read) || (read & kOtherBlock) != 0)) {
    conflict(word.at, site_of(read));
  }
}

// The epoch of the last write of a word, in this interval; the earliest possible one where it is not known.
uint32_t GlobalRaces::write_epoch(uintptr_t word) const {
  const uint32_t earliest = order_.now().last_barrier;
  if (written_.empty()) return earliest;
  const Written& last = written_[word / 4 % kWritten];
  return last.word == word ? std::max(last.epoch, earliest) : earliest;
}

void GlobalRaces::conflict(uintptr_t address, uint32_t reader) {
  if (conflicts_.size() < kMostConflicts) {
    conflicts_.push_back({address, reader});
  }
}

void GlobalRaces::report_stream(const Word& word, const char* does, uint64_t cell,
                                const char* other_does) {
  // A block that one kernel has freed, and this one has allocated.
  if (Arena::get().pages_of(word.address) == Pages::kHeap) return;
  const StreamOrder& order = StreamOrder::get();
  const Place& copy = order.place_of(launch_of(cell));
  RawError error;
  error.kind = ErrorKind::StreamConflict;
  error.element = RawElement::global(word.address, word.size);
  error.what = std::string(does) + " " + Names::get().of(word.address, word.size);
  error.here = {place_of(word.site), word.thread, worker_.block()};
  error.has_other = true;
  error.other.thread = ~0u;
  error.other.block = worker_.block();
  error.other_what = order.name_of(launch_of(cell)) + " " + other_does + " it";
  if (site_of(cell) != 0) {
    error.other.place = place_of(site_of(cell));
  } else {
    error.other.place.file = copy.file.c_str();
    error.other.place.line = copy.line;
  }
  findings_.add(std::move(error));
}

void GlobalRaces::report(const Word& word, const char* does, const char* other_did, uint64_t cell,
                         unsigned other) {
  const bool one_warp = other / 32 == word.thread / 32;
  const std::string element = Names::get().of(word.address, word.size);
  RawError error;
  error.kind = ErrorKind::GlobalRace;
  error.element =
      RawElement::global(word.size < 4 ? word.address : word.at, std::min(4u, word.size));
  error.stored_twice = does[0] == 'w' && other_did[0] == 'w';
  error.what = error.stored_twice ? stores_too(element)
                                  : std::string(does) + " " + element + " with no __syncthreads()" +
                                        (one_warp ? " or __syncwarp()" : "") +
                                        " since another thread " + other_did + " it";
  error.here = {place_of(word.site), word.thread, worker_.block()};
  error.has_other = true;
  error.other = {place_of(site_of(cell)), other, worker_.block()};
  error.other_what = error.stored_twice ? "stores it" : other_did;
  const uint64_t read = Arena::get().reader(word.at)->load(std::memory_order_relaxed);
  if (error.stored_twice && same_interval(read, now_) &&
      (thread_of(read) == word.thread || (read & (kOtherLane | kOtherWarp)) != 0)) {
    error.read = Sites::get().at(site_of(read)).pc;
  }
  // Small elements have owners of their own, so no owner compares them with a word's value.
  const unsigned other_size = Sites::get().at(site_of(cell)).size;
  const bool compared = word.size == other_size || std::min(word.size, other_size) >= 4;
  error.note = error.stored_twice && compared && !OwnerTag::differs(owner_tag(word.address));
  findings_.add(std::move(error));
}

}  // namespace simt
