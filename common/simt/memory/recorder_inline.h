// The part of the recorder that runs for every single access of a kernel.
#pragma once
#include "common/simt/memory/recorder.h"

namespace simt {

// Where order differs from thread to thread, each one's reads are kept. The cell has their latest stamp,
// and readers that are all this thread only if no other has read since.
inline void Recorder::note_last_read(Cell& cell, uint32_t site) {
  reads_[&cell - cells_] = {now_.stamp, uint16_t(site)};
  const bool first = cell.read < interval_begin_;
  if (first || reader_of(cell) != tid_) {
    cell.who = (cell.who & ~(kThreadBits << 20)) | tid_ << 20;
  }
  if (first) {
    cell.who = (cell.who & ~(kThreadBits << 10)) | tid_ << 10;
  }
  if (first || cell.read < now_.stamp) {
    cell.read = now_.stamp;
    cell.read_site = uint16_t(site);
  }
}

inline void Recorder::note_reader(Cell& cell, uint32_t site) {
  if (__builtin_expect(reads_ != nullptr, 0)) {
    note_last_read(cell, site);
    return;
  }
  const uint32_t readers = cell.who >> 10;
  if (cell.read < interval_begin_) {
    cell.read = now_.stamp;
    cell.read_site = uint16_t(site);
    cell.who = (cell.who & kWriterMask) | tid_ << 10 | tid_ << 20;
    return;
  }
  const uint32_t first = readers & kThreadBits, second = readers >> 10 & kThreadBits;
  if (((first ^ second) & ~31u) != 0) {
    return;  // readers of two warps: no later reader can add anything
  }
  // NOLINTNEXTLINE(bugprone-branch-clone): the first and the last case are two cases
  if (((first ^ tid_) & ~31u) != 0) {
    cell.who = (cell.who & ~(kThreadBits << 20)) | tid_ << 20;
  } else if (cell.read < now_.warp_stamp) {
    // The same warp before its last __syncwarp(): ordered for this warp, and for another warp this
    // read is as good as that one.
    cell.read = now_.stamp;
    cell.read_site = uint16_t(site);
    cell.who = (cell.who & kWriterMask) | tid_ << 10 | tid_ << 20;
  } else if (first == second && first != tid_) {
    cell.who = (cell.who & ~(kThreadBits << 20)) | tid_ << 20;
  }
}

inline void Recorder::read_cell(Cell& cell, uint32_t site, size_t offset) {
  const uint32_t written = cell.written;
  const bool earlier = written - block_begin_ < interval_begin_ - block_begin_;
  const bool own = written >= interval_begin_ && (cell.who & kWriterMask) == tid_;
  if (__builtin_expect(!earlier && !own, 0)) {
    check_read(cell, site, offset);
  }
  note_reader(cell, site);
}

inline void Recorder::write_cell(Cell& cell, uint32_t site, size_t offset) {
  const bool quiet_write = cell.written < interval_begin_ || (cell.who & kWriterMask) == tid_;
  const bool quiet_read =
      cell.read < interval_begin_ || ((cell.who >> 10) & 0xfffff) == (tid_ | tid_ << 10);
  if (__builtin_expect(!quiet_write || !quiet_read, 0)) {
    if (!check_write(cell, site, offset, false)) {
      return;
    }
  }
  cell.written = now_.stamp;
  cell.who = (cell.who & ~kWriterMask) | tid_;
  cell.write_site = uint16_t(site);
}

template <Access access>
inline void Recorder::shared_access(size_t offset, unsigned size, uint32_t site) {
  if (__builtin_expect(size < 1u << shift_, 0) && !split_words(offset, size)) {
    return;
  }
  Cell* cell = cells_ + (offset >> shift_);
  Cell* const end = cells_ + ((offset + size - 1) >> shift_) + 1;
  if (__builtin_expect(cell->written == Cell::kInvalid, 0)) {
    not_shared(site, offset, access);
    return;
  }
  for (; cell != end; ++cell) {
    if (access == Access::Load || access == Access::MatrixLoad) {
      read_cell(*cell, site, offset);
    } else if (access == Access::Store) {
      write_cell(*cell, site, offset);
    } else {
      atomic_cell(*cell, site, offset);
    }
  }
  log(entry::access(site, true, offset));
}

template <Access access, unsigned size>
inline void Recorder::global_access(uintptr_t address, uint32_t site) {
  const uint8_t* const state = states_ + (address - arena_);
  constexpr uint64_t kAll = 0x0202020202020202u;
  bool known;
  if (size == 16) {
    uint64_t a, b;
    __builtin_memcpy(&a, state, 8);
    __builtin_memcpy(&b, state + 8, 8);
    known = a == kAll && b == kAll;
  } else {
    uint64_t a = 0;
    __builtin_memcpy(&a, state, size < 8 ? size : 8);
    known = a == kAll >> (64 - 8 * (size < 8 ? size : 8));
  }
  if (__builtin_expect(!known, 0)) {
    check_global(address, size, access, site);
  }
  if (access == Access::Store) {
    own_global(address, size, site);
  }
  if ((access == Access::Store || access == Access::Atomic) && watching_) {
    check_window(address, size, site);
  }
  log(entry::access(site, false, address - arena_));
}

template <Access access, unsigned size>
inline void Recorder::on_access(const void* pointer, const char* pc) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  const bool shared = address - tls_begin_ < tls_size_;
  const bool global = address - arena_ < arena_size_;
  if (!shared && !global && address - stacks_begin_ < stacks_size_) {
    return;  // this thread's registers and local arrays
  }
  const uint32_t site = site_of(pc, access, size);
  if (__builtin_expect((address & (size - 1)) != 0, 0) && misaligned(address, size, site)) {
    return;
  }
  if (shared) {
    check_alignment(address - tls_begin_, size, site);
    shared_access<access>(address - tls_begin_, size, site);
  } else if (global || (arena_size_ == 0 && begins_early(address, access, site))) {
    global_access<access, size>(address, site);
  } else {
    elsewhere(address, size, access, site);
  }
}

inline void Recorder::on_block(const char* pc) {
  const uint32_t block = uint32_t(pc - text_);
  if (__builtin_expect(block_counts_[block]++ == 0, 0)) {
    blocks_seen_.push_back(block);
  }
  if (block <= last_block_) {
    jump_back(last_block_);
  }
  last_block_ = block;
  note(Access::Code, pc);
}

inline void Recorder::jump_back(uint32_t from) {
  uint64_t& last = next_[-1];  // the word before an empty log is never a jump
  if (last >> 24 == entry::jump(from, 0) >> 24 && (last & entry::kMostJumps) != entry::kMostJumps) {
    ++last;
  } else {
    log_jump(from);
  }
}

}  // namespace simt
