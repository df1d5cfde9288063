// Addresses that are wrong whatever lies there: misaligned, in no memory of the device, faults.
#include <cstdio>
#include <string>

#include "common/simt/memory/recorder_inline.h"
#include "common/simt/program/program.h"

namespace simt {

const char* verb_of(Access access) {
  switch (access) {
    case Access::Load:
    case Access::AsyncLoad:
    case Access::MatrixLoad:
      return "reads";
    case Access::Atomic:
      return "updates";
    default:
      return "writes";
  }
}

bool Recorder::misaligned(uintptr_t address, unsigned size, uint32_t site) {
  const Access access = Sites::get().at(site).access;
  report(ErrorKind::Misaligned, place_of(site),
         std::string(verb_of(access)) + " " + std::to_string(size) +
             " bytes at an address that is " + std::to_string(address % size) +
             " bytes past a multiple of " + std::to_string(size));
  worker_.abandon();
}

void Recorder::weakly_aligned(size_t offset, unsigned size, uint32_t site) {
  const std::string bytes = std::to_string(size);
  report(ErrorKind::Misaligned, place_of(site),
         std::string(verb_of(Sites::get().at(site).access)) + " " + bytes + " bytes of " +
             shared_name(offset) + ", an array that need not begin at a multiple of " + bytes +
             ": declare it alignas(" + bytes + ")");
}

// Neither device nor shared memory nor a stack.
void Recorder::elsewhere(uintptr_t address, unsigned size, Access access, uint32_t site) {
  if (access == Access::Load && is_constant(address)) {
    return;
  }
  char text[160];
  std::snprintf(text, sizeof text, "%s %u bytes at 0x%zx, which is not device memory%s",
                verb_of(access), size, size_t(address),
                address < 4096 ? " (a null pointer)" : " (host memory)");
  report_and_abandon(ErrorKind::InvalidAddress, place_of(site), text);
}

void Recorder::fault(const Fault& fault) {
  const bool in_program = fault.pc - reinterpret_cast<uintptr_t>(text_) < text_size();
  RawPlace place;
  if (fault.signal == SIGFPE && in_program) {
    place.pc = reinterpret_cast<const void*>(fault.pc + 1);  // like a return address
  } else if (last_block_ != 0) {
    place.pc = text_ + last_block_;
  }
  char text[160];
  const char* what = text;
  if (fault.overflow) {
    what = "needs more than 640 KB of stack: endless recursion, or local arrays that are too large";
  } else if (fault.signal == SIGFPE) {
    what = "divides an integer by zero, or the lowest by -1";
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
  report(ErrorKind::Fault, place, what);
}

void Recorder::on_bad_object(const char* pc) {
  RawPlace place;
  place.pc = pc;
  report_and_abandon(ErrorKind::IndexOutOfBounds, place,
                     "uses an element behind the end of a local array");
}

void Recorder::on_bad_index(const char* pc, long index, const char* type) {
  RawPlace place;
  place.pc = pc;
  report_and_abandon(ErrorKind::IndexOutOfBounds, place,
                     "uses index " + std::to_string(index) + " of the array type " + type);
}

void Recorder::on_failed_assert(const char* pc, const char* condition) {
  RawPlace place;
  place.pc = pc;
  report_and_abandon(ErrorKind::Fault, place,
                     "fails assert(" + std::string(condition).substr(0, 160) + ")");
}

}  // namespace simt
