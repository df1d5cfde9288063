// Boxes of tensors and rows of bytes, in the order in which TMA moves them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "memory/memory.h"
#include "simt/api/ptx.h"

namespace simt {

// What a bulk copy moves, in global memory.
struct BulkSource {
  Tensor tensor{};  // rank 0: a row of bytes
  int32_t at[5] = {};  // the box's corner, in elements, the innermost dimension first
  uintptr_t address = 0;  // of the row of bytes
  size_t bytes = 0;  // of the box or the row
  // A store that combines its elements with those in global memory (cp.reduce.async.bulk).
  bool reduces = false;
  AtomicOp op = AtomicOp::op_add;
  AtomicType type = AtomicType::b32;
};

// A row of a box: its place in global memory, and the part that lies in the tensor.
struct Row {
  uintptr_t address = 0;  // of its first byte in the tensor
  size_t skip = 0, bytes = 0;  // before that byte; in the tensor
};

inline size_t row_bytes(const BulkSource& box) {
  return box.tensor.rank == 0 ? box.bytes : size_t(box.tensor.box[0]) * box.tensor.element;
}

// Bytes from row to row in shared memory. A row narrower than the swizzle takes as much room as a whole one. (Not in
// NVIDIA's manuals; seen on an H200.)
inline size_t pitch(const BulkSource& box) {
  return box.tensor.rank == 0 ? box.bytes : std::max<size_t>(row_bytes(box), box.tensor.swizzle);
}

// Bytes of shared memory that the box occupies, with the gaps between its rows.
inline size_t room(const BulkSource& box) {
  return box.bytes / row_bytes(box) * pitch(box);
}

// Where unit i (16 bytes) of a box lies, if the box begins at `at` in shared memory.
inline size_t place_of_unit(const BulkSource& box, size_t at, size_t i) {
  const size_t byte = i * 16, row = byte / row_bytes(box);
  return swizzled(at + row * pitch(box) + byte % row_bytes(box), box.tensor.swizzle);
}

// Calls use(place, bytes) for the shared memory that the box occupies, without the gaps between its rows.
template <typename Use>
void for_each_part(const BulkSource& box, size_t at, Use use) {
  if (pitch(box) == row_bytes(box)) {
    use(at, box.bytes);
    return;
  }
  for (size_t i = 0; i < box.bytes / 16; ++i) use(place_of_unit(box, at, i), size_t(16));
}

// Bytes of a row that a store writes: whole units of 16, so it can write past the tensor's last element. (Not in
// NVIDIA's manuals; seen on an H200.)
inline size_t written(const BulkSource& box, const Row& row) {
  if (box.tensor.rank == 0 || row.bytes == 0 || box.reduces) return row.bytes;
  const uintptr_t end = (row.address + row.bytes + 15) / 16 * 16;
  return std::min<size_t>(row_bytes(box) - row.skip, end - row.address);
}

// Calls use(row) for each row, in the order in which they lie in shared memory.
template <typename Use>
void for_each_row(const BulkSource& box, Use use) {
  const Tensor& t = box.tensor;
  if (t.rank == 0) {
    use(Row{box.address, 0, box.bytes});
    return;
  }
  const int64_t begin = std::max<int64_t>(0, -int64_t(box.at[0]));
  const int64_t end = std::min<int64_t>(t.box[0], int64_t(t.sizes[0]) + 1 - box.at[0]);
  const size_t rows = box.bytes / row_bytes(box);
  for (size_t r = 0; r < rows; ++r) {
    size_t rest = r;
    bool inside = begin < end;
    uint64_t address = t.address + uint64_t(box.at[0] + begin) * t.element;
    for (unsigned d = 1; d < t.rank; ++d) {
      const int64_t at = box.at[d] + int64_t(rest % t.box[d]);
      rest /= t.box[d];
      inside = inside && at >= 0 && at <= int64_t(t.sizes[d]);
      address += uint64_t(at) * t.strides[d];
    }
    use(inside ? Row{uintptr_t(address), size_t(begin) * t.element, size_t(end - begin) * t.element}
               : Row());
  }
}

}  // namespace simt
