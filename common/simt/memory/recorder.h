// Checks and counts the memory accesses of the block that a worker runs.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/simt/counting/counting.h"
#include "common/simt/execution/execution.h"
#include "common/simt/memory/arena.h"
#include "common/simt/memory/shared_cells.h"

namespace simt {

// A word of global memory that several blocks wrote, and one of the writes.
struct Conflict {
  uintptr_t address;
  uint64_t writer;  // an OwnerTag
};

// Who wrote a word: the fields of a tag that stands for a write in the running launch.
struct OwnerTag {
  static uint64_t block(uint64_t tag);
  static unsigned thread(uint64_t tag);
  static uint32_t site(uint64_t tag);
};

// The tag of the lowest block that wrote the element at address.
uint64_t owner_tag(uintptr_t address);
// To be called between launches.
void forget_small_owners();

// "reads", "writes" or "updates".
const char* verb_of(Access access);

class Recorder : public Observer {
 public:
  explicit Recorder(Worker& worker);
  ~Recorder() override;

  // The recorder of the thread of a block that runs on this OS thread now, else null.
  static __thread Recorder* running;

  void begin_launch() override;
  void begin_block() override;
  void end_block() override;
  void drop_block() override;
  void enter(Thread& thread) override;
  void leave(Thread& thread) override;
  bool end_barrier() override;
  bool end_phases() override { return goes_on("__mbarrier_test_wait()"); }
  void stalled() override;
  void drain(unsigned warp) override;
  bool can_resume(const Thread& thread) override;
  void flush(unsigned warp) override;
  void fault(const Fault& fault) override;
  ErrorList& errors() override { return errors_; }
  const void* last_access(unsigned thread) const override { return last_access_[thread]; }
  uint64_t heartbeat() const override {
    return blocks_seen_.empty() ? 0
                                : reinterpret_cast<uintptr_t>(next_) * 31 +
                                      *const_cast<volatile uint64_t*>(&block_counts_[last_block_]);
  }

  // The running thread's warp meets: accesses of the lanes in mask are ordered.
  void sync_warp(uint32_t mask);
  // What the running thread does with a split barrier. Do not return if that is not allowed.
  void split_init(const void* barrier, uint32_t count, Stop place, const void* pc);
  void split_inval(const void* barrier, Stop place);
  uint64_t split_arrive(const void* barrier, Stop place);
  bool split_test(const void* barrier, uint64_t token, Stop place);
  bool split_test_parity(uint32_t address, uint32_t parity, Stop place);
  // The running thread has waited for the launch before, if this one may begin before it has ended.
  void wait_for_launch();
  // Arrivals of this launch.
  uint64_t arrivals() const { return arrivals_; }
  // The asynchronous copies of the running thread.
  Pipeline& pipeline() { return pipelines_[tid_]; }

  // An access by the running thread at the return address pc. Does not return if the thread must
  // not go on. variant: see Sites::number().
  template <Access access, unsigned size>
  void on_access(const void* address, const char* pc);
  void any_access(const void* address, unsigned size, Access access, const void* pc,
                  unsigned variant = 0);
  void on_block(const char* pc);
  void on_bad_object(const char* pc);
  void on_bad_index(const char* pc, long index, const char* type);
  void on_failed_assert(const char* pc, const char* condition);

  void begin_copy(const AsyncCopy& copy, const void* pc);
  void end_copy(const AsyncCopy& copy);
  // The running thread's warp has multiplied 16 x 16 by 16 x cols elements.
  void multiplied(const void* pc, unsigned cols);
  // For a Watch only: something that is no access, with a number.
  void note(Access what, const void* pc, uint64_t number = 0) {
    if (watched_) {
      log(entry::access(Sites::get().number(static_cast<const char*>(pc), 0, what, 0), false,
                        number));
    }
  }
  bool is_shared(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - tls_begin_ < tls_size_;
  }

  // The address in shared memory as PTX has it, and back: null where there is none.
  uint32_t shared_offset(const void* address) const {
    return uint32_t(reinterpret_cast<uintptr_t>(address) - tls_begin_);
  }
  const void* shared_pointer(uint32_t offset) const {
    return offset < tls_size_ ? reinterpret_cast<const void*>(tls_begin_ + offset) : nullptr;
  }

  // What the address in shared memory is a multiple of wherever a GPU places its array, at most 128.
  unsigned alignment_of(const void* address) const {
    const size_t offset = reinterpret_cast<uintptr_t>(address) - tls_begin_;
    const unsigned low = unsigned(offset & -offset) & 127;
    const unsigned promised = alignments_[offset / 128];
    return low != 0 && low < promised ? low : promised;
  }

  // The launch's dynamic shared memory is declared with this alignment.
  void align_dynamic(size_t alignment) { shared_->align_dynamic(alignment); }

  // Reports an error of the running thread.
  void report(ErrorKind kind, const RawPlace& here, const std::string& what);
  [[noreturn]] void report_and_abandon(ErrorKind kind, const RawPlace& here,
                                       const std::string& what);

  const Tally& tally() const { return tally_; }
  const std::vector<Conflict>& conflicts() const { return conflicts_; }
  // How often a basic block ran, by the offset of its mark in the code.
  uint64_t block_count(size_t offset) const { return block_counts_[offset]; }
  const std::vector<uint32_t>& blocks_seen() const { return blocks_seen_; }
  // Bytes of the static shared arrays that this launch touched.
  size_t static_shared() const;

