// A part above the recorder that keeps something for each block: it is told what concerns it.
#pragma once
#include <cstdint>

#include "common/simt/counting/counting.h"

namespace simt {

class Companion {
 public:
  virtual ~Companion() = default;

  virtual void begin_block() = 0;
  // finished: all threads have exited.
  virtual void end_block(bool finished) = 0;
  // This thread runs from now on.
  virtual void enter(unsigned thread) = 0;
  // The running thread, at the return address pc, touches one of its own variables that are watched.
  virtual void touch(uintptr_t address, Access access, const void* pc) = 0;
};

// A range of addresses.
struct Range {
  uintptr_t begin = 0, size = 0;
  bool contains(uintptr_t address) const { return address - begin < size; }
};

}  // namespace simt
