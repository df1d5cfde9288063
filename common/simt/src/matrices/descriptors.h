// Matrix descriptors of wgmma: the place of an operand in shared memory. After the PTX manual's "Matrix Descriptor
// Format", "Strides" and "Swizzling Modes" of wgmma.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "simt/api/warpgroup.h"

namespace simt {

constexpr uint32_t kSharedAddress = 0x3ffff;  // the bits of an address that a descriptor holds

struct Descriptor {
  explicit Descriptor(uint64_t bits);

  uint32_t start, leading, stride;  // bytes
  unsigned
      base;  // rows of 128 bytes from a multiple of 1024 to where a pattern of the swizzle begins
  unsigned span;  // bytes of a swizzled row: 32, 64, 128; 16 without a swizzle

  // The address of a unit, the 16 bytes that always stay together. along(): a unit is contiguous along K; `line` is a
  // row of A or a column of B. across(): a unit is contiguous across K, in line k of K.
  uint32_t along(unsigned line, unsigned unit) const;
  uint32_t across(unsigned k, unsigned unit) const;

 private:
  uint32_t swizzled(uint32_t address) const {
    const uint32_t row = (address >> 7) - base;
    return (address ^ (row & (span / 16 - 1)) << 4) & kSharedAddress;
  }
};

// The numbers that a Watch keeps for a product: its shape, and the descriptors that it uses.
std::vector<std::pair<const char*, uint64_t>> product_numbers(const Product& product);

// Calls use(address, 'A' or 'B', row, col) for each unit that warp `warp` of the four reads. A column is a unit of the
// contiguous direction; rows count the other direction.
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
