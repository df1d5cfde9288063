#include "execution/fiber.h"

#include <sys/mman.h>

#include <new>

namespace simt {

Stacks::~Stacks() {
  release();
}

void Stacks::release() {
  if (memory_ != nullptr) {
    munmap(memory_, size());
  }
  memory_ = nullptr;
  count_ = 0;
}

void Stacks::reserve(size_t count) {
  if (count <= count_) {
    return;
  }
  release();
  void* memory = mmap(nullptr, count * kStackStep, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  memory_ = static_cast<char*>(memory);
  count_ = count;
  for (size_t i = 0; i < count; ++i) {
    if (mprotect(memory_ + i * kStackStep, kGuardBytes, PROT_NONE) != 0) {
      throw std::bad_alloc();
    }
  }
}

}  // namespace simt
