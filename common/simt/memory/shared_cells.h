// The shadow of a block's shared memory: who wrote and who read each word since the last barrier.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt {

// Time goes in stamps: every barrier, __syncwarp() and block start takes the next one. An access
// carries the stamp of its thread, so accesses of stamps before the interval's are ordered. A thread that
// arrives at a split barrier takes a new stamp, too; what is ordered is then a matter of each thread
// (split_order.h).
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

}  // namespace simt
