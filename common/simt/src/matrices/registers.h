// The registers of wgmma's sums: the local variables of a thread, and the sums of a warp while products are in
// flight. Until they are complete, the variables hold a NaN that nobody computes.
#pragma once
#include <cstdint>
#include <vector>

#include "execution/execution.h"
#include "matrices/product.h"
#include "simt/api/warpgroup.h"

namespace simt {

// The variables that a thread names for D, in the order of the instruction.
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
  // All lie between these addresses.
  uintptr_t begin() const { return begin_; }
  uintptr_t end() const { return end_; }

 private:
  unsigned count_ = 0;
  uint32_t* first_ = nullptr;
  std::vector<void*> each_;  // empty where they are neighbours in this order
  uintptr_t begin_ = 0, end_ = 0;
};

// The sums of a warp's products: 16 rows of D.
class Sums {
 public:
  Sums(unsigned cols, bool halves) : cols_(cols), halves_(halves) {}

  struct Lane {
    Registers registers;
    bool in_flight = false;
    RawPlace touched;  // where the thread has used them since its last fence; nothing if it has not
  };
  Lane lanes[32];
  unsigned products = 0;  // that are not complete
  alignas(64) float d[16 * kMostCols] = {};

  bool has_form(const ProductForm& form) const {
    return form.cols == cols_ && form.half_sums == halves_;
  }
  // The lane's variables hold a NaN from now on.
  void take(unsigned lane);
  // Whether they still do.
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
