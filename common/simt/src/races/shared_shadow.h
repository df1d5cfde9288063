// The checks of shared memory: races, uninitialised words, alignment, asynchronous copies in flight.
#pragma once
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "races/cluster/remote_accesses.h"
#include "races/findings.h"
#include "races/happens_before.h"
#include "races/read_vectors.h"
#include "races/shadow_cells.h"

namespace simt {

class ProductReads;

// The last write that passed the check. A cell with the same write needs no check.
struct Settled {
  uint32_t written = ShadowCell::kInvalid, writer = 0;
};

// Addresses of shared memory are offsets in the worker's TLS segment.
class SharedShadow {
 public:
  // Construct it on the worker's OS thread.
  SharedShadow(const void* dynamic_shared, Findings& findings);

  // epochs_over: epochs start over, so all cells are reset.
  void begin_launch(size_t dynamic_bytes, bool epochs_over);
  void end_block();
  void enter(unsigned thread) { own_reads_ = last_reads_.of(thread); }

  bool contains(uintptr_t address) const { return address - begin_ < size_; }
  bool contains(const void* p) const { return contains(reinterpret_cast<uintptr_t>(p)); }
  size_t offset(uintptr_t address) const { return address - begin_; }
  size_t offset(const void* p) const { return offset(reinterpret_cast<uintptr_t>(p)); }
  // Null if there is no shared memory at that offset.
  const void* pointer(size_t offset) const {
    return offset < size_ ? reinterpret_cast<const void*>(begin_ + offset) : nullptr;
  }
  // False for variables of the runtime and of the compiler, which lie between the arrays.
  bool is_array(size_t offset) const { return cells_.at(offset)->written != ShadowCell::kInvalid; }
  // "As + 128 bytes".
  std::string name(size_t offset) const;

  // The address's alignment wherever a GPU places its array; at most 128.
  unsigned alignment(size_t offset) const;
  // Reports an access that is aligned here, but not wherever a GPU may place the array. A note if it is aligned where
  // nvcc places the array. `does` ends with the array's name.
  void weakly_aligned(const RawPlace& place, const std::string& does, size_t offset, unsigned bytes,
                      const RawElement& element = {}) const;
  // The launch declares its dynamic shared memory with this alignment.
  void align_dynamic(size_t alignment) { cells_.align_dynamic(alignment); }

  // The fast path of a load or store: updates the cells and returns true if the access is obviously right.
  template <Access access, unsigned size>
  bool is_quiet(const ThreadView& now, uintptr_t address, uint32_t site);
  // Checks an access. Returns false if it does not touch shared memory.
  template <Access access>
  bool access(const ThreadView& now, size_t offset, unsigned size, uint32_t site);

  // Keeps read vectors from now on in this block.
  void keep_vector_clocks(const ThreadView& now, unsigned threads);

  // The destination of an asynchronous copy. No thread may access it until the copy has completed. Without a wait, the
  // end of the block drops the copy.
  void begin_copy(const ThreadView& now, size_t offset, unsigned size, uint32_t site);
  void end_copy(const ThreadView& now, size_t offset, unsigned size);
  void drop_copy(size_t offset, unsigned size);

  // The same for a bulk copy. A wait at the mbarrier of that channel acquires it.
  bool is_all_array(size_t offset, size_t size) const;
  void begin_bulk(const ThreadView& now, size_t offset, size_t size, uint32_t site);
  void end_bulk(size_t offset, size_t size, uint32_t epoch, uint32_t channel);
  void drop_bulk(size_t offset, size_t size);
  // TMA or wgmma (who) reads for the running thread, now or later. A proxy fence must have made threads' writes visible
  // to it.
  void async_read(const HappensBefore& order, size_t offset, size_t size, uint32_t site,
                  const char* who);
  // The same without recording a read. Returns false if it has reported an error.
  bool check_async(const HappensBefore& order, size_t offset, size_t size, uint32_t site,
                   const char* who, Settled& settled);
  // Reports writes since that epoch, the start of a TMA store of these bytes. Returns true if there are none.
  bool check_unwritten(const HappensBefore& order, size_t offset, size_t size, uint32_t epoch,
                       uint32_t site);
  // Whether TMA made the last write at that offset.
  bool is_copied(const HappensBefore& order, size_t offset) const {
    const ShadowCell& cell = *cells_.at(offset);
    return cell.written < ShadowCell::kRemote && writer_of(cell) >= order.space().threads;
  }
  // Reports writes to `products` from now on, unless it is null.
  void set_products(ProductReads* products) { products_ = products; }
  size_t size() const { return size_; }
  char* memory() const { return reinterpret_cast<char*>(begin_); }

  // True if no thread of this block has written any of these bytes.
  bool lacks_value(const ThreadView& now, size_t offset, unsigned size) const;
  // Marks words without a value as written.
  void initialize(const ThreadView& now, size_t offset, unsigned size);

  // Marks the 8 bytes of an mbarrier, which are no data.
  void make_barrier(const ThreadView& now, size_t offset, uint32_t site);
  void unmake_barrier(const ThreadView& now, size_t offset);
  void drop_barrier(size_t offset, uint32_t block_begin);

