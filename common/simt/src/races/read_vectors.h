// The read vectors of shadow cells.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

// A thread's last read of a cell.
struct ReadEpoch {
  uint32_t epoch;
  uint16_t site;
};

// The read vector of each cell, in a block with vector clocks: each thread's last read.
class ReadVectors {
 public:
  ReadVectors() = default;
  ReadVectors(const ReadVectors&) = delete;
  ReadVectors& operator=(const ReadVectors&) = delete;
  ~ReadVectors() { forget(); }

  // Keeps reads from now on in this block. Older reads stay, and their epochs tell them apart. Throws std::bad_alloc.
  void begin(unsigned threads, size_t cells);
  void end() { active_ = false; }
  bool active() const { return active_; }
  // Epochs start over.
  void forget();
  // The shadow has split each cell in two.
  void split_cells();

  // One thread's reads, by cell; null while none are kept.
  ReadEpoch* of(unsigned thread) { return active_ ? reads_ + thread * cells_ : nullptr; }

 private:
  bool active_ = false;
  unsigned threads_ = 0;
  size_t cells_ = 0, room_ = 0;
  ReadEpoch* reads_ = nullptr;
};

}  // namespace simt
