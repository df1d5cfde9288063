#include "memory/names.h"

#include <algorithm>

namespace simt {
namespace {

bool same(const Allocation& a, const Allocation& b) {
  return a.begin == b.begin && a.bytes == b.bytes;
}

std::string bytes_of(size_t size) {
  return std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

}  // namespace

Names& Names::get() {
  static Names names;
  return names;
}

// Describes an allocation in a message.
std::string Names::text_of(const Allocation& allocation) const {
  const auto variable = variables_.find(allocation.begin);
  return variable == variables_.end()
             ? "an allocation of " + bytes_of(allocation.bytes)
             : "the variable " + variable->second + " of " + bytes_of(allocation.bytes);
}

std::string Names::beginning_at(uintptr_t address) const {
  const auto variable = variables_.find(address);
  if (variable != variables_.end()) return variable->second;
  const Known* const known = in(Arena::get().nearest(address), address);
  return known != nullptr ? known->matrix.name : "";
}

void Names::add(const NamedMatrix& matrix) {
  const Arena& arena = Arena::get();
  const uintptr_t begin = reinterpret_cast<uintptr_t>(matrix.begin);
  all_.erase(std::remove_if(all_.begin(), all_.end(),
                            [&](const Known& known) {
                              return known.begin == begin ||
                                     !same(known.allocation, arena.nearest(known.begin));
                            }),
             all_.end());
  if (matrix.ld != 0 && matrix.element != 0 && arena.inside_one(matrix.begin, matrix.element)) {
    all_.push_back({matrix, begin, arena.nearest(begin)});
  }
}

// Returns the last matrix in the allocation that begins at or before the address.
const Names::Known* Names::in(const Allocation& allocation, uintptr_t address) const {
  const Known* best = nullptr;
  for (const Known& known : all_) {
    if (same(known.allocation, allocation) && known.begin <= address &&
        (best == nullptr || known.begin > best->begin)) {
      best = &known;
    }
  }
  return best;
}

std::string Names::element(const Known& known, uintptr_t address, size_t size) {
  const NamedMatrix& m = known.matrix;
  const size_t index = (address - known.begin) / m.element;
  const std::string first = m.name + (m.rows == 1 ? "" : "[" + std::to_string(index / m.ld) + "]") +
                            "[" + std::to_string(m.rows == 1 ? index : index % m.ld) + "]";
  return size <= m.element ? first
                           : std::to_string(size / m.element) + " elements from " + first + " on";
}

std::string Names::of(uintptr_t address, size_t size) const {
  const Allocation allocation = Arena::get().nearest(address);
  const Known* const known = in(allocation, address);
  if (known != nullptr) {
    const size_t index = (address - known->begin) / known->matrix.element;
    if (index / known->matrix.ld < known->matrix.rows &&
        index % known->matrix.ld < known->matrix.cols) {
      return element(*known, address, size);
    }
  }
  return (size == 0 ? "memory" : bytes_of(size)) + " at offset " +
         std::to_string(address - allocation.begin) + " of " + text_of(allocation);
}

NamedPlace Names::place_of(uintptr_t address) const {
  const Allocation allocation = Arena::get().closest(address);
  if (const Known* const known = in(allocation, address)) {
    const NamedMatrix& m = known->matrix;
    const uint64_t index = (address - known->begin) / m.element;
    return {m.name, address - known->begin,
            m.rows == 1 ? std::vector<uint64_t>{index}
                        : std::vector<uint64_t>{index / m.ld, index % m.ld}};
  }
  const auto variable = variables_.find(allocation.begin);
  return {variable == variables_.end() ? "" : variable->second, address - allocation.begin, {}};
}

std::string Names::of_outside(uintptr_t address, size_t size) const {
  const Allocation near = Arena::get().closest(address);
  const Known* const known = in(near, address);
  if (known != nullptr && known->matrix.rows != 0) {
    const NamedMatrix& m = known->matrix;
    return element(*known, address, size) + ", out of bounds: " + m.name + " has " +
           (m.rows == 1 ? "" : std::to_string(m.rows) + " rows of ") + std::to_string(m.cols) +
           (m.cols == 1 ? " element" : " elements");
  }
  if (const Known* const next =
          address < near.begin ? in(near, near.begin + near.bytes) : nullptr) {
    return bytes_of(next->begin - address) + " before the beginning of " + next->matrix.name +
           ", out of bounds";
  }
  std::string where = "there is no allocation";
  if (near.bytes != 0 && address >= near.begin) {
    const uintptr_t end = near.begin + near.bytes;
    where = address + size <= end ? "where no copy has written, in"  // sparse memory
            : address < end       ? "across the end of"
                                  : bytes_of(address - end) + " past the end of";
    where += " " + text_of(near) + " (offset " + std::to_string(address - near.begin) + ")";
  } else if (near.bytes != 0) {
    where = bytes_of(near.begin - address) + " before " + text_of(near);
  }
  return bytes_of(size) + " of global memory out of bounds: " + where;
}

}  // namespace simt
