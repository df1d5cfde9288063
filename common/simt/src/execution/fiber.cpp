#include "execution/fiber.h"

#include <sys/mman.h>

#include <atomic>
#include <new>

namespace simt {
namespace {

std::atomic<size_t> all_stacks{0};

}  // namespace

Stacks::~Stacks() {
  release();
}

void Stacks::release() {
  if (memory_ != nullptr) {
    munmap(memory_, size());
    all_stacks -= count_;
  }
  memory_ = nullptr;
  count_ = 0;
}

void Stacks::reserve(size_t count) {
  if (count <= count_) {
    return;
  }
  release();
  if (all_stacks + count > kMost) {
    throw std::bad_alloc();
  }
  void* memory = mmap(nullptr, count * kStackStep, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  memory_ = static_cast<char*>(memory);
  count_ = count;
  all_stacks += count;
  for (size_t i = 0; i < count; ++i) {
    if (mprotect(memory_ + i * kStackStep, kGuardBytes, PROT_NONE) != 0) {
      throw std::bad_alloc();
    }
  }
}

}  // namespace simt
