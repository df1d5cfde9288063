// Matrix descriptors of wgmma: where an operand lies in shared memory. After the PTX manual's "Matrix Descriptor
// Format", "Strides" and "Swizzling Modes" of wgmma.
#pragma once
#include <cstdint>

namespace simt {

constexpr uint32_t kSharedAddress = 0x3ffff;  // the bits of an address that a descriptor has

struct Descriptor {
  explicit Descriptor(uint64_t bits);

  uint32_t start, leading, stride;  // bytes
  unsigned base;  // rows of 128 bytes from a multiple of 1024 to where a pattern of the swizzle begins
  unsigned span;  // bytes that are swizzled as one row: 32, 64, 128; 16 without a swizzle

  // The address of a unit, the 16 bytes that always stay together. Neighbours along K: of row (of A; column of B)
  // `line`, the unit-th. Across K: of line k of K, the unit-th.
  uint32_t along(unsigned line, unsigned unit) const;
  uint32_t across(unsigned k, unsigned unit) const;

 private:
  uint32_t swizzled(uint32_t address) const {
    const uint32_t row = (address >> 7) - base;
    return (address ^ (row & (span / 16 - 1)) << 4) & kSharedAddress;
  }
};

}  // namespace simt
