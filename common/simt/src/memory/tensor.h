// The contents of a CUtensorMap: a tensor in device memory, the box that a copy moves, and its layout in shared memory.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

struct Tensor {
  static constexpr uint64_t kMark = 0x50414d20524f534eu;

  uint64_t mark;  // kMark in a valid descriptor
  uint64_t address;
  uint64_t strides[5];  // bytes; strides[0] is the size of an element
  uint32_t sizes[5];  // elements - 1
  uint16_t box[5];  // elements
  uint8_t rank, element, swizzle;  // element: bytes; swizzle: bytes of a swizzled row, or 0
  uint8_t type;  // a CUtensorMapDataType

  size_t box_bytes() const {
    size_t bytes = element;
    for (unsigned d = 0; d < rank; ++d) bytes *= box[d];
    return bytes;
  }
};
static_assert(sizeof(Tensor) <= 128, "it must fit into a CUtensorMap");

// Returns the offset in shared memory of the byte whose unswizzled offset is `offset`. Swizzling permutes 16-byte units
// within eight rows of `swizzle` bytes.
inline size_t swizzled(size_t offset, unsigned swizzle) {
  return offset ^ (offset >> 3 & size_t(swizzle - 1) & (swizzle != 0 ? 0x70 : 0));
}

}  // namespace simt