 private:
  uint32_t site_of(const char* pc, Access access, unsigned size) {
    const uint32_t site = site_map_[pc - text_].load(std::memory_order_acquire);
    return __builtin_expect(site != 0, 1) ? site : Sites::get().number(pc, 0, access, size);
  }
  void log(uint64_t e) {
    *next_++ = e;
    if (__builtin_expect(next_ == limit_, 0)) {
      log_full();
    }
  }
  template <Access access, unsigned size>
  void global_access(uintptr_t address, uint32_t site);
  template <Access access>
  void shared_access(size_t offset, unsigned size, uint32_t site);
  void read_cell(Cell& cell, uint32_t site, size_t offset);
  void write_cell(Cell& cell, uint32_t site, size_t offset);
  void note_reader(Cell& cell, uint32_t site);
  void note_last_read(Cell& cell, uint32_t site);
  // Reports an access that is aligned here, but not wherever a GPU may place the array.
  void check_alignment(size_t offset, unsigned size, uint32_t site) {
    if (__builtin_expect(size > alignments_[offset / 128], 0)) {
      weakly_aligned(offset, size, site);
    }
  }
  void weakly_aligned(size_t offset, unsigned size, uint32_t site);
  void log_full();
  void jump_back(uint32_t from);
  void log_jump(uint32_t from);
  void tire(uint32_t effort);
  bool goes_round();
  bool goes_on(const char* barrier);
  void watch_warp(unsigned warp);

  // The rare cases (shared_check.cpp, split_barrier.cpp, global_check.cpp).
  void check_global(uintptr_t address, unsigned size, Access access, uint32_t site);
  void check_window(uintptr_t address, unsigned size, uint32_t site);
  void begin_owner_tag();
  void own_global(uintptr_t address, unsigned size, uint32_t site);
  void own_word(std::atomic<uint64_t>& owner, uintptr_t address, uint64_t tag);
  void bad_global(uintptr_t address, unsigned size, Access access, uint32_t site);
  bool misaligned(uintptr_t address, unsigned size, uint32_t site);
  bool begins_early(uintptr_t address, Access access, uint32_t site);
  void elsewhere(uintptr_t address, unsigned size, Access access, uint32_t site);
  void check_read(Cell& cell, uint32_t site, size_t offset);
  bool check_write(Cell& cell, uint32_t site, size_t offset, bool atomic);
  void atomic_cell(Cell& cell, uint32_t site, size_t offset);
  void not_shared(uint32_t site, size_t offset, Access access);
  bool split_words(size_t offset, unsigned size);
  bool unsettled(const Cell& cell, uint32_t site, size_t offset, bool write);
  bool ordered(unsigned thread, uint32_t stamp);
  void report_race(const char* what, uint32_t site, size_t offset, const char* other_what,
                   uint32_t other_site, unsigned other_thread);
  void report_pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                   const RawPlace& other, unsigned other_thread, const std::string& other_what);
  void check_last_reads(Cell& cell, uint32_t site, size_t offset);
  void begin_split_order();
  void sync_split_order(unsigned warp, uint32_t mask);
  void know(unsigned thread);
  bool wait_for(SplitBarrier& b, uint32_t phase, Stop place);
  void learn(const SplitBarrier& barrier);
  unsigned missing_at(const SplitBarrier& b, unsigned waiting) const;
  SplitBarrier* find_barrier(const void* barrier);
  SplitBarrier& use_barrier(const void* barrier, Stop place, const char* does);
  std::string name_of(const void* shared) const;
  RawPlace place_of(uint32_t site) const;
  static RawPlace place_of(const Stop& stop);
  std::string shared_name(size_t offset) const;

  // Used by every access, so they come first.
  uint64_t* next_ = nullptr;
  uint64_t* limit_ = nullptr;
  const std::atomic<uint16_t>* site_map_;
  const char* text_;
  uintptr_t arena_, arena_size_;  // no size for a thread that must wait for the launch before
  const uint8_t* states_;
  uintptr_t tls_begin_ = 0, tls_size_ = 0;
  uintptr_t stacks_begin_ = 0, stacks_size_ = 0;
  Cell* cells_ = nullptr;
  const uint8_t* alignments_ = nullptr;
  unsigned shift_ = 2;
  bool watched_ = false;  // this thread's warp is followed by a Watch
  uint32_t tid_ = 0;
  Clock now_;
  LastRead* reads_ = nullptr;  // this thread's, in a block that has used split barriers
  uint32_t interval_begin_ = 0, block_begin_ = 0;  // this thread's now_.before; the block's
  uint32_t last_block_ = 0;  // offset of its mark
  bool watching_ = false;  // windows have been declared
  uint64_t* block_counts_;

  Worker& worker_;
  uint32_t counter_ = 1;
  uint32_t sync_begin_ = 0;  // at the last __syncthreads()
  SplitOrder order_;
  uint64_t arrivals_ = 0;
  std::vector<Clock> clocks_;
  // For each thread of a launch that may begin early: when it waited for the launch before, or 0; and whether
  // it may touch global memory.
  std::vector<uint32_t> waited_;
  std::vector<bool> settled_;
  std::vector<Pipeline> pipelines_;
  std::vector<uint32_t> last_blocks_;
  std::vector<uint32_t> pauses_;
  std::vector<const void*> last_access_;
  std::vector<uint32_t> blocks_seen_;
  std::unique_ptr<SharedCells> shared_;
  Trace trace_;
  Tally tally_;
  ErrorList errors_;
  std::vector<Conflict> conflicts_;
  uint64_t owner_tag_ = 0;
  uint64_t interval_hash_ = 0;  // of the accesses of thread 0 since the last barrier
  std::array<uint64_t, 16> hashes_{};  // of earlier intervals
  uint64_t rounds_ = 0, same_rounds_ = 0;  // barriers of this block; without a new interval
  uint32_t launch_begin_ = 0;
};

}  // namespace simt
