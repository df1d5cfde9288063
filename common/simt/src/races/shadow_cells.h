// Shadow cells of a block's shared memory: the last write and the readers of each word.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt {

struct ShadowCell {
  static constexpr uint32_t kInvalid = 0xffffffffu;  // not shared memory
  static constexpr uint32_t kPending = 0xfffffffeu;  // a cp.async is in flight
  static constexpr uint32_t kBarrier = 0xfffffffdu;  // an mbarrier lies here
  static constexpr uint32_t kRemote = 0xfffffffcu;  // accessed by another block of the cluster

  uint32_t written = 0, read = 0;  // epochs: see happens_before.h
  // Thread numbers of 10 bits each: the last writer, the first reader since, and another reader, of a different warp if
  // there is one. Then two flags.
  uint32_t who = 0;
  uint16_t write_site = 0, read_site = 0;
};

constexpr uint32_t kThreadBits = 0x3ff;
// Invalid, pending, an mbarrier, or last written by an atomic operation.
constexpr uint32_t kSlow = 1u << 30;
constexpr uint32_t kMany = 1u << 31;  // by atomic operations of several threads, in this interval
constexpr uint32_t kWriterMask = kThreadBits | kSlow | kMany;

inline unsigned writer_of(const ShadowCell& c) {
  return c.who & kThreadBits;
}
inline unsigned reader_of(const ShadowCell& c) {
  return c.who >> 10 & kThreadBits;
}
inline unsigned other_reader_of(const ShadowCell& c) {
  return c.who >> 20 & kThreadBits;
}
inline void set_writer(ShadowCell& c, unsigned thread, uint32_t flags = 0) {
  c.who = (c.who & ~kWriterMask) | thread | flags;
}

// The cells of a worker's TLS segment, which holds all shared arrays.
class ShadowCells {
 public:
  ShadowCells(size_t tls_bytes, size_t dynamic_offset);

  // Only the first `bytes` of dynamic shared memory exist.
  void set_dynamic(size_t bytes);
  // The launch declares dynamic shared memory with at least this alignment.
  void align_dynamic(size_t alignment);
  // Splits cells until they cover at most `bytes` bytes, for a kernel with accesses of that size.
  void refine(unsigned bytes);
  // Forgets everything, so that epochs can start over.
  void reset();

  size_t dynamic_offset() const { return dynamic_offset_; }
  // The alignment that the source promises for the 128 bytes around an offset. At most one array lies in them.
  unsigned alignment(size_t offset) const { return alignments_[offset / 128]; }
  // The alignment that nvcc gives the array there, since it places arrays one after the other. It is the
  // promised alignment if the array's offset is unknown, and no less otherwise.
  unsigned packed_alignment(size_t offset) const { return packed_alignments_[offset / 128]; }

  unsigned shift() const { return shift_; }  // a cell has 1 << shift bytes
  ShadowCell* at(size_t offset) { return cells_.data() + (offset >> shift_); }
  const ShadowCell* at(size_t offset) const { return cells_.data() + (offset >> shift_); }
  ShadowCell* begin() { return cells_.data(); }
  size_t count() const { return cells_.size(); }

 private:
  void set_valid(size_t begin, size_t end, bool valid);
  void promise_dynamic(size_t alignment);

  unsigned shift_ = 2;
  size_t bytes_, dynamic_offset_, dynamic_bytes_ = 0;
  std::vector<ShadowCell> cells_;
  std::vector<uint8_t> alignments_, packed_alignments_;
};

}  // namespace simt
