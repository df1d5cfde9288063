#include "matrices/descriptors.h"

namespace simt {

Descriptor::Descriptor(uint64_t bits)
    : start(uint32_t(bits & 0x3fff) * 16),
      leading(uint32_t(bits >> 16 & 0x3fff) * 16),
      stride(uint32_t(bits >> 32 & 0x3fff) * 16),
      base(unsigned(bits >> 49 & 7)),
      span(bits >> 62 == 0 ? 16 : 256u >> (bits >> 62)) {}

// Eight lines form a pattern, and the next eight follow at the stride. Without a swizzle, a line of the pattern is one
// unit, and the line's next unit lies at the leading offset. With a swizzle, it is the next in the line.
uint32_t Descriptor::along(unsigned line, unsigned unit) const {
  return swizzled(start + line % 8 * span + line / 8 * stride + unit * (span == 16 ? leading : 16));
}

// The same with K down the lines. Further units lie in further patterns. Without a swizzle, the next pattern lies at
// the stride, and the next eight lines at the leading offset. With a swizzle, the two are exchanged.
uint32_t Descriptor::across(unsigned k, unsigned unit) const {
  const unsigned units = span / 16;
  const uint32_t down = span == 16 ? leading : stride, right = span == 16 ? stride : leading;
  return swizzled(start + k % 8 * span + k / 8 * down + unit % units * 16 + unit / units * right);
}

std::vector<std::pair<const char*, uint64_t>> product_numbers(const Product& product) {
  const ProductForm& form = product.form;
  const Descriptor a(product.a), b(product.b);
  std::vector<std::pair<const char*, uint64_t>> all = {{"cols", form.cols},
                                                       {"depth", form.depth()},
                                                       {"b", b.start},
                                                       {"b_leading", b.leading},
                                                       {"b_stride", b.stride},
                                                       {"b_swizzle", b.span == 16 ? 0 : b.span},
                                                       {"b_across", form.transposed_b}};
  if (!form.a_in_registers) {
    all.insert(all.end(), {{"a", a.start},
                           {"a_leading", a.leading},
                           {"a_stride", a.stride},
                           {"a_swizzle", a.span == 16 ? 0 : a.span},
                           {"a_across", form.transposed_a}});
  }
  return all;
}

}  // namespace simt
