// Reads of shared memory by wgmma products, in units: the 16 bytes that stay together in all layouts. A product reads
// from its start until its warp has waited for it. Phases of mbarriers order that wait before other threads' accesses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "races/shared_shadow.h"

namespace simt {

// A unit of an operand, as its descriptor finds it.
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
  // The product reads a unit. Returns false if that was an error, which has been reported.
  bool read(const OperandUnit& unit);
  // Its warp has waited for all products but the last `left`.
  void complete(unsigned left);

  // The running thread, or a copy that it starts, writes there.
  void write(const ThreadView& now, size_t offset, size_t size, uint32_t site);
  // A TMA load of a box has completed there, in rows that are `pitch` bytes apart.
  void land(size_t offset, size_t size, size_t pitch, unsigned swizzle, uint32_t site);

 private:
  struct Read {
    uint32_t number = 0;  // of the warp's product
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
  // Where the first unit of an operand that lies in a box is, in the operand and in the box.
  struct Fit {
    uint16_t box;
    char operand;
    int rows, cols;  // in the box, less those in the operand
  };
  void begin();
  bool fits(const OperandUnit& unit);

  std::vector<uint32_t> readers_;  // of each unit: warps, as bits
  std::vector<OfWarp> warps_;
  std::vector<uint16_t> boxes_of_;  // of each unit: one past its box's number
  std::vector<Box> boxes_;
  // Of the product that is being started.
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
