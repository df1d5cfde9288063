#include "common/simt/memory/split_order.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace simt {

// Zeros, of which only touched pages take memory.
LastRead* SplitOrder::map(size_t count) const {
  void* memory = mmap(nullptr, count * sizeof(LastRead), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  return static_cast<LastRead*>(memory);
}

void SplitOrder::forget() {
  if (reads_ != nullptr) {
    munmap(reads_, room_ * sizeof(LastRead));
  }
  reads_ = nullptr;
  room_ = 0;
}

void SplitOrder::begin(unsigned threads, size_t cells) {
  if (threads * cells > room_) {
    forget();
    reads_ = map(threads * cells);
    room_ = threads * cells;
  }
  threads_ = threads;
  cells_ = cells;
  known_.resize(threads);
  for (Stamps& stamps : known_) {
    stamps.assign(threads, 0);
  }
  active_ = true;
}

void SplitOrder::split_cells() {
  LastRead* const finer = map(threads_ * cells_ * 2);
  for (size_t i = 0; i < threads_ * cells_; ++i) {
    if (reads_[i].stamp != 0) {
      finer[2 * i] = finer[2 * i + 1] = reads_[i];
    }
  }
  forget();
  reads_ = finer;
  cells_ *= 2;
  room_ = threads_ * cells_;
}

void SplitOrder::raise(Stamps& to, const Stamps& from) {
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] = std::max(to[i], from[i]);
  }
}

uint32_t SplitOrder::least_known(unsigned thread) const {
  const Stamps& stamps = known_[thread];
  uint32_t least = ~0u;
  for (unsigned i = 0; i < threads_; ++i) {
    least = i == thread ? least : std::min(least, stamps[i]);
  }
  return least;
}

}  // namespace simt
