// Matrix descriptors of wgmma: where an operand lies in shared memory. After the PTX manual's "Matrix Descriptor
// Format", "Strides" and "Swizzling Modes" of wgmma.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "simt/api/warpgroup.h"

namespace simt {

constexpr uint32_t kSharedAddress = 0x3ffff;  // the bits of an address that a descriptor has

struct Descriptor {
  explicit Descriptor(uint64_t bits);

  uint32_t start, leading, stride;  // bytes
  unsigned
      base;  // rows of 128 bytes from a multiple of 1024 to where a pattern of the swizzle begins
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

// What a Watch keeps of a product: its shape, and its descriptors as far as they are used.
std::vector<std::pair<const char*, uint64_t>> product_numbers(const Product& product);

// use(address, 'A' or 'B', row, col) for each unit that the warp-th of four warps reads. Rows run across what is
// contiguous, columns count units along it.
template <typename Use>
void for_each_unit(const Product& product, unsigned warp, Use use) {
  const ProductForm& form = product.form;
  const Descriptor a(product.a), b(product.b);
  for (unsigned i = 0; i < 32 && !form.a_in_registers; ++i) {
    const unsigned row = form.transposed_a ? i / 2 : warp * 16 + i / 2;
    const unsigned col = form.transposed_a ? warp * 2 + i % 2 : i % 2;
    use(form.transposed_a ? a.across(row, col) : a.along(row, col), 'A', row, col);
  }
  for (unsigned i = 0; i < form.cols * 2u; ++i) {
    const unsigned row = form.transposed_b ? i % 16 : i / 2;
    const unsigned col = form.transposed_b ? i / 16 : i % 2;
    use(form.transposed_b ? b.across(row, col) : b.along(row, col), 'B', row, col);
  }
}

}  // namespace simt
