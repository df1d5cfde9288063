// Accesses to shared memory that are wrong or that need a closer look: races, uninitialised words.
#include <set>
#include <string>

#include "common/simt/memory/recorder_inline.h"
#include "common/simt/program/program.h"

namespace simt {
namespace {

constexpr unsigned kSomeThread = ~0u;  // one that has not been kept

// The compiler's and the runtime's variables beside the shared arrays: guards, and threadIdx and its
// like, which kernels only read.
bool is_own_variable(size_t offset, bool write) {
  static const std::set<std::string> builtins = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  for (const TlsSymbol& symbol : tls_symbols()) {
    if (!symbol.shared && offset - symbol.offset < symbol.size) {
      return symbol.guard || (!write && builtins.count(symbol.name) != 0);
    }
  }
  return false;
}

}  // namespace

RawPlace Recorder::place_of(uint32_t site) const {
  RawPlace place;
  place.pc = Sites::get().at(site).pc;
  return place;
}

RawPlace Recorder::place_of(const Stop& stop) {
  RawPlace place;
  place.file = stop.file;
  place.line = stop.line;
  return place;
}

void Recorder::report(ErrorKind kind, const RawPlace& here, const std::string& what) {
  if (errors_.is_new(kind, here, RawPlace())) {
    RawError error;
    error.kind = kind;
    error.what = what;
    error.here = {here, tid_, worker_.block()};
    errors_.add(std::move(error));
  }
}

void Recorder::report_and_abandon(ErrorKind kind, const RawPlace& here, const std::string& what) {
  report(kind, here, what);
  worker_.abandon();
}

void Recorder::report_pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                           const RawPlace& other, unsigned other_thread,
                           const std::string& other_what) {
  if (errors_.is_new(kind, here, other)) {
    RawError error;
    error.kind = kind;
    error.what = what;
    error.here = {here, tid_, worker_.block()};
    error.has_other = true;
    error.other = {other, other_thread, worker_.block()};
    error.other_what = other_what;
    errors_.add(std::move(error));
  }
}

std::string Recorder::shared_name(size_t offset) const {
  const size_t dynamic = reinterpret_cast<uintptr_t>(worker_.dynamic_shared()) - tls_begin_;
  std::string name = "shared memory";
  size_t begin = 0;
  if (offset - dynamic < kSharedLimit) {
    name = "dynamic shared memory";
    begin = dynamic;
  }
  for (const TlsSymbol& symbol : tls_symbols()) {
    if (symbol.shared && offset >= symbol.offset) {
      if (offset < symbol.offset + symbol.size || begin == 0) {
        const size_t colon = symbol.name.rfind("::");
        name = colon == std::string::npos ? symbol.name : symbol.name.substr(colon + 2);
        begin = symbol.offset;
      }
    }
  }
  return name + " + " + std::to_string(offset - begin) + " bytes";
}

void Recorder::report_race(const char* what, uint32_t site, size_t offset, const char* other_what,
                           uint32_t other_site, unsigned other_thread) {
  const bool neighbours = other_thread / 32 == tid_ / 32 && !order_.active();
  std::string text = std::string(what) + " " + shared_name(offset) + " with no __syncthreads()" +
                     (neighbours ? " or __syncwarp()" : "") + " since another thread " +
                     other_what + " it";
  if (order_.active()) {
    text += ", and no wait for a phase at which it has arrived since";
  }
  report_pair(ErrorKind::SharedRace, place_of(site), text, place_of(other_site), other_thread,
              std::string(other_what));
}

// Whether an access of this interval came before a __syncwarp() of both threads, or before a phase of a
// split barrier at which the other arrived, and for which this one has waited.
bool Recorder::ordered(unsigned thread, uint32_t stamp) {
  if (order_.active() && thread < worker_.thread_count() && stamp < order_.known(tid_)[thread]) {
    return true;
  }
  if (thread / 32 != tid_ / 32) {
    return false;
  }
  return stamp < now_.warp_stamp ||
         (stamp < now_.partial_stamp && (now_.partial_mask >> thread % 32 & 1) != 0);
}

// Thread-local memory that is no shared array. Returns if the access is harmless.
void Recorder::not_shared(uint32_t site, size_t offset, Access access) {
  if (!is_own_variable(offset, access != Access::Load)) {
    report_and_abandon(ErrorKind::SharedOutOfBounds, place_of(site),
                       std::string(verb_of(access)) + " " +
                           std::to_string(Sites::get().at(site).size) +
                           " bytes outside of all shared arrays, at " + shared_name(offset));
  }
}

// Accesses smaller than a cell: makes cells smaller, unless this is no shared memory at all.
bool Recorder::split_words(size_t offset, unsigned size) {
  if (cells_[offset >> shift_].written == Cell::kInvalid && is_own_variable(offset, true)) {
    return false;
  }
  shared_->refine(size);
  for (; shift_ > shared_->shift(); --shift_) {
    if (order_.active()) {
      order_.split_cells();
      reads_ = order_.reads(tid_);
    }
  }
  cells_ = shared_->cells();
  return true;
}

