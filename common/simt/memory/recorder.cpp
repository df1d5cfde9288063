#include "common/simt/memory/recorder.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "common/simt/memory/recorder_inline.h"
#include "common/simt/memory/windows.h"
#include "common/simt/program/program.h"

namespace simt {

__thread Recorder* Recorder::running = nullptr;

namespace {

// Logged accesses and backward jumps after which a thread is taken for endless, in full logs.
constexpr uint32_t kTired = 1u << 16;
// Barriers times threads of a block that goes round in circles; barriers of one that is not watched.
constexpr uint64_t kMostSameRounds = uint64_t(1) << 24, kMostRounds = uint64_t(1) << 22;

}  // namespace

Recorder::Recorder(Worker& worker)
    : site_map_(Sites::get().map()),
      text_(text_begin()),
      arena_(Arena::get().base()),
      arena_size_(Arena::get().size()),
      states_(Arena::get().state(arena_)),
      worker_(worker) {
  void* memory = mmap(nullptr, text_size() * sizeof(uint64_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  block_counts_ = static_cast<uint64_t*>(memory);
}

Recorder::~Recorder() {
  munmap(block_counts_, text_size() * sizeof(uint64_t));
}

void Recorder::begin_launch() {
  const Launch& launch = worker_.launch();
  if (shared_ == nullptr) {
    tls_begin_ = simt::tls_begin();
    tls_size_ = simt::tls_size();
    shared_ = std::make_unique<SharedCells>(
        tls_size_, reinterpret_cast<uintptr_t>(worker_.dynamic_shared()) - tls_begin_);
  }
  if (counter_ > 0xf0000000u) {
    shared_->reset();
    order_.forget();
    counter_ = 1;
  }
  shared_->set_dynamic(launch.config.dynamic_shared);
  cells_ = shared_->cells();
  alignments_ = shared_->alignments();
  shift_ = shared_->shift();
  stacks_begin_ = reinterpret_cast<uintptr_t>(worker_.stacks().begin());
  stacks_size_ = worker_.stacks().size();
  watching_ = !Windows::get().empty();
  const unsigned threads = worker_.thread_count();
  clocks_.assign(threads, Clock());
  pipelines_.assign(threads, Pipeline());
  waited_.assign(launch.config.early ? threads : 0, 0);
  last_blocks_.assign(threads, 0);
  last_access_.assign(threads, nullptr);
  pauses_.assign(threads, 0);
  for (uint32_t block : blocks_seen_) {
    block_counts_[block] = 0;
  }
  blocks_seen_.clear();
  errors_.clear();
  conflicts_.clear();
  tally_.clear();
  trace_.begin_warp();
  arrivals_ = 0;
  launch_begin_ = ++counter_;
}

void Recorder::begin_block() {
  errors_.begin_block();
  block_begin_ = sync_begin_ = ++counter_;
  std::fill(last_blocks_.begin(), last_blocks_.end(), 0);
  std::fill(last_access_.begin(), last_access_.end(), nullptr);
  std::fill(pauses_.begin(), pauses_.end(), 0);
  std::fill(waited_.begin(), waited_.end(), 0);
  settled_.assign(waited_.size(), false);
  rounds_ = same_rounds_ = interval_hash_ = 0;
  begin_owner_tag();
}

// Copies that nobody waited for and barriers must not linger in the next block's memory.
void Recorder::end_block() {
  for (Pipeline& pipeline : pipelines_) {
    for (size_t c = pipeline.done; c < pipeline.copies.size(); ++c) {
      const size_t offset = reinterpret_cast<uintptr_t>(pipeline.copies[c].shared) - tls_begin_;
      for (size_t at = offset >> shift_; at < (offset + pipeline.copies[c].size) >> shift_; ++at) {
        if (cells_[at].written == Cell::kPending) {
          cells_[at] = Cell();
        }
      }
    }
    pipeline.clear();
  }
  for (const SplitBarrier& barrier : order_.barriers) {
    for (size_t at = barrier.offset >> shift_; at < (barrier.offset + 8) >> shift_; ++at) {
      cells_[at] = Cell();
      cells_[at].written = block_begin_;
    }
  }
  order_.end();
}

void Recorder::drop_block() {
  trace_.begin_warp();
  tally_.drop_interval();
}

void Recorder::enter(Thread& thread) {
  tid_ = thread.id;
  Clock& clock = clocks_[tid_];
  if (clock.stamp < sync_begin_) {
    clock = {sync_begin_, sync_begin_, 0, 0, sync_begin_};
  }
  now_ = clock;
  interval_begin_ = clock.before;
  reads_ = order_.active() ? order_.reads(tid_) : nullptr;
  arena_size_ = waited_.empty() || settled_[tid_] ? Arena::get().size() : 0;
  const unsigned lane = tid_ % 32;
  next_ = trace_.end(lane);
  limit_ = trace_.limit(lane);
  last_block_ = last_blocks_[tid_];
  Watch* const watch = Watch::current();
  watched_ = watch != nullptr && watch->follows(worker_.block(), tid_ / 32);
  running = this;
}

void Recorder::leave(Thread& thread) {
  running = nullptr;
  const unsigned lane = thread.id % 32;
  for (const uint64_t* e = next_; e != trace_.end(lane);) {
    --e;
    if (!entry::is_jump(*e)) {
      last_access_[thread.id] = Sites::get().at(entry::site(*e)).pc;
      break;
    }
  }
  trace_.set_end(lane, next_);
  last_blocks_[thread.id] = last_block_;
}

bool Recorder::end_barrier() {
  sync_begin_ = ++counter_;
  return goes_on("__syncthreads()");
}

bool Recorder::goes_on(const char* barrier) {
  if (!goes_round()) {
    return true;
  }
  const RawPlace place = place_of(worker_.thread(0).stop);
  tid_ = 0;
  report(ErrorKind::Endless, place,
         std::string("comes to this ") + barrier +
             " again and again with the same accesses to memory: an endless loop?");
  worker_.launch().stop_after(worker_.block());
  return false;
}

// Whether the block has come to barriers for long without that thread 0 made an access that it has not
// made shortly before. Where accesses are not seen, the number of barriers must do.
bool Recorder::goes_round() {
  uint64_t& oldest = hashes_[rounds_++ % hashes_.size()];
  const bool seen = std::find(hashes_.begin(), hashes_.end(), interval_hash_) != hashes_.end();
  same_rounds_ = seen ? same_rounds_ + 1 : 0;
  oldest = interval_hash_;
  interval_hash_ = 0;
  return blocks_seen_.empty() ? rounds_ > kMostRounds
                              : same_rounds_ * worker_.thread_count() > kMostSameRounds;
}

void Recorder::sync_warp(uint32_t mask) {
  const unsigned warp = tid_ / 32;
  const unsigned size = worker_.warp_size_of(warp);
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
  if (order_.active()) {
    sync_split_order(warp, mask & all);
  }
  now_ = clocks_[tid_];
  interval_begin_ = now_.before;
}

void Recorder::tire(uint32_t effort) {
  pauses_[tid_] += effort;
  if (pauses_[tid_] > kTired) {
    RawPlace place;
    place.pc = text_ + last_block_;
    worker_.launch().stop_after(worker_.block());
    report_and_abandon(ErrorKind::Endless, place, "makes no progress: an endless loop?");
  }
}

void Recorder::log_full() {
  tire(1);
  worker_.pause();
}

void Recorder::log_jump(uint32_t from) {
  if (next_[-1] >> 24 == entry::jump(from, 0) >> 24) {
    tire(entry::kMostJumps / Trace::kCapacity);  // a full counter, not a new loop
  }
  log(entry::jump(from, 1));
}

void Recorder::drain(unsigned warp) {
  uint32_t running_lanes = 0;
  for (unsigned lane = 0; lane < worker_.warp_size_of(warp); ++lane) {
    const Thread::State state = worker_.thread(warp * 32 + lane).state;
    if (state == Thread::Paused || state == Thread::AtWarpOp) {
      running_lanes |= 1u << lane;
    }
  }
  watch_warp(warp);
  trace_.merge_some(tally_, running_lanes);
}

bool Recorder::can_resume(const Thread& thread) {
  const unsigned lane = thread.id % 32;
  return trace_.end(lane) != trace_.limit(lane);
}

void Recorder::flush(unsigned warp) {
  if (warp == 0) {
    for (const uint64_t* e = trace_.limit(0) - Trace::kCapacity; e != trace_.end(0); ++e) {
      interval_hash_ = (interval_hash_ ^ *e) * 0x9e3779b97f4a7c15u;
    }
  }
  watch_warp(warp);
  trace_.merge_all(tally_);
  tally_.end_interval();
  const Thread& first = worker_.thread(warp * 32);
  if (Watch::current() != nullptr &&
      (first.state == Thread::AtBarrier || first.state == Thread::AtPhase)) {
    const uint64_t line[32] = {uint64_t(first.stop.line)};
    Watch::current()->add(0, false, 1, line);
  }
}

void Recorder::watch_warp(unsigned warp) {
  if (Watch::current() != nullptr) {
    Watch::current()->enter(worker_.block(), warp);
  }
}

void Recorder::multiplied(const void* pc, unsigned cols) {
  const char* at = static_cast<const char*>(pc);
  const uint32_t site = Sites::get().number(at, 0, Access::Multiply, cols);
  if (watched_) {
    log(entry::access(site, false, 0));
  }
  if (tid_ % 32 == 0) {
    tally_.multiply(site);
  }
}

size_t Recorder::static_shared() const {
  size_t bytes = 0;
  for (const TlsSymbol& symbol : tls_symbols()) {
    for (size_t at = symbol.offset >> shift_;
         symbol.shared && at < (symbol.offset + symbol.size) >> shift_; ++at) {
      if ((cells_[at].written >= launch_begin_ && cells_[at].written != Cell::kInvalid) ||
          cells_[at].read >= launch_begin_) {
        bytes += symbol.size;
        break;
      }
    }
  }
  return bytes;
}

}  // namespace simt
