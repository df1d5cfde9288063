// What an asynchronous copy (cp.async, in SASS LDGSTS) of a warp costs.
#pragma once
#include <cstdint>

namespace simt {

struct CopyCost {
  unsigned sectors = 0;  // that arrive from the L2 cache, 32 bytes each
  unsigned lookups = 0;  // sectors that the L1 cache is asked for
  unsigned wavefronts = 0;  // passes through the 32 banks to write shared memory
};

// The lanes in mask copy size bytes (4, 8 or 16) each, from global addresses to shared addresses.
// Only differences between addresses and their remainders modulo 128 matter. The rules were found by
// counting single copies on an H200: tests/counters/copies.cu, with the counts in docs/results.
CopyCost copy_cost(unsigned size, uint32_t mask, const uint64_t* from, const uint64_t* to);

}  // namespace simt
