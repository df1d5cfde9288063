#include "races/findings.h"

#include <csignal>
#include <cstdio>
#include <utility>

#include "program/program.h"
#include "races/races.h"
#include "simt/api/tiles.h"

namespace simt {
namespace {

// The compiler fills variables that have no value with this byte.
bool has_no_value(uintptr_t pointer) {
  return pointer >> 32 == 0xfefefefe;
}

// An error of the running thread.
RawError error_of(ErrorKind kind, const RawPlace& here, const std::string& what,
                  const RawElement& element) {
  Worker& now = *Worker::current();
  RawError error;
  error.element = element;
  error.kind = kind;
  error.what = what;
  error.here = {here, now.running().id, now.block()};
  error.barriers = now.barriers();
  return error;
}

RawError error_of(ErrorKind kind, const RawPlace& here, const std::string& what,
                  const RawParty& other, const std::string& other_what, const RawElement& element) {
  RawError error = error_of(kind, here, what, element);
  error.has_other = true;
  error.other = other;
  error.other_what = other_what;
  return error;
}

}  // namespace

const char* verb_of(Access access) {
  switch (access) {
    case Access::Load:
    case Access::AsyncLoad:
    case Access::MatrixLoad:
    case Access::BulkLoad:
      return "reads";
    case Access::Atomic:
      return "updates";
    default:
      return "writes";
  }
}

RawPlace place_of(uint32_t site) {
  return RawPlace(Sites::get().at(site).pc);
}

std::string stores_too(const std::string& element) {
  return "stores " + element + ", which another thread stores as well";
}

void Findings::add(RawError error) {
  ErrorList& all = list();
  if (all.is_new(error.kind, error.here.place, error.other.place, error.note)) {
    all.add(std::move(error));
  }
}

ErrorList& Findings::list() {
  Worker& now = *Worker::current();
  return &now == &worker_ ? list_ : now.observer().errors();
}

std::string Findings::whose() const {
  if (Worker::current() == &worker_) {
    return "";
  }
  const uint3 at = worker_.block_index();
  return " of block (" + std::to_string(at.x) + "," + std::to_string(at.y) + "," +
         std::to_string(at.z) + ")";
}

void Findings::report(ErrorKind kind, const RawPlace& here, const std::string& what,
                      const RawElement& element) {
  add(error_of(kind, here, what + of_tile(), element));
}

std::string Findings::of_tile() const {
  if (tile_ == nullptr) return "";
  return std::string("; the tile's ") + (tile_->column_major ? "columns" : "rows") + " begin " +
         std::to_string(tile_->stride) + " elements apart (ldm)";
}

void Findings::note(ErrorKind kind, const RawPlace& here, const std::string& what,
                    const RawElement& element) {
  RawError error = error_of(kind, here, what, element);
  error.note = true;
  add(std::move(error));
}

void Findings::report_and_abandon(ErrorKind kind, const RawPlace& here, const std::string& what,
                                  const RawElement& element) {
  report(kind, here, what, element);
  tile_ = nullptr;
  Worker::current()->abandon();
}

void Findings::report_pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                           const RawPlace& other, unsigned other_thread,
                           const std::string& other_what, const RawElement& element) {
  report_pair(kind, here, what, {other, other_thread, worker_.block()}, other_what, element);
}

void Findings::report_pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                           const RawParty& other, const std::string& other_what,
                           const RawElement& element) {
  add(error_of(kind, here, what, other, other_what, element));
}

RawError Findings::pair(ErrorKind kind, const RawPlace& here, const std::string& what,
                        const RawPlace& other, unsigned other_thread, const std::string& other_what,
                        const RawElement& element) const {
  return error_of(kind, here, what, {other, other_thread, worker_.block()}, other_what, element);
}

void Findings::add_store(RawError error, const void* address, unsigned size) {
  const unsigned thread = Worker::current()->running().id;
  store_checks_.expect(thread, address, size,
                       [this, error = std::move(error)](bool changed) mutable {
                         error.note = !changed;
                         add(std::move(error));
                       });
}

void Findings::misaligned(uintptr_t address, unsigned size, uint32_t site) {
  const Access access = Sites::get().at(site).access;
  if (has_no_value(address)) elsewhere(address, size, access, site);
  std::string element;
  if (Arena::get().inside_one(reinterpret_cast<void*>(address), 1)) {
    const NamedPlace named = Names::get().place_of(address);
    for (const uint64_t i : named.index) element += "[" + std::to_string(i) + "]";
    if (!element.empty()) element = ": " + named.array + element;
  }
  const SharedShadow& shared = Recorder::running->shared();
  if (shared.contains(address)) element = ": " + shared.name(shared.offset(address));
  report_and_abandon(ErrorKind::Misaligned, place_of(site),
                     std::string(verb_of(access)) + " " + std::to_string(size) +
                         " bytes at an address that is " + std::to_string(address % size) +
                         " bytes past a multiple of " + std::to_string(size) + element);
}

void Findings::elsewhere(uintptr_t address, unsigned size, Access access, uint32_t site) {
  if (access == Access::Load && is_constant(address)) {
    return;
  }
  char text[160];
  std::snprintf(text, sizeof text, "%s %u bytes at 0x%zx, which is not device memory%s",
                verb_of(access), size, size_t(address),
                address < 4096          ? " (a null pointer)"
                : has_no_value(address) ? " (a pointer that was never given a value)"
                                        : " (host memory)");
  report_and_abandon(ErrorKind::InvalidAddress, place_of(site), text);
}

void Findings::fault(const Fault& fault, const RawPlace& last) {
  const bool in_program = fault.pc - reinterpret_cast<uintptr_t>(text_begin()) < text_size();
  RawPlace place = last;
  char text[160];
  const char* what = text;
  const auto* const at = reinterpret_cast<const char*>(fault.pc);
  if (fault.overflow) {
    // A kernel with too many local arrays stops at its beginning, before it reaches a line.
    const Function function = in_program ? function_at(at) : Function();
    if (function.size != 0 && at - function.begin < 64 && function.name.compare(0, 2, "__") != 0 &&
        function.name.compare(0, 6, "simt::") != 0) {
      place = RawPlace(at + 1);
    }
    what = "needs more than 640 KB of stack: endless recursion, or local arrays that are too large";
  } else if (fault.signal == SIGFPE) {
    what = "divides an integer by zero, or the lowest by -1";
    if (in_program) {
      place = RawPlace(at + 1);  // one past, as in a return address
    }
  } else if (fault.signal == SIGABRT) {
    what = "calls abort()";
  } else if (fault.signal == SIGILL) {
    what = "runs into a trap, or an instruction that this processor does not know";
  } else if (fault.pc == 0) {
    what = "calls a null function pointer";
  } else {
    std::snprintf(text, sizeof text, "uses the address 0x%zx, where it has no memory",
                  size_t(fault.address));
  }
  if (fault.signal == kStuck) {
    worker_.launch().stop_after(worker_.block());
    return report(ErrorKind::Endless, in_program ? RawPlace(at + 1) : last,
                  "makes no progress: an endless loop?");
  }
  report(ErrorKind::Fault, place, what);
}

}  // namespace simt
