// The cost of a warp's asynchronous copy (cp.async, in SASS LDGSTS).
#pragma once
#include <cstdint>

namespace simt {

struct CopyCost {
  unsigned sectors = 0;  // of 32 bytes; a sector counts twice if its halves go to different sectors
  unsigned lookups = 0;  // of sectors in the L1 cache
  unsigned wavefronts = 0;  // in which the 32 banks write shared memory
  bool has_wavefront_of = false;  // the rules also give each lane's
};

// The lanes in mask copy size bytes (4, 8 or 16) each, from global addresses to shared addresses.
// Only differences between addresses and their remainders modulo 128 matter. No manual has these rules. They reproduce
// an H200's counts for each copy of common/simt/tests/counts/copies.h. wavefront_of: null, or the wavefront of each
// lane in mask, if has_wavefront_of.
CopyCost copy_cost(unsigned size, uint32_t mask, const uint64_t* from, const uint64_t* to,
                   uint8_t* wavefront_of = nullptr);

}  // namespace simt
