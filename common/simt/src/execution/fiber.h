// Fibers: the threads of a block, switched in user space on one OS thread.
#pragma once
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

namespace simt {

// A GPU's thread has up to 512 KB of local memory. What is not touched takes no memory.
constexpr size_t kStackBytes = size_t(640) * 1024;
constexpr size_t kGuardBytes = size_t(64) * 1024;
// Tops of stacks lie at different places of a page: at the same one, their lines would share a few sets of the caches.
constexpr size_t kStackShift = 256, kStackShifts = 16;
constexpr size_t kStackStep = kStackBytes + kGuardBytes + kStackShift * kStackShifts;

// A set of stacks with guard pages below them. Must be used by one OS thread only: the code of a
// kernel may keep addresses of thread_local variables across a switch.
class Stacks {
 public:
  Stacks() = default;
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks();

  // All of this process. Guard pages split mappings, and Linux allows a process 65530 of them.
  static constexpr size_t kMost = 32000;

  // Makes room for count stacks. Throws std::bad_alloc, also beyond kMost.
  void reserve(size_t count);

  // One past the highest address of a stack.
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

// Boost's own public fibers stand on this, but cannot serve: they unwind the stack of a fiber that is dropped,
// and a thread that is given up may have run off its stack. (A switch of theirs took 216 to 239 ns where this
// takes 199 to 221, among 64 fibers on a busy machine.)
using Context = boost::context::detail::fcontext_t;

}  // namespace simt
