#include "races/shadow_cells.h"

#include <algorithm>

#include "program/program.h"

namespace simt {
namespace {

// Bytes. Many programs access dynamic shared memory of any type in vectors of 16 bytes. A larger alignment must be
// declared.
constexpr size_t kDynamicAlignment = 16;

}  // namespace

ShadowCells::ShadowCells(size_t tls_bytes, size_t dynamic_offset)
    : bytes_((tls_bytes + 127) / 128 * 128),
      dynamic_offset_(dynamic_offset),
      alignments_(bytes_ / 128, 128),
      packed_alignments_(alignments_) {
  for (const TlsSymbol& symbol : tls_symbols()) {
    for (size_t i = symbol.offset / 128;
         symbol.shared && i < (symbol.offset + symbol.size + 127) / 128; ++i) {
      alignments_[i] = uint8_t(std::min<size_t>(symbol.alignment, 128));
      const size_t packed = symbol.packed.value_or(alignments_[i]) | 128;
      packed_alignments_[i] = uint8_t(packed & -packed);
    }
  }
  reset();
}

void ShadowCells::reset() {
  cells_.assign(bytes_ >> shift_, ShadowCell());
  set_valid(0, bytes_, false);
  for (const TlsSymbol& symbol : tls_symbols()) {
    if (symbol.shared) {
      set_valid(symbol.offset, symbol.offset + symbol.size, true);
    }
  }
  set_valid(dynamic_offset_, dynamic_offset_ + dynamic_bytes_, true);
}

void ShadowCells::set_valid(size_t begin, size_t end, bool valid) {
  for (size_t i = begin >> shift_; i < (end + (size_t(1) << shift_) - 1) >> shift_; ++i) {
    cells_[i].written = valid ? 0 : ShadowCell::kInvalid;
    cells_[i].who = valid ? 0 : kSlow;
    cells_[i].read = 0;
  }
}

void ShadowCells::set_dynamic(size_t bytes) {
  if (bytes < dynamic_bytes_) {
    set_valid(dynamic_offset_ + bytes, dynamic_offset_ + dynamic_bytes_, false);
  } else if (bytes > dynamic_bytes_) {
    set_valid(dynamic_offset_ + dynamic_bytes_, dynamic_offset_ + bytes, true);
  }
  dynamic_bytes_ = bytes;
  promise_dynamic(kDynamicAlignment);
}

void ShadowCells::align_dynamic(size_t alignment) {
  if (alignment > alignments_[dynamic_offset_ / 128]) {
    promise_dynamic(alignment);
  }
}

void ShadowCells::promise_dynamic(size_t alignment) {
  const auto first = alignments_.begin() + ptrdiff_t(dynamic_offset_ / 128);
  const size_t count = (dynamic_bytes_ + 127) / 128;
  std::fill_n(first, count, uint8_t(std::min<size_t>(alignment, 128)));
  std::copy_n(first, count, packed_alignments_.begin() + (first - alignments_.begin()));
}

void ShadowCells::refine(unsigned bytes) {
  unsigned shift = unsigned(__builtin_ctz(bytes));
  while (shift_ > shift) {
    // All accesses so far covered whole cells, so both halves have the same history.
    std::vector<ShadowCell> finer;
    finer.reserve(cells_.size() * 2);
    for (const ShadowCell& cell : cells_) {
      finer.push_back(cell);
      finer.push_back(cell);
    }
    cells_.swap(finer);
    --shift_;
  }
}

}  // namespace simt