  // Copies this block's shared memory to its image, so that another block of the cluster can run; and back.
  void end_turn();
  void begin_turn();
  // The place of a byte of this block's shared memory while another block has its turn.
  char* image(size_t offset) { return image_.data() + offset; }
  bool image_contains(uintptr_t address) const {
    return address - reinterpret_cast<uintptr_t>(image_.data()) < image_.size();
  }
  // An access to this block's shared memory by another block's thread. seen: that thread, seen by this block.
  void remote_access(const ThreadView& seen, const RemoteAccess& who, size_t offset, unsigned size,
                     Access access);

  // Bytes of the static arrays touched since the epoch `begin`.
  size_t touched_static(uint32_t begin) const;

 private:
  bool adds_nothing(const ThreadView& now, const ShadowCell& cell) const;
  void read(const ThreadView& now, ShadowCell& cell, size_t offset, uint32_t site);
  void tell_products(const ThreadView& now, size_t offset, size_t size, uint32_t site);
  void note_reader(const ThreadView& now, ShadowCell& cell, uint32_t site);
  void note_last_read(const ThreadView& now, ShadowCell& cell, uint32_t site);

  // The array at an offset or, outside of all arrays, the one before it.
  struct Named {
    std::string name;
    size_t begin, size;
  };
  Named named(size_t offset) const;
  void weakly_aligned(size_t offset, unsigned size, uint32_t site);
  bool split_words(const ThreadView& now, size_t offset, unsigned size);
  bool unfenced(const HappensBefore& order, const ShadowCell& cell, size_t offset, uint32_t site,
                const char* who);
  void not_shared(size_t offset, uint32_t site, Access access);
  bool unsettled(const ThreadView& now, const ShadowCell& cell, size_t offset, uint32_t site,
                 bool write);
  void check_read(const ThreadView& now, ShadowCell& cell, size_t offset, uint32_t site);
  bool check_write(const ThreadView& now, ShadowCell& cell, size_t offset, uint32_t site,
                   bool atomic);
  bool check_last_reads(const ThreadView& now, const ShadowCell& cell, size_t offset,
                        uint32_t site);
  void report_remote(const RemoteAccess& other, const char* what, size_t offset, uint32_t site,
                     const char* other_what);
  size_t offset_of(const ShadowCell& cell) {
    return size_t(&cell - cells_.begin()) << cells_.shift();
  }
  bool settle_remote(const ThreadView& now, ShadowCell& cell, size_t offset, uint32_t site,
                     bool atomic);
  void update(const ThreadView& now, ShadowCell& cell, size_t offset, uint32_t site);
  // read_site: this thread's read of the element that it writes, or 0.
  void report_race(const ThreadView& now, const char* what, size_t offset, uint32_t site,
                   const char* other_what, uint32_t other_site, unsigned other_thread,
                   uint32_t read_site = 0);
  bool report_unordered(const ThreadView& now, const char* what, size_t offset, uint32_t site,
                        const char* other_what, uint32_t other_site, unsigned other_thread);
  static RawElement element(size_t offset, uint32_t site) {
    return RawElement::shared(offset, Sites::get().at(site).size);
  }

