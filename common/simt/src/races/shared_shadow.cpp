#include "races/shared_shadow.h"

#include <algorithm>
#include <set>
#include <utility>

#include "program/program.h"
#include "races/races.h"

namespace simt {
namespace {

constexpr unsigned kSomeThread = ~0u;  // a thread whose number the shadow has not kept

// The compiler's and the runtime's variables between the shared arrays: guards, and threadIdx and the like, which
// kernels only read.
bool is_own_variable(size_t offset, bool write) {
  static const std::set<std::string> builtins = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  for (const TlsSymbol& symbol : tls_symbols()) {
    if (!symbol.shared && offset - symbol.offset < symbol.size) {
      return symbol.guard || (!write && builtins.count(symbol.name) != 0);
    }
  }
  return false;
}

const char* past_of(const std::string& does) {
  return does == "reads" ? "read" : does == "updates" ? "updated" : "wrote";
}

const char* present_of(const std::string& did) {
  return did == "read" ? "reads" : did == "updated" ? "updates" : "writes";
}

// Why an access to a word that an asynchronous copy is to fill is wrong. own: of the running thread's copy.
std::string not_arrived(const ThreadView& now, unsigned copier, bool own, size_t offset,
                        bool write) {
  const Copies& copies = Recorder::running->copies();
  const bool known = now.vector_clock == nullptr && copier != kSomeThread;
  if (write && own && known) {
    return ", to which an earlier asynchronous copy is under way: it needs another buffer, or a "
           "wait before";
  }
  if (known && !own && copies.has_waited(now.thread, copier, offset)) {
    return " with no __syncthreads() since another thread's wait for its asynchronous copy";
  }
  if (known && !copies.is_committed(copier, offset)) {
    return ", whose asynchronous copy has not been committed: no wait includes it";
  }
  return std::string(" before its asynchronous copy has been waited for") +
         (own ? "" : " and a __syncthreads() has followed") +
         (known ? copies.lacks(copier, offset) : "");
}

// Whether `did` is a store that a wait for cp.async completes.
bool is_copy(const Site& site, const char* did) {
  return did[0] == 'w' && site.access == Access::AsyncStore;
}

}  // namespace

SharedShadow::SharedShadow(const void* dynamic_shared, Findings& findings)
    : begin_(tls_begin()),
      size_(tls_size()),
      cells_(size_, reinterpret_cast<uintptr_t>(dynamic_shared) - begin_),
      findings_(findings) {}

void SharedShadow::begin_launch(size_t dynamic_bytes, bool epochs_over) {
  if (epochs_over) {
    cells_.reset();
    last_reads_.forget();
  }
  cells_.set_dynamic(dynamic_bytes);
  dynamic_bytes_ = dynamic_bytes;
  noted_.clear();
  weak_.clear();
}

SharedShadow::Named SharedShadow::named(size_t offset) const {
  const size_t dynamic = cells_.dynamic_offset();
  Named named{"shared memory", 0, 0};
  if (offset - dynamic < kSharedLimit) named = {"dynamic shared memory", dynamic, dynamic_bytes_};
  for (const TlsSymbol& symbol : tls_symbols()) {
    if (symbol.shared && offset >= symbol.offset &&
        (offset < symbol.offset + symbol.size || named.begin == 0)) {
      const size_t colon = symbol.name.rfind("::");
      named = {colon == std::string::npos ? symbol.name : symbol.name.substr(colon + 2),
               symbol.offset, symbol.size};
    }
  }
  return named;
}

std::string SharedShadow::name(size_t offset) const {
  const Named array = named(offset);
  return array.name + " + " + std::to_string(offset - array.begin) + " bytes" + findings_.whose();
}

unsigned SharedShadow::alignment(size_t offset) const {
  const unsigned low = unsigned(offset & -offset) & 127;
  const unsigned promised = cells_.alignment(offset);
  return low != 0 && low < promised ? low : promised;
}

void SharedShadow::weakly_aligned(const RawPlace& place, const std::string& does, size_t offset,
                                  unsigned bytes, const RawElement& element) const {
  const std::string number = std::to_string(bytes);
  const std::string text = does + " that need not begin at a multiple of " + number +
                           ": declare it alignas(" + number + ")";
  if (bytes <= cells_.packed_alignment(offset)) {
    return findings_.note(ErrorKind::Misaligned, place, text + "; nvcc happens to align it",
                          element);
  }
  if (!weak_.insert(named(offset).begin).second) return;  // one declaration, one error
  const TlsSymbol* const array = shared_symbol(offset);
  const size_t past = array != nullptr ? array->packed.value_or(0) % bytes : 0;
  findings_.report(
      ErrorKind::Misaligned, place,
      text + (past != 0 ? "; nvcc places it " + std::to_string(past) + " bytes past such a multiple"
                        : ""),
      element);
}

// An access by an instruction whose size the array's declaration does not promise.
void SharedShadow::weakly_aligned(size_t offset, unsigned size, uint32_t site) {
  if (size <= cells_.packed_alignment(offset)) {
    noted_.resize(std::max<size_t>(noted_.size(), site + 1));
    if (noted_[site]) return;
    noted_[site] = true;
  }
  weakly_aligned(place_of(site),
                 std::string(verb_of(Sites::get().at(site).access)) + " " + std::to_string(size) +
                     " bytes of " + name(offset) + ", an array",
                 offset, size, element(offset, site));
}

// Races with a copy, and races between blocks of a cluster. False if this is neither.
bool SharedShadow::report_unordered(const ThreadView& now, const char* what, size_t offset,
                                    uint32_t site, const char* other_what, uint32_t other_site,
                                    unsigned other_thread) {
  if (now.vector_clock != nullptr && other_thread >= threads_ && other_thread != kSomeThread) {
    findings_.report_pair(ErrorKind::AsyncNotWaited, place_of(site),
                          std::string(what) + " " + name(offset) +
                              " without a wait for the phase that its copy completes",
                          place_of(other_site), kSomeThread, "copied", element(offset, site));
    return true;
  }
  if (now.thread == HappensBefore::kElsewhere) {
    findings_.report_pair(ErrorKind::SharedRace, place_of(site),
                          std::string(what) + " " + name(offset) +
                              " with no barrier of the cluster, and no wait for a phase at which "
                              "it has arrived, since another thread " +
                              other_what + " it",
                          place_of(other_site), other_thread, other_what, element(offset, site));
    return true;
  }
  return false;
}

void SharedShadow::report_race(const ThreadView& now, const char* what, size_t offset,
                               uint32_t site, const char* other_what, uint32_t other_site,
                               unsigned other_thread, uint32_t read_site) {
  const RawPlace here = place_of(site), other = place_of(other_site);
  if (findings_.list().has_many(ErrorKind::SharedRace, here, other)) return;
  if (report_unordered(now, what, offset, site, other_what, other_site, other_thread)) return;
  const bool has_vector_clocks = now.vector_clock != nullptr;
  const bool neighbours = other_thread / 32 == now.thread / 32 && !has_vector_clocks;
  const Site &mine = Sites::get().at(site), &others = Sites::get().at(other_site);
  const bool plain = mine.access == Access::Store && others.access == Access::Store;
  const bool copies = !has_vector_clocks && (is_copy(mine, what) || is_copy(others, other_what));
  const bool stores = (plain || (copies && what[0] == 'w')) && other_what[0] == 'w';
  const std::string text =
      stores ? stores_too(name(offset)) : std::string(what) + " " + name(offset);
  const auto between = [&](const char* did) {
    return std::string(" with no __syncthreads()") + (neighbours ? " or __syncwarp()" : "") +
           (stores                    ? " between"
            : copies && did[0] == 'w' ? " since another thread's wait for its asynchronous copy"
                                      : std::string(" since another thread ") + did + " it") +
           (has_vector_clocks ? ", and no wait for a phase at which it has arrived since" : "");
  };
  RawError error =
      findings_.pair(ErrorKind::SharedRace, here, text, other, other_thread,
                     copies && other_what[0] == 'w' ? "copied" : other_what, element(offset, site));
  error.here.reads = what[0] == 'r';
  error.other.reads = other_what[0] == 'r';
  error.between = between(other_what);
  error.in_order = !has_vector_clocks;
  if (stores && !plain) {
    return findings_.add(std::move(error));
  }
  if (stores) {
    error.read = read_site != 0 ? Sites::get().at(read_site).pc : nullptr;
    return findings_.add_store(std::move(error), pointer(offset), mine.size);
  }
  // The message begins with the access that comes last in the program, even if the other one ran later here.
  const AccessLog::First first =
      has_vector_clocks || other_thread == kSomeThread
          ? AccessLog::First::kThere
          : Recorder::running->log().first_in_program(site, other_site, other_thread);
  if (first != AccessLog::First::kThere) {
    RawError exchanged = error;
    std::swap(exchanged.here, exchanged.other);
    exchanged.what = std::string(present_of(other_what)) + " " + name(offset);
    exchanged.other_what = copies && what[0] == 'w' ? "copied" : past_of(what);
    exchanged.between = between(past_of(what));
    if (first == AccessLog::First::kHere) {
      error = std::move(exchanged);
    } else {
      error.exchanged = std::make_shared<RawError>(std::move(exchanged));
    }
  }
  findings_.add(std::move(error));
}

// An access to thread-local memory that is no shared array. Returns if it is harmless.
void SharedShadow::not_shared(size_t offset, uint32_t site, Access access) {
  if (!is_own_variable(offset, access != Access::Load)) {
    const Named array = named(offset);
    const std::string size =
        array.begin == 0 ? ""
        : array.begin == cells_.dynamic_offset()
            ? " (the launch requests " + std::to_string(array.size) + " bytes)"
            : " (" + array.name + " has " + std::to_string(array.size) + " bytes)";
    findings_.report_and_abandon(
        ErrorKind::SharedOutOfBounds, place_of(site),
        std::string(verb_of(access)) + " " + std::to_string(Sites::get().at(site).size) +
            " bytes outside of all shared arrays, at " + name(offset) + size,
        element(offset, site));
  }
}

// For an access smaller than a cell: splits the cells, unless this is no shared memory.
bool SharedShadow::split_words(const ThreadView& now, size_t offset, unsigned size) {
  if (!is_array(offset) && is_own_variable(offset, true)) {
    return false;
  }
  unsigned shift = cells_.shift();
  cells_.refine(size);
  for (; shift > cells_.shift() && last_reads_.active(); --shift) {
    last_reads_.split_cells();
    own_reads_ = last_reads_.of(now.thread == HappensBefore::kElsewhere ? 0 : now.thread);
  }
  return true;
}

// Handles cells that are no shared memory or that wait for a copy. Returns true if no other check is needed.
bool SharedShadow::unsettled(const ThreadView& now, const ShadowCell& cell, size_t offset,
                             uint32_t site, bool write) {
  const std::string does = write ? "writes " : "reads ";
  if (cell.written == ShadowCell::kInvalid) {
    not_shared(offset, site, write ? Access::Store : Access::Load);
  } else if (cell.written == ShadowCell::kPending) {
    if (findings_.list().has_many(ErrorKind::AsyncNotWaited, place_of(site),
                                  place_of(cell.write_site))) {
      return true;
    }
    const unsigned copier = writer_of(cell) == kThreadBits ? kSomeThread : writer_of(cell);
    const bool own = copier == now.thread || copier == kSomeThread || now.vector_clock != nullptr;
    if (!own && !write &&
        Recorder::running->log().first_in_program(site, cell.write_site, copier) ==
            AccessLog::First::kHere) {
      report_race(now, "reads", offset, site, "wrote", cell.write_site, copier);
      return true;
    }
    RawError error =
        findings_.pair(ErrorKind::AsyncNotWaited, place_of(site),
                       does + name(offset) + not_arrived(now, copier, own, offset, write),
                       place_of(cell.write_site), copier, "copied", element(offset, site));
    error.in_order = now.vector_clock == nullptr;
    error.here.reads = !write;
    findings_.add(std::move(error));
  } else if (cell.written == ShadowCell::kBarrier) {
    findings_.report_pair(
        ErrorKind::BadArgument, place_of(site), does + name(offset) + ", where an mbarrier lies",
        place_of(cell.write_site), writer_of(cell), "initialised it", element(offset, site));
  } else {
    return false;
  }
  return true;
}

bool SharedShadow::lacks_value(const ThreadView& now, size_t offset, unsigned size) const {
  const ShadowCell* const end = cells_.at(offset + size - 1) + 1;
  return std::all_of(cells_.at(offset), end,
                     [&](const ShadowCell& cell) { return cell.written < now.block_begin; });
}

void SharedShadow::check_read(const ThreadView& now, ShadowCell& cell, size_t offset,
                              uint32_t site) {
  if (cell.written == ShadowCell::kRemote) {
    const RemoteAccess* const other = remote_.write(offset_of(cell));
    if (other != nullptr && !other->happens_before(now)) {
      report_remote(*other, "reads", offset, site, "wrote");
    }
    return;
  }
  if (unsettled(now, cell, offset, site, false)) {
    return;
  }
  if (cell.written < now.block_begin) {
    const size_t begin = offset_of(cell);
    if (is_padding(begin, 1u << cells_.shift())) return;
    findings_.report(ErrorKind::UninitializedShared, place_of(site),
                     "reads " + name(offset) + ", which no thread of this block has written",
                     element(offset, site));
    return;
  }
  const unsigned writer = writer_of(cell);
  if (cell.written < now.clock.interval_begin) {
    return;
  }
  if (writer != now.thread && !now.happens_before(writer, cell.written)) {
    report_race(now, "reads", offset, site, "wrote", cell.write_site, writer);
  } else if ((cell.who & kMany) != 0) {
    report_race(now, "reads", offset, site, "updated", cell.write_site, kSomeThread);
  }
}

// Checks a write. False if the cell must not change.
bool SharedShadow::check_write(const ThreadView& now, ShadowCell& cell, size_t offset,
                               uint32_t site, bool atomic) {
  if (unsettled(now, cell, offset, site, true)) {
    return false;
  }
  const bool remote = settle_remote(now, cell, offset, site, atomic);
  const unsigned writer = writer_of(cell);
  const bool both_atomic = atomic && (cell.who & kSlow) != 0;
  if (cell.written >= now.clock.interval_begin && !both_atomic && !remote) {
    if (writer != now.thread && !now.happens_before(writer, cell.written)) {
      const bool has_read = cell.read >= now.clock.interval_begin &&
                            (reader_of(cell) == now.thread || other_reader_of(cell) == now.thread);
      report_race(now, "writes", offset, site, "wrote", cell.write_site, writer,
                  has_read ? cell.read_site : 0);
    } else if ((cell.who & kMany) != 0) {
      report_race(now, "writes", offset, site, "updated", cell.write_site, kSomeThread);
    }
  }
  if (cell.read >= now.clock.interval_begin && own_reads_ != nullptr) {
    // A later write that is not ordered after these reads races with this write, too. So this write ends them.
    if (check_last_reads(now, cell, offset, site) && !atomic && now.locked == nullptr)
      cell.read = 0;
  } else if (cell.read >= now.clock.interval_begin) {
    for (unsigned reader : {reader_of(cell), other_reader_of(cell)}) {
      if (reader != now.thread && !now.happens_before(reader, cell.read)) {
        report_race(now, "writes", offset, site, "read", cell.read_site, reader);
        break;
      }
    }
  }
  return true;
}

// Checks a write against the reads of this interval. If one thread made all of them, or if each happens before the
// next, the last reader is the only one that matters. Returns true if all reads happen before the write.
bool SharedShadow::check_last_reads(const ThreadView& now, const ShadowCell& cell, size_t offset,
                                    uint32_t site) {
  const unsigned reader = reader_of(cell);
  if (reader == other_reader_of(cell) && now.locked == nullptr &&
      (reader == now.thread || now.happens_before(reader, cell.read))) {
    return true;
  }
  const size_t at = size_t(&cell - cells_.begin());
  for (unsigned t = 0; t < threads_; ++t) {
    const ReadEpoch read = last_reads_.of(t)[at];
    if (t != now.thread && read.epoch >= now.last_barrier && !now.happens_before(t, read.epoch)) {
      report_race(now, "writes", offset, site, "read", read.site, t);
      return false;
    }
  }
  return true;
}

void SharedShadow::initialize(const ThreadView& now, size_t offset, unsigned size) {
  for (ShadowCell* cell = cells_.at(offset); cell != cells_.at(offset + size - 1) + 1; ++cell) {
    if (cell->written < now.block_begin) {
      cell->written = now.block_begin;
      set_writer(*cell, now.thread);
    }
  }
}

// An atomic operation.
void SharedShadow::update(const ThreadView& now, ShadowCell& cell, size_t offset, uint32_t site) {
  if (!check_write(now, cell, offset, site, true)) {
    return;
  }
  if (cell.written < now.block_begin) {
    findings_.report(ErrorKind::UninitializedShared, place_of(site),
                     "updates " + name(offset) + ", which no thread of this block has written",
                     element(offset, site));
  }
  uint32_t flags = kSlow;
  if (cell.written >= now.clock.interval_begin) {
    const bool own = writer_of(cell) == now.thread;
    if (own && (cell.who & kSlow) == 0) {
      flags = 0;  // other threads' updates can still race with this thread's plain write
    } else if (!own || (cell.who & kMany) != 0) {
      flags |= kMany;
    }
  }
  cell.written = now.clock.epoch;
  cell.write_site = uint16_t(site);
  set_writer(cell, now.thread, flags);
}

// The read vectors start with the reads since the last __syncthreads().
void SharedShadow::keep_vector_clocks(const ThreadView& now, unsigned threads) {
  threads_ = threads;
  last_reads_.begin(threads, cells_.count());
  for (size_t i = 0; i < cells_.count(); ++i) {
    const ShadowCell& cell = cells_.begin()[i];
    if (cell.read >= now.last_barrier) {
      last_reads_.of(reader_of(cell))[i] = {cell.read, cell.read_site};
      last_reads_.of(other_reader_of(cell))[i] = {cell.read, cell.read_site};
    }
  }
  own_reads_ = last_reads_.of(now.thread);
}

size_t SharedShadow::touched_static(uint32_t begin) const {
  const auto touched = [begin](const ShadowCell& cell) {
    return (cell.written >= begin && cell.written != ShadowCell::kInvalid) || cell.read >= begin;
  };
  size_t bytes = 0;
  for (const TlsSymbol& symbol : tls_symbols()) {
    const ShadowCell* const end = cells_.at(symbol.offset + symbol.size);
    for (const ShadowCell* cell = cells_.at(symbol.offset); symbol.shared && cell != end; ++cell) {
      if (touched(*cell)) {
        bytes += symbol.size;
        break;
      }
    }
  }
  return bytes;
}

}  // namespace simt
