// The states of a shared word while an asynchronous copy (cp.async or TMA) writes or reads it.
#include "races/bulk/product_reads.h"
#include "races/shared_shadow.h"

namespace simt {

void SharedShadow::begin_copy(const ThreadView& now, size_t offset, unsigned size, uint32_t site) {
  if (size > cells_.alignment(offset)) {
    weakly_aligned(offset, size, site);
  }
  tell_products(now, offset, size, site);
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + size); ++cell) {
    if (check_write(now, *cell, offset, site, false)) {
      cell->written = ShadowCell::kPending;
      set_writer(*cell, now.thread, kSlow);
      cell->write_site = uint16_t(site);
    }
  }
}

void SharedShadow::end_copy(const ThreadView& now, size_t offset, unsigned size) {
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + size); ++cell) {
    if (cell->written == ShadowCell::kPending) {
      cell->written = now.clock.epoch;
      set_writer(*cell, now.thread);
    }
  }
}

void SharedShadow::drop_copy(size_t offset, unsigned size) {
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + size); ++cell) {
    if (cell->written == ShadowCell::kPending) {
      *cell = ShadowCell();
    }
  }
}

bool SharedShadow::is_all_array(size_t offset, size_t size) const {
  return offset + size <= size_ &&
         std::none_of(cells_.at(offset), cells_.at(offset + size - 1) + 1,
                      [](const ShadowCell& cell) { return cell.written == ShadowCell::kInvalid; });
}

void SharedShadow::begin_bulk(const ThreadView& now, size_t offset, size_t size, uint32_t site) {
  tell_products(now, offset, size, site);
  ShadowCell* const end = cells_.at(offset + size);
  size_t at = offset;
  bool right = true;  // one finding for a copy is enough
  for (ShadowCell* cell = cells_.at(offset); cell != end;
       ++cell, at += size_t(1) << cells_.shift()) {
    const bool quiet =
        cell->written < now.clock.interval_begin && cell->read < now.clock.interval_begin;
    if (!quiet && right) {
      const size_t before = findings_.list().count();
      check_write(now, *cell, at, site, false);
      right = findings_.list().count() == before;
    }
    if (cell->written != ShadowCell::kBarrier) {
      cell->written = ShadowCell::kPending;
      set_writer(*cell, now.thread & kThreadBits, kSlow);
      cell->write_site = uint16_t(site);
    }
  }
}

void SharedShadow::end_bulk(size_t offset, size_t size, uint32_t epoch, uint32_t channel) {
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + size); ++cell) {
    if (cell->written == ShadowCell::kPending) {
      cell->written = epoch;
      set_writer(*cell, channel);
    }
  }
}

void SharedShadow::drop_bulk(size_t offset, size_t size) {
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + size); ++cell) {
    if (cell->written == ShadowCell::kPending) {
      *cell = ShadowCell();
    }
  }
}

void SharedShadow::async_read(const HappensBefore& order, size_t offset, size_t size, uint32_t site,
                              const char* who) {
  size_t at = offset;
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + size);
       ++cell, at += size_t(1) << cells_.shift()) {
    const size_t before = findings_.list().count();
    read(order.now(), *cell, at, site);
    if (findings_.list().count() != before || unfenced(order, *cell, at, site, who)) {
      return;
    }
  }
}

bool SharedShadow::check_async(const HappensBefore& order, size_t offset, size_t size,
                               uint32_t site, const char* who, Settled& settled) {
  size_t at = offset;
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + size);
       ++cell, at += size_t(1) << cells_.shift()) {
    const uint32_t writer = cell->who & kWriterMask;
    if (cell->written == settled.written && writer == settled.writer) {
      continue;
    }
    const size_t before = findings_.list().count();
    check_read(order.now(), *cell, at, site);
    if (findings_.list().count() != before || unfenced(order, *cell, at, site, who)) {
      return false;
    }
    settled = {cell->written, writer};
  }
  return true;
}

bool SharedShadow::check_unwritten(const HappensBefore& order, size_t offset, size_t size,
                                   uint32_t epoch, uint32_t site) {
  size_t at = offset;
  for (const ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + size);
       ++cell, at += size_t(1) << cells_.shift()) {
    if (cell->written >= epoch) {
      const bool known =
          cell->written < ShadowCell::kRemote && writer_of(*cell) < order.space().threads;
      findings_.report_pair(
          ErrorKind::AsyncNotWaited, place_of(site),
          "lets TMA read " + name(at) + ", which is overwritten before cp.async.bulk.wait_group",
          place_of(cell->write_site), known ? writer_of(*cell) : ~0u, "wrote it",
          element(at, site));
      return false;
    }
  }
  return true;
}

void SharedShadow::tell_products(const ThreadView& now, size_t offset, size_t size, uint32_t site) {
  if (products_ != nullptr) {
    products_->write(now, offset, size, site);
  }
}

// True if neither the writer, after its write, nor the thread that starts the read has executed a proxy fence.
bool SharedShadow::unfenced(const HappensBefore& order, const ShadowCell& cell, size_t offset,
                            uint32_t site, const char* who) {
  const unsigned writer = writer_of(cell);
  if (writer >= order.space().threads || cell.written < order.now().block_begin ||
      order.fenced(writer) > cell.written || order.fenced(order.now().thread) > cell.written) {
    return false;
  }
  findings_.report_pair(ErrorKind::MissingFence, place_of(site),
                        std::string("lets ") + who + " read " + name(offset) +
                            ", with no fence.proxy.async since a thread wrote it",
                        place_of(cell.write_site), writer, "wrote it", element(offset, site));
  return true;
}

}  // namespace simt
