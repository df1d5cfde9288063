// The random generator Philox4x32-10 (Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011), and
// distributions of its numbers.
#pragma once
#include <cmath>
#include <cstdint>

#include "simt/api/qualifiers.h"

namespace simt {

struct PhiloxBlock {
  uint32_t words[4];
};

// Four random words: number `block` of a subsequence.
SIMT_UNCHECKED inline PhiloxBlock philox(uint64_t seed, uint64_t subsequence, uint64_t block) {
  uint32_t key[2] = {uint32_t(seed), uint32_t(seed >> 32)};
  PhiloxBlock b = {
      {uint32_t(block), uint32_t(block >> 32), uint32_t(subsequence), uint32_t(subsequence >> 32)}};
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = uint64_t(b.words[0]) * 0xD2511F53u;
    const uint64_t second = uint64_t(b.words[2]) * 0xCD9E8D57u;
    b = {{uint32_t(second >> 32) ^ b.words[1] ^ key[0], uint32_t(second),
          uint32_t(first >> 32) ^ b.words[3] ^ key[1], uint32_t(first)}};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return b;
}

// A generator by value: kernels load it, draw numbers, and store it. `position` counts words.
struct Random {
  uint64_t seed = 0, subsequence = 0, position = 0;

  SIMT_UNCHECKED uint32_t word() {
    const PhiloxBlock block = philox(seed, subsequence, position / 4);
    return block.words[position++ % 4];
  }
  // Above 0, up to 1.
  SIMT_UNCHECKED float uniform() { return float(word()) * 0x1p-32f + 0x1p-33f; }
  SIMT_UNCHECKED double uniform_double() {
    const uint64_t low = word(), high = word();
    return double(low ^ (high << 21)) * 0x1p-53 + 0x1p-54;
  }
  // Two numbers of the standard normal distribution, by Box and Muller.
  template <typename T>
  SIMT_UNCHECKED void normals(T& first, T& second) {
    const double u = sizeof(T) == 4 ? double(uniform()) : uniform_double();
    const double angle =
        6.283185307179586 * (sizeof(T) == 4 ? double(uniform()) : uniform_double());
    const double radius = std::sqrt(-2 * std::log(u));
    first = T(radius * std::sin(angle));
    second = T(radius * std::cos(angle));
  }
  // Counts arrivals at unit rate within the time lambda.
  SIMT_UNCHECKED unsigned poisson(double lambda) {
    unsigned count = 0;
    for (double time = -std::log(uniform_double()); time < lambda;
         time -= std::log(uniform_double())) {
      ++count;
    }
    return count;
  }
};

}  // namespace simt