// Handles cells that are no memory or wait for a copy. True if the access is done with.
bool Recorder::unsettled(const Cell& cell, uint32_t site, size_t offset, bool write) {
  if (cell.written == Cell::kInvalid) {
    not_shared(site, offset, write ? Access::Store : Access::Load);
    return true;
  }
  if (cell.written == Cell::kPending) {
    report_pair(ErrorKind::AsyncNotWaited, place_of(site),
                std::string(write ? "writes " : "reads ") + shared_name(offset) +
                    " before its asynchronous copy has been waited for",
                place_of(cell.write_site), writer_of(cell), "copied");
    return true;
  }
  if (cell.written == Cell::kBarrier) {
    report_pair(ErrorKind::BadArgument, place_of(site),
                std::string(write ? "writes " : "reads ") + shared_name(offset) +
                    ", where a split barrier lies",
                place_of(cell.write_site), writer_of(cell), "initialised it");
    return true;
  }
  return false;
}

void Recorder::check_read(Cell& cell, uint32_t site, size_t offset) {
  if (unsettled(cell, site, offset, false)) {
    return;
  }
  if (cell.written < block_begin_) {
    report(ErrorKind::UninitializedShared, place_of(site),
           "reads " + shared_name(offset) + ", which no thread of this block has written");
    return;
  }
  const unsigned writer = writer_of(cell);
  if (cell.written < interval_begin_) {
    return;
  }
  if (writer != tid_ && !ordered(writer, cell.written)) {
    report_race("reads", site, offset, "wrote", cell.write_site, writer);
  } else if ((cell.who & kMany) != 0) {
    report_race("reads", site, offset, "updated", cell.write_site, kSomeThread);
  }
}

// False if the cell must stay as it is.
bool Recorder::check_write(Cell& cell, uint32_t site, size_t offset, bool atomic) {
  if (unsettled(cell, site, offset, true)) {
    return false;
  }
  const unsigned writer = writer_of(cell);
  const bool both_atomic = atomic && (cell.who & kSlow) != 0;
  if (cell.written >= interval_begin_ && !both_atomic) {
    if (writer != tid_ && !ordered(writer, cell.written)) {
      report_race("writes", site, offset, "wrote", cell.write_site, writer);
    } else if ((cell.who & kMany) != 0) {
      report_race("writes", site, offset, "updated", cell.write_site, kSomeThread);
    }
  }
  if (cell.read >= interval_begin_ && reads_ != nullptr) {
    check_last_reads(cell, site, offset);
  } else if (cell.read >= interval_begin_) {
    for (unsigned reader : {reader_of(cell), other_reader_of(cell)}) {
      if (reader != tid_ && !ordered(reader, cell.read)) {
        report_race("writes", site, offset, "read", cell.read_site, reader);
        break;
      }
    }
  }
  return true;
}

void Recorder::atomic_cell(Cell& cell, uint32_t site, size_t offset) {
  if (!check_write(cell, site, offset, true)) {
    return;
  }
  if (cell.written < block_begin_) {
    report(ErrorKind::UninitializedShared, place_of(site),
           "updates " + shared_name(offset) + ", which no thread of this block has written");
  }
  uint32_t flags = kSlow;
  if (cell.written >= interval_begin_) {
    const bool own = writer_of(cell) == tid_;
    if (own && (cell.who & kSlow) == 0) {
      flags = 0;  // this thread's plain write still has to be told from others' updates
    } else if (!own || (cell.who & kMany) != 0) {
      flags |= kMany;
    }
  }
  cell.written = now_.stamp;
  cell.write_site = uint16_t(site);
  cell.who = (cell.who & ~kWriterMask) | tid_ | flags;
}

// The source is checked here; the destination is on its way until end_copy().
void Recorder::begin_copy(const AsyncCopy& copy, const void* pc) {
  const char* at = static_cast<const char*>(pc);
  const unsigned size = copy.size, bytes = size - copy.zfill;
  const uint32_t load = Sites::get().number(at, 0, Access::AsyncLoad, size);
  const uint32_t store = Sites::get().number(at, 1, Access::AsyncStore, size);
  const uintptr_t from = reinterpret_cast<uintptr_t>(copy.global);
  const size_t to = reinterpret_cast<uintptr_t>(copy.shared) - tls_begin_;
  if (bytes > 0 && from - arena_ >= arena_size_) {
    begins_early(from, Access::AsyncLoad, load);
  }
  if (to >= tls_size_ || (bytes > 0 && from - arena_ >= arena_size_)) {
    report_and_abandon(ErrorKind::BadArgument, place_of(store),
                       "copies asynchronously, but not from global to shared memory");
  }
  if (to % size != 0 || (bytes > 0 && from % size != 0)) {
    misaligned(to % size != 0 ? to : from, size, to % size != 0 ? store : load);
  }
  if (bytes > 0) {
    check_global(from, bytes, Access::AsyncLoad, load);
  }
  log(entry::access(load, false, bytes > 0 ? from - arena_ : kNoAddress));
  check_alignment(to, size, store);
  for (size_t i = to >> shift_; i < (to + size) >> shift_; ++i) {
    if (check_write(cells_[i], store, to, false)) {
      cells_[i].written = Cell::kPending;
      cells_[i].who = (cells_[i].who & ~kWriterMask) | tid_ | kSlow;
      cells_[i].write_site = uint16_t(store);
    }
  }
  log(entry::access(store, true, to));
}

void Recorder::end_copy(const AsyncCopy& copy) {
  const size_t to = reinterpret_cast<uintptr_t>(copy.shared) - tls_begin_;
  for (size_t i = to >> shift_; i < (to + copy.size) >> shift_; ++i) {
    if (cells_[i].written == Cell::kPending) {
      cells_[i].written = now_.stamp;
      cells_[i].who = (cells_[i].who & ~kWriterMask) | tid_;
    }
  }
}

}  // namespace simt
