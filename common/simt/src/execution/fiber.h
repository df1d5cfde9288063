// Fibers: the threads of a block, switched in user space on one OS thread.
#pragma once
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

namespace simt {

// A GPU thread has up to 512 KB of local memory. Untouched pages of a stack cost no memory.
constexpr size_t kStackBytes = size_t(640) * 1024;
constexpr size_t kGuardBytes = size_t(64) * 1024;
// Tops of stacks lie at different offsets in a page. At equal offsets they would share a few cache sets.
constexpr size_t kStackShift = 256, kStackShifts = 16;
constexpr size_t kStackStep = kStackBytes + kGuardBytes + kStackShift * kStackShifts;

// A set of stacks with guard pages below them. Only one OS thread may use it, because kernel code may keep addresses of
// thread_local variables across a switch.
class Stacks {
 public:
  Stacks() = default;
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks();

  // The most stacks in this process. Each guard page splits a mapping, and Linux allows 65530 mappings.
  static constexpr size_t kMost = 32000;

  // Makes room for `count` stacks. Throws std::bad_alloc if memory or kMost does not suffice.
  void reserve(size_t count);

  // Returns one past the highest address of stack i.
  char* top(size_t i) const {
    return memory_ + (i + 1) * kStackStep - i % kStackShifts * kStackShift;
  }
  const char* begin() const { return memory_; }
  size_t size() const { return count_ * kStackStep; }

 private:
  void release();

  char* memory_ = nullptr;
  size_t count_ = 0;
};

// Boost's public fibers are built on fcontext_t, but they unwind the stack of a fiber that is dropped, and an abandoned
// thread may have overflowed its stack. (On a busy machine with 64 fibers a switch took 199 to 221 ns, against 216 to
// 239 ns with Boost's fibers.)
using Context = boost::context::detail::fcontext_t;

}  // namespace simt