  uintptr_t begin_, size_;
  ShadowCells cells_;
  ReadEpoch* own_reads_ =
      nullptr;  // the running thread's read vector, in a block with vector clocks
  unsigned threads_ = 0;
  ReadVectors last_reads_;
  RemoteAccesses remote_;
  size_t dynamic_bytes_ = 0;
  std::vector<bool> noted_;  // by site: this launch has a note that its arrays are weakly aligned
  mutable std::set<size_t> weak_;  // the arrays that this launch has an error about, by offset
  std::vector<char> image_;
  ProductReads* products_ = nullptr;
  Findings& findings_;
};

// The rest of this file runs for each access.

// A block with vector clocks keeps each thread's last read. The cell has the latest epoch. It names this thread as its
// only reader if no other has read since.
inline void SharedShadow::note_last_read(const ThreadView& now, ShadowCell& cell, uint32_t site) {
  own_reads_[&cell - cells_.begin()] = {now.clock.epoch, uint16_t(site)};
  const bool first = cell.read < now.clock.interval_begin;
  if (first || reader_of(cell) != now.thread) {
    cell.who = (cell.who & ~(kThreadBits << 20)) | now.thread << 20;
  }
  if (first) {
    cell.who = (cell.who & ~(kThreadBits << 10)) | now.thread << 10;
  }
  if (first || cell.read < now.clock.epoch) {
    cell.read = now.clock.epoch;
    cell.read_site = uint16_t(site);
  }
}

__attribute__((always_inline)) inline void SharedShadow::note_reader(const ThreadView& now,
                                                                     ShadowCell& cell,
                                                                     uint32_t site) {
  if (__builtin_expect(own_reads_ != nullptr, 0)) {
    note_last_read(now, cell, site);
    return;
  }
  const uint32_t readers = cell.who >> 10;
  if (cell.read < now.clock.interval_begin) {
    cell.read = now.clock.epoch;
    cell.read_site = uint16_t(site);
    cell.who = (cell.who & kWriterMask) | now.thread << 10 | now.thread << 20;
    return;
  }
  const uint32_t first = readers & kThreadBits, second = readers >> 10 & kThreadBits;
  if (((first ^ second) & ~31u) != 0) {
    return;  // readers of two warps: no later reader can add anything
  }
  // NOLINTNEXTLINE(bugprone-branch-clone): the first and the last case differ in meaning
  if (((first ^ now.thread) & ~31u) != 0) {
    cell.who = (cell.who & ~(kThreadBits << 20)) | now.thread << 20;
  } else if (cell.read < now.clock.warp_epoch) {
    // A read of this warp before its last __syncwarp(). It is ordered for this warp, and a write by another warp races
    // with the new read as well.
    cell.read = now.clock.epoch;
    cell.read_site = uint16_t(site);
    cell.who = (cell.who & kWriterMask) | now.thread << 10 | now.thread << 20;
  } else if (first == second && first != now.thread) {
    cell.who = (cell.who & ~(kThreadBits << 20)) | now.thread << 20;
  }
}

// Whether this thread's read would add nothing to the cell's readers.
inline bool SharedShadow::adds_nothing(const ThreadView& now, const ShadowCell& cell) const {
  const uint32_t first = cell.who >> 10 & kThreadBits, second = cell.who >> 20 & kThreadBits;
  return own_reads_ == nullptr && cell.read >= now.clock.interval_begin && first != second &&
         ((first ^ second) >= 32 ||
          ((first ^ now.thread) < 32 && cell.read >= now.clock.warp_epoch));
}

inline bool is_right_read(const ThreadView& now, const ShadowCell& cell) {
  const uint32_t written = cell.written;
  return written - now.block_begin < now.clock.interval_begin - now.block_begin ||
         (written >= now.clock.interval_begin && (cell.who & kWriterMask) == now.thread);
}

inline bool is_right_write(const ThreadView& now, const ShadowCell& cell) {
  return (cell.written < now.clock.interval_begin || (cell.who & kWriterMask) == now.thread) &&
         (cell.read < now.clock.interval_begin ||
          ((cell.who >> 10) & 0xfffff) == (now.thread | now.thread << 10));
}

inline void set_written(const ThreadView& now, ShadowCell& cell, uint32_t site) {
  cell.written = now.clock.epoch;
  set_writer(cell, now.thread);
  cell.write_site = uint16_t(site);
}

template <Access access, unsigned size>
__attribute__((always_inline)) inline bool SharedShadow::is_quiet(const ThreadView& now,
                                                                  uintptr_t address,
                                                                  uint32_t site) {
  const size_t offset = address - begin_;
  if (size < 4 || access == Access::Atomic || (offset & (size - 1)) != 0 ||
      size > cells_.alignment(offset) || cells_.shift() != 2 ||
      (access == Access::Store && products_ != nullptr)) {
    return false;
  }
  ShadowCell* const cells = cells_.at(offset);
  for (unsigned i = 0; i < size / 4; ++i) {
    if (access == Access::Store ? !is_right_write(now, cells[i]) : !is_right_read(now, cells[i])) {
      return false;
    }
    if (access == Access::Store) {
      set_written(now, cells[i], site);
    } else if (!adds_nothing(now, cells[i])) {
      note_reader(now, cells[i], site);
    }
  }
  return true;
}

inline void SharedShadow::read(const ThreadView& now, ShadowCell& cell, size_t offset,
                               uint32_t site) {
  if (!is_right_read(now, cell)) {
    check_read(now, cell, offset, site);
  }
  note_reader(now, cell, site);
}

template <Access access>
bool SharedShadow::access(const ThreadView& now, size_t offset, unsigned size, uint32_t site) {
  if (size > cells_.alignment(offset)) {
    weakly_aligned(offset, size, site);
  }
  if (size < 1u << cells_.shift() && !split_words(now, offset, size)) {
    return false;
  }
  ShadowCell* cell = cells_.at(offset);
  ShadowCell* const end = cells_.at(offset + size - 1) + 1;
  if (cell->written == ShadowCell::kInvalid) {
    not_shared(offset, site, access);
    return false;
  }
  if (access != Access::Load && access != Access::MatrixLoad &&
      __builtin_expect(products_ != nullptr, 0)) {
    tell_products(now, offset, size, site);
  }
  const size_t last = (size_t(1) << cells_.shift()) - 1;  // byte of a cell
  for (; cell != end; ++cell, offset = (offset | last) + 1) {
    if (access == Access::Load || access == Access::MatrixLoad) {
      read(now, *cell, offset, site);
    } else if (access != Access::Store) {
      update(now, *cell, offset, site);
    } else if (is_right_write(now, *cell) || check_write(now, *cell, offset, site, false)) {
      set_written(now, *cell, site);
    }
  }
  return true;
}

}  // namespace simt
