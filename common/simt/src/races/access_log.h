// The log of what the threads of a block do, for counters and for a Watch.
#pragma once
#include <cstdint>
#include <vector>

#include "counting/counting.h"
#include "execution/execution.h"
#include "races/progress.h"

namespace simt {

class AccessLog {
 public:
  AccessLog(Worker& worker, Progress& progress, GlobalRequests& global);
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;
  ~AccessLog();

  void begin_launch(unsigned threads);
  // The kernel declares an array of dynamic shared memory with this alignment. It lies at offset here, and after the
  // static arrays on a GPU.
  void place_dynamic(uint64_t offset, size_t alignment);
  void begin_block(unsigned threads);
  void end_block();
  void drop_block();
  void enter(const Thread& thread);
  void leave(const Thread& thread);
  // See Observer.
  bool drain(unsigned warp);
  bool can_resume(const Thread& thread);
  void flush(unsigned warp);

  // The site of the instruction with this return address.
  uint32_t site(const char* pc, Access access, unsigned size) const {
    const uint32_t site = site_map_[pc - text_].load(std::memory_order_acquire);
    return __builtin_expect(site != 0, 1) ? site : Sites::get().number(pc, 0, access, size);
  }
  // The same for an instruction that has run before and that is only counted; otherwise 0.
  uint32_t known_site(const char* pc) const {
    return quick_sites_[pc - text_].load(std::memory_order_acquire);
  }
  // Logs an access of the running thread. offset: in its memory space.
  void add(uint32_t site, bool shared, uint64_t offset) {
    add(entry::access(site, shared, offset));
  }
  // The running thread enters the basic block whose mark returns to pc.
  void on_block(const char* pc);
  // An atomic operation of the running thread has changed a value.
  void changed() { changed_ = true; }
  // The running thread's warp has multiplied 16 x 16 by 16 x cols elements, by one instruction or by one for each 8
  // columns.
  void multiplied(const void* pc, unsigned cols, bool by_one = false);
  // The running thread's warp starts its part of a wgmma.mma_async: 16 rows.
  void multiplied_by_group(const void* pc, unsigned cols, unsigned depth);
  // An event for a Watch that is no access, with a number.
  void note(Access what, const void* pc, uint64_t number = 0) {
    if (followed_) {
      add(Sites::get().number(static_cast<const char*>(pc), 0, what, 0), false, number);
    }
  }

  // All threads of the block have met.
  void begin_interval() { tally_.begin_interval(); }
  // Which of two accesses in this interval comes first in the program: the other thread's at the site `there`, which
  // ran first, or the running thread's at `here`.
  enum class First { kThere, kHere, kUnknown };
  First first_in_program(uint32_t here, uint32_t there, unsigned other_thread);

  void note_copy(Access what, const void* pc, const WatchedCopy& copy) {
    if (followed_) {
      note(what, pc, Watch::current()->keep(copy));
    }
  }

  // Follows the running block's use of matrix elements; null if nobody asked for it.
  Uses* uses() const { return uses_; }

  const Tally& tally() const { return tally_; }
  // How often a basic block ran, by the offset of its mark in the code.
  uint64_t block_count(size_t offset) const { return block_counts_[offset]; }
  const std::vector<uint32_t>& blocks_seen() const { return blocks_seen_; }
  // The mark of the running thread's basic block; empty before its first block.
  RawPlace place() const { return last_block_ != 0 ? RawPlace(text_ + last_block_) : RawPlace(); }
  // See Observer.
  const void* last_access(unsigned thread) const { return last_access_[thread]; }
  bool has_jumped(unsigned thread) const { return last_jump_[thread] == worker_.barriers() + 1; }
  // Another OS thread reads these variables at any time. A wrong value only delays what it does.
  __attribute__((no_sanitize("thread"))) uint64_t heartbeat() const {
    const size_t block = last_block_;
    return block == 0 ? 0
                      : reinterpret_cast<uintptr_t>(next_) * 31 +
                            *const_cast<volatile uint64_t*>(&block_counts_[block]);
  }

 private:
  void add(uint64_t e) {
    *next_++ = e;
    if (__builtin_expect(next_ == limit_, 0)) {
      full();
    }
  }
  void full();
  bool repeats() const;
  bool only_looks(unsigned lane);
  void on_rare_block(size_t block, const char* pc);
  bool repeats_jump();
  void jump_back(size_t to);
  void count_product(const void* pc, Access access, unsigned size);
  void watch_warp(unsigned warp);
  void note_stop(const Thread& first);

  uint64_t* next_ = nullptr;
  uint64_t* limit_ = nullptr;
  const std::atomic<uint16_t>* const site_map_;
  const std::atomic<uint16_t>* quick_sites_;  // site_map_, or zeros_ while uses_ is set
  const char* const text_;
  uint64_t* block_counts_;
  uint64_t* quick_counts_;  // block_counts_, or zeros_ while each basic block is noted
  size_t last_block_ = 0;  // offset of its mark
  void* zeros_;  // as large as block_counts_; each lookup takes the slow path
  bool jumped_ = false;  // the running thread, since enter()
  bool followed_ = false;  // a Watch follows the running thread's warp
  bool changed_ = false;  // since the last drain()
  Uses* uses_ = nullptr;
  std::vector<uint32_t> blocks_seen_, last_blocks_;
  std::vector<const void*> last_access_;
  // For each thread that has jumped back: one more than the barriers before the last time.
  std::vector<uint64_t> last_jump_;
  Worker& worker_;
  Progress& progress_;
  Tally tally_;
  Trace trace_;
};

// The most frequent call of all. It leaves rare cases to tail calls.
inline void AccessLog::on_block(const char* pc) {
  const size_t block = size_t(pc - text_);
  uint64_t& count = quick_counts_[block];
  if (__builtin_expect(count == 0, 0)) {
    return on_rare_block(block, pc);
  }
  ++count;
  if (block <= last_block_ && !repeats_jump()) {
    return jump_back(block);
  }
  last_block_ = block;
}

// If the log ends with jumps back from the last block, counts one more and returns true.
inline bool AccessLog::repeats_jump() {
  uint64_t& last = next_[-1];  // the word before an empty log is never a jump
  const bool repeats = last >> 24 == entry::jump(last_block_, 0) >> 24 &&
                       (last & entry::kMostJumps) != entry::kMostJumps;
  last += repeats;
  return repeats;
}

}  // namespace simt
