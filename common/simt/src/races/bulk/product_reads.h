// Reads of shared memory by wgmma products, in units. A unit is the 16 bytes that stay together in all layouts. A
// product reads from its start until its warp has waited for it. Phases of mbarriers order that wait before other
// threads' accesses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "races/shared_shadow.h"

namespace simt {

// A unit of an operand, found by its descriptor.
struct OperandUnit {
  size_t at;  // in shared memory
  char operand;  // 'A' or 'B'
  unsigned row, col;  // of the operand: rows run across what is contiguous, columns count units
};

class ProductReads {
 public:
  ProductReads(Findings& findings, HappensBefore& order, SharedShadow& shared, Worker& worker)
      : findings_(findings), order_(order), shared_(shared), worker_(worker) {}

  void end_block();

  // The running thread's warp starts a product, at the instruction `site`, whose descriptors have these swizzles.
  void start(uint32_t site, unsigned swizzle_a, unsigned swizzle_b);
  // The product reads a unit. Returns false if it has reported an error.
  bool read(const OperandUnit& unit);
  // The running thread's warp has waited for all its products but the last `left`.
  void complete(unsigned left);

  // The running thread, or a copy that it starts, writes these bytes.
  void write(const ThreadView& now, size_t offset, size_t size, uint32_t site);
  // A TMA load of a box has completed at that offset, in rows that are `pitch` bytes apart.
  void land(size_t offset, size_t size, size_t pitch, unsigned swizzle, uint32_t site);

 private:
  struct Read {
    uint32_t number = 0;  // the product's number in its warp
    uint32_t site = 0;
  };
  struct OfWarp {
    uint32_t started = 0, complete = 0;  // products
    std::vector<Read> reads;  // the last of each unit
  };
  struct Box {
    size_t offset, size, pitch;
    unsigned swizzle;
    uint32_t site;
  };
  // The part of an operand that lies in a box.
  struct Fit {
    uint16_t box;
    char operand;
    int rows, cols;  // a unit's position in the box minus its position in the operand
  };
  void begin();
  bool fits(const OperandUnit& unit);

  std::vector<uint32_t> readers_;  // of each unit: warps, as bits
  std::vector<OfWarp> warps_;
  std::vector<uint16_t> boxes_of_;  // of each unit: one past its box's number
  std::vector<Box> boxes_;
  // The product that is being started:
  uint32_t site_ = 0;
  unsigned swizzles_[2] = {};
  std::vector<Fit> fits_;
  Settled settled_;

  Findings& findings_;
  HappensBefore& order_;
  SharedShadow& shared_;
  Worker& worker_;
};

}  // namespace simt
