// The asynchronous copies of one thread that have not been waited for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt {

struct AsyncCopy {
  char* shared;
  const char* global;
  uint8_t size, zfill;
  uint32_t group;
};

struct Pipeline {
  std::vector<AsyncCopy> copies;  // oldest first
  size_t done = 0;  // copies before this one have arrived
  uint32_t group = 0;  // number of the open group

  void clear() {
    copies.clear();
    done = 0;
    group = 0;
  }
};

}  // namespace simt
