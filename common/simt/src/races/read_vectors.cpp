#include "races/read_vectors.h"

#include <sys/mman.h>

#include <new>

namespace simt {
namespace {

// Zeroed memory, of which only touched pages exist.
ReadEpoch* map(size_t count) {
  void* memory = mmap(nullptr, count * sizeof(ReadEpoch), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  return static_cast<ReadEpoch*>(memory);
}

}  // namespace

void ReadVectors::forget() {
  if (reads_ != nullptr) {
    munmap(reads_, room_ * sizeof(ReadEpoch));
  }
  reads_ = nullptr;
  room_ = 0;
}

void ReadVectors::begin(unsigned threads, size_t cells) {
  if (threads * cells > room_) {
    forget();
    reads_ = map(threads * cells);
    room_ = threads * cells;
  }
  threads_ = threads;
  cells_ = cells;
  active_ = true;
}

void ReadVectors::split_cells() {
  ReadEpoch* const finer = map(threads_ * cells_ * 2);
  for (size_t i = 0; i < threads_ * cells_; ++i) {
    if (reads_[i].epoch != 0) {
      finer[2 * i] = finer[2 * i + 1] = reads_[i];
    }
  }
  forget();
  reads_ = finer;
  cells_ *= 2;
  room_ = threads_ * cells_;
}

}  // namespace simt
