// The shadow of a block's shared memory: who wrote and who read each word since the last barrier, and
// what is on its way to it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "common/simt/execution/execution.h"

namespace simt {

// Time goes in stamps: every barrier, __syncwarp() and block start takes the next one. An access
// carries the stamp of its thread, so accesses of stamps before the interval's are ordered. A thread that
// arrives at a split barrier takes a new stamp, too; what is ordered is then a matter of each thread
// (SplitOrder).
struct Cell {
  static constexpr uint32_t kInvalid = 0xffffffffu;  // not shared memory
  static constexpr uint32_t kPending = 0xfffffffeu;  // a cp.async is on its way
  static constexpr uint32_t kBarrier = 0xfffffffdu;  // a split barrier lies here

  uint32_t written = 0, read = 0;  // stamps
  // Thread numbers of 10 bits each: the last writer, the first reader since, and another reader, of
  // a different warp where there is one. Then two flags.
  uint32_t who = 0;
  uint16_t write_site = 0, read_site = 0;
};

constexpr uint32_t kThreadBits = 0x3ff;
// Invalid, pending, a barrier, or written last by an atomic operation.
constexpr uint32_t kSlow = 1u << 30;
constexpr uint32_t kMany = 1u << 31;  // ... and before that by another thread's, in this interval
constexpr uint32_t kWriterMask = kThreadBits | kSlow | kMany;

inline unsigned writer_of(const Cell& c) {
  return c.who & kThreadBits;
}
inline unsigned reader_of(const Cell& c) {
  return c.who >> 10 & kThreadBits;
}
inline unsigned other_reader_of(const Cell& c) {
  return c.who >> 20 & kThreadBits;
}

// Where a thread is in time.
struct Clock {
  uint32_t stamp = 0;  // of its accesses
  uint32_t warp_stamp = 0;  // accesses of its warp before this are ordered
  uint32_t partial_stamp = 0;  // and before this, those of the lanes in partial_mask
  uint32_t partial_mask = 0;
  uint32_t before = 0;  // accesses of all threads before this are ordered
};

// The cells of a worker's thread-local memory, in which all shared arrays lie.
class SharedCells {
 public:
  SharedCells(size_t tls_bytes, size_t dynamic_offset);

  // Only the first `bytes` of dynamic shared memory exist.
  void set_dynamic(size_t bytes);
  // Until the next set_dynamic(), dynamic shared memory is declared with at least this alignment.
  void align_dynamic(size_t alignment);
  // Cells of at most this many bytes. Words of four bytes are split when a kernel needs it.
  void refine(unsigned bytes);
  // Forgets everything, so that stamps can start over.
  void reset();

  // For each 128 bytes of the memory, in which there is at most one array: what its address is a
  // multiple of on any GPU, because the source says so.
  const uint8_t* alignments() const { return alignments_.data(); }

  unsigned shift() const { return shift_; }
  Cell* cells() { return cells_.data(); }
  size_t count() const { return cells_.size(); }

 private:
  void set_valid(size_t begin, size_t end, bool valid);
  void promise_dynamic(size_t alignment);

  unsigned shift_ = 2;
  size_t bytes_, dynamic_offset_, dynamic_bytes_ = 0;
  std::vector<Cell> cells_;
  std::vector<uint8_t> alignments_;
};

// The asynchronous copies of one thread that have not been waited for.
struct AsyncCopy {
  char* shared;
  const char* global;
  uint8_t size, zfill;
  uint32_t group;
};

struct Pipeline {
  std::vector<AsyncCopy> copies;  // oldest first
  size_t done = 0;  // copies before this one have arrived
  uint32_t group = 0;  // number of the open group

  void clear() {
    copies.clear();
    done = 0;
    group = 0;
  }
};

// Order in blocks that use split barriers (__mbarrier_t) differs from thread to thread, so it is kept for
// each pair of them.

// For each thread, the stamp before which its accesses are known to be over.
using Stamps = std::vector<uint32_t>;

struct SplitBarrier {
  size_t offset = 0;  // in the TLS segment
  bool valid = true;
  uint32_t count = 0, arrived = 0;  // arrivals that a phase takes; and that have come
  uint32_t phase = 0;  // number of the running phase
  uint32_t stamp = 0;  // of its first arrival
  Stamps running,
      complete;  // what the arrivals of this phase, and of the one before, have released
  std::vector<uint32_t> last;  // for each thread, one past the last phase that it arrived at
  unsigned maker = 0;  // the thread that initialised it, when and where
  uint32_t made = 0;
  Stop place;
};

// A thread's last read of a cell.
struct LastRead {
  uint32_t stamp;
  uint16_t site;
};

class SplitOrder {
 public:
  SplitOrder() = default;
  SplitOrder(const SplitOrder&) = delete;
  SplitOrder& operator=(const SplitOrder&) = delete;
  ~SplitOrder() { forget(); }

  // From now on in this block. Older reads stay as they are: their stamps tell. Throws std::bad_alloc.
  void begin(unsigned threads, size_t cells);
  void end() { barriers.clear(), active_ = false; }
  bool active() const { return active_; }
  // Stamps start over.
  void forget();
  // Each cell has become two.
  void split_cells();

  // The reads of a thread, by cell.
  LastRead* reads(unsigned thread) { return reads_ + thread * cells_; }
  // Accesses of thread u before known(t)[u] are ordered before what thread t does next.
  Stamps& known(unsigned thread) { return known_[thread]; }
  static void raise(Stamps& to, const Stamps& from);
  // Accesses of any other thread before this are.
  uint32_t least_known(unsigned thread) const;

  std::deque<SplitBarrier> barriers;  // of this block, in the order of their init; none moves

 private:
  LastRead* map(size_t count) const;

  bool active_ = false;
  unsigned threads_ = 0;
  size_t cells_ = 0, room_ = 0;
  LastRead* reads_ = nullptr;
  std::vector<Stamps> known_;
};

}  // namespace simt
