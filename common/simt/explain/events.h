// The events of one warp as JSON, for ./ladder picture.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "common/simt/explain/explain.h"

namespace explain {

// A matrix in global memory: ld in elements, element in bytes.
struct Matrix {
  std::string name;
  const void* begin;
  int64_t ld;
  unsigned element;
};

struct Events {
  const Explanation* explanation;
  uint32_t warp;  // of block 0, the one that simt::follow_warp() was told
  std::vector<Matrix> matrices;
};

// Writes one JSON object: the launch, then "events", each on a line of its own. Offsets are in bytes
// from the beginning of the array. Throws UsageError if the block has no such warp or the file cannot
// be written.
void save_events(const Events& events, const std::string& path);

}  // namespace explain
