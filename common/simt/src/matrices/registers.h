// The accumulators of wgmma: a thread's local variables, and a warp's sums while products are in flight. Until the
// products are complete, the variables hold a NaN that no computation produces.
#pragma once
#include <cstdint>
#include <vector>

#include "execution/execution.h"
#include "matrices/product.h"
#include "simt/api/warpgroup.h"

namespace simt {

// A thread's variables for D, in the order of the instruction.
class Registers {
 public:
  Registers() = default;
  Registers(void* const* each, unsigned count);

  bool is(void* const* each, unsigned count) const;
  bool contains(uintptr_t address) const;
  bool overlap(const Registers& other) const { return begin_ < other.end_ && other.begin_ < end_; }
  uint32_t* at(unsigned i) const {
    return each_.empty() ? first_ + i : static_cast<uint32_t*>(each_[i]);
  }
  unsigned count() const { return count_; }
  // All variables lie between these addresses.
  uintptr_t begin() const { return begin_; }
  uintptr_t end() const { return end_; }

 private:
  unsigned count_ = 0;
  uint32_t* first_ = nullptr;
  std::vector<void*> each_;  // empty if they are neighbours in this order
  uintptr_t begin_ = 0, end_ = 0;
};

// The accumulators of a warp: 16 rows of D.
class Sums {
 public:
  Sums(unsigned cols, bool halves) : cols_(cols), halves_(halves) {}

  struct Lane {
    Registers registers;
    bool in_flight = false;
    RawPlace touched;  // the thread's last use of them since its last fence; empty if there is none
  };
  Lane lanes[32];
  unsigned products = 0;  // not complete
  alignas(64) float d[16 * kMostCols] = {};

  bool has_form(const ProductForm& form) const {
    return form.cols == cols_ && form.half_sums == halves_;
  }
  // Moves the lane's sums here, and puts the NaN in its variables.
  void take(unsigned lane);
  // Whether the lane's variables still hold that NaN.
  bool is_untouched(unsigned lane) const;
  void give_back(unsigned lane);
  void round_to_halves();

 private:
  // Element i of a register of a lane in d.
  float& element(unsigned lane, unsigned reg, unsigned i);

  unsigned cols_;
  bool halves_;
};

}  // namespace simt
