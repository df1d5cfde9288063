// The sectors and wavefronts of one request of a warp.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "counting/watch.h"

namespace simt {

// The addresses of a request relative to its lowest active lane. Most requests of an instruction share a pattern, so a
// pattern remembers its costs.
class Pattern {
 public:
  Pattern(uint32_t mask, const int32_t* deltas, uint32_t id);

  uint32_t id() const { return id_; }
  uint32_t mask() const { return mask_; }
  unsigned lanes() const { return unsigned(__builtin_popcount(mask_)); }
  bool equals(uint32_t mask, const int32_t* deltas) const;
  // Whether all lanes have the same address.
  bool uniform() const { return uniform_; }

  // 32-byte sectors that `size` bytes per lane touch if the lowest lane's address is `first`.
  unsigned sectors(unsigned size, uint64_t first);
  // Cache lines of 128 bytes, likewise.
  unsigned lines(unsigned size, uint64_t first);
  // Wavefronts, in each of which the 32 banks deliver 4 bytes. merge: neighbouring quarter-warps that read the same
  // addresses share one, as loads and stores of 8 and 16 bytes do; matrix loads do not.
  unsigned wavefronts(unsigned size, uint64_t first, bool merge);
  // The same, with the wavefront that serves each word of each lane. The pattern does not remember it.
  unsigned wavefronts(unsigned size, uint64_t first, bool merge, WavefrontOf& wavefront_of) const {
    return count_wavefronts(size, unsigned(first % 128), merge, wavefront_of);
  }
  // Wavefronts for the same distinct words in the best banks.
  unsigned ideal(unsigned size, uint64_t first) { return (words(size, first) + 31) / 32; }
  // Sectors for the same distinct words side by side.
  unsigned least_sectors(unsigned size, uint64_t first) { return (words(size, first) + 7) / 8; }
  // Whether each lane's address is a multiple of size (a power of two up to 16).
  bool aligned(unsigned size, uint64_t first) const {
    return ((first | low_bits_) & (size - 1)) == 0;
  }

 private:
  // Aligned pieces of `bytes` bytes that the request touches.
  unsigned count_pieces(unsigned bytes, unsigned size, unsigned first) const;
  unsigned count_wavefronts(unsigned size, unsigned first, bool merge,
                            uint8_t (*wavefront_of)[4]) const;
  unsigned words(unsigned size, uint64_t first);  // of 4 bytes, distinct ones
  unsigned count_words(unsigned size, unsigned first) const;

  uint32_t id_, mask_, low_bits_ = 0;
  bool uniform_ = true;
  int32_t deltas_[32];
  uint8_t sectors_[5][32] = {};  // [log2 size][first % 32]; 0: not known yet
  uint8_t lines_[5][64] = {};  // [log2 size][first % 128 / 2], if first is even
  uint8_t wavefronts_[2][5][4] = {};  // [merge][log2 size][first % 4]
  uint8_t words_[5][4] = {};
};

// All patterns of a worker. References stay valid.
class Patterns {
 public:
  Pattern& get(uint32_t mask, const int32_t* deltas);
  Pattern& at(uint32_t id) { return *patterns_[id]; }

 private:
  std::vector<Pattern*> patterns_;
  std::unordered_multimap<uint64_t, Pattern> table_;
};

}  // namespace simt
