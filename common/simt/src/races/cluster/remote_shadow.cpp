// Shared memory that other blocks of the cluster access.
#include <cstring>

#include "program/program.h"
#include "races/shared_shadow.h"

namespace simt {
namespace {

// Calls use(offset, size) for each part that belongs to a block. The runtime's own variables lie between the parts.
template <typename Use>
void for_each_array(size_t dynamic_offset, size_t dynamic_bytes, Use use) {
  for (const TlsSymbol& symbol : tls_symbols()) {
    if (symbol.shared || symbol.guard) {
      use(symbol.offset, symbol.size);
    }
  }
  use(dynamic_offset, dynamic_bytes);
}

}  // namespace

void SharedShadow::end_turn() {
  image_.resize(size_);
  for_each_array(cells_.dynamic_offset(), dynamic_bytes_, [&](size_t offset, size_t size) {
    std::memcpy(image_.data() + offset, memory() + offset, size);
  });
}

void SharedShadow::begin_turn() {
  image_.resize(size_);
  for_each_array(cells_.dynamic_offset(), dynamic_bytes_, [&](size_t offset, size_t size) {
    std::memcpy(memory() + offset, image_.data() + offset, size);
  });
}

void SharedShadow::end_block() {
  last_reads_.end();
  remote_.end_block([&](size_t offset) {
    for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + 4); ++cell) {
      *cell = ShadowCell();
    }
  });
}

void SharedShadow::remote_access(const ThreadView& seen, const RemoteAccess& who, size_t offset,
                                 unsigned size, Access access) {
  if (size < 1u << cells_.shift() && !split_words(seen, offset, size)) {
    return;
  }
  const bool reads = access == Access::Load || access == Access::MatrixLoad;
  const unsigned step = 1u << cells_.shift();
  if (!reads) {
    tell_products(seen, offset, size, who.site);
  }
  for (size_t at = offset; at < offset + size; at += step) {
    ShadowCell& cell = *cells_.at(at);
    if (reads) {
      check_read(seen, cell, at, who.site);
      std::vector<RemoteAccess>& all = remote_.reads(at);
      size_t i = 0;
      for (; i < all.size() && all[i].party != who.party; ++i) {
      }
      i == all.size() ? all.push_back(who) : void(all[i] = who);
      cell.read = ShadowCell::kRemote;
      cell.who |= kThreadBits << 10 | kThreadBits << 20;
    } else if (check_write(seen, cell, at, who.site, access == Access::Atomic)) {
      remote_.add_write(at, who);
      cell.written = ShadowCell::kRemote;
      cell.write_site = uint16_t(who.site);
      set_writer(cell, kThreadBits, kSlow);
    }
  }
}

void SharedShadow::report_remote(const RemoteAccess& other, const char* what, size_t offset,
                                 uint32_t site, const char* other_what) {
  findings_.report_pair(ErrorKind::SharedRace, place_of(site),
                        std::string(what) + " " + name(offset) +
                            " with no barrier of the cluster, and no wait for a phase, since a "
                            "thread of another block " +
                            other_what + " it",
                        {place_of(other.site), other.thread, other.block}, other_what,
                        element(offset, site));
}

// Before a write: checks other blocks' accesses to the cell, then forgets them. True if the last write was one of
// theirs.
bool SharedShadow::settle_remote(const ThreadView& now, ShadowCell& cell, size_t offset,
                                 uint32_t site, bool atomic) {
  const bool written = cell.written == ShadowCell::kRemote;
  const RemoteAccess* const write = written ? remote_.write(offset_of(cell)) : nullptr;
  if (write != nullptr && !write->happens_before(now) && !(atomic && write->atomic)) {
    report_remote(*write, "writes", offset, site, "wrote");
  }
  if (cell.read == ShadowCell::kRemote) {
    std::vector<RemoteAccess>& reads = remote_.reads(offset_of(cell));
    for (const RemoteAccess& read : reads) {
      if (!read.happens_before(now)) {
        report_remote(read, "writes", offset, site, "read");
        break;
      }
    }
    reads.clear();
  }
  if (written) {
    cell.written = now.block_begin;
    cell.who &= ~kWriterMask;
    set_writer(cell, now.thread & kThreadBits);
  }
  return written;
}

}  // namespace simt
