#include "counting/copy_cost.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace simt {
namespace {

// Copies of 4 and 8 bytes read lines of the L1 cache, which has the same banks as shared memory. Lanes that read or
// write the same bank take turns. Copies of 8 bytes serve half a warp at a time, from and to pairs of banks.
unsigned cached_wavefronts(unsigned size, uint32_t mask, const uint64_t* from, const uint64_t* to) {
  const unsigned lanes = 128 / size;
  uint8_t read[32] = {}, written[32] = {};  // each lane's banks
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (mask >> lane & 1) {
      read[lane] = uint8_t(from[lane] % 128 / size);
      written[lane] = uint8_t(to[lane] % 128 / size);
    }
  }
  unsigned total = 0;
  for (unsigned begin = 0; begin < 32; begin += lanes) {
    unsigned most = 0;
    for (unsigned a = begin; a < begin + lanes; ++a) {
      unsigned turns = 0;
      for (unsigned b = begin; b < begin + lanes; ++b) {
        turns += unsigned(read[a] == read[b] || written[a] == written[b]) & mask >> b & 1;
      }
      most = std::max(most, (mask >> a & 1) != 0 ? turns : 0);
    }
    total += most;
  }
  return total;
}

// Copies of 16 bytes bypass the L1 cache: sectors go from the L2 cache to shared memory. Two lanes share a sector only
// if their bytes also share a sector of shared memory.
CopyCost bypassing_cost(uint32_t mask, const uint64_t* from, const uint64_t* to,
                        uint8_t* wavefront_of) {
  // (source sector, destination sector, swapped: the halves change places) -> which halves.
  std::map<std::tuple<uint64_t, uint64_t, bool>, unsigned> sectors;
  std::set<std::pair<uint64_t, uint64_t>> lookups;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (mask >> lane & 1) {
      const bool swapped = ((from[lane] ^ to[lane]) & 16) != 0;
      sectors[{from[lane] / 32, to[lane] / 32, swapped}] |= 1u << (from[lane] / 16 % 2);
      lookups.insert({from[lane] / 128, to[lane] / 32});
    }
  }
  // A wavefront writes up to four sectors. They come from one 128-byte line, go to one line, and have the same halves.
  // It takes each source sector once, and all its sectors move by even or all by odd distances.
  std::map<std::tuple<uint64_t, uint64_t, bool, unsigned, bool>, unsigned[4]> wavefronts;
  std::map<std::tuple<uint64_t, uint64_t, bool>, std::pair<const unsigned*, unsigned>> turns;
  for (const auto& [way, halves] : sectors) {
    const auto& [source, destination, swapped] = way;
    const bool odd = ((source ^ destination) & 1) != 0;
    unsigned* const group = wavefronts[{source / 4, destination / 4, swapped, halves, odd}];
    turns[way] = {group, group[source % 4]++};
  }
  CopyCost cost;
  cost.sectors = unsigned(sectors.size());
  cost.lookups = unsigned(lookups.size());
  std::map<const unsigned*, unsigned> first;  // first wavefront of each group
  for (const auto& group : wavefronts) {
    first[group.second] = cost.wavefronts;
    cost.wavefronts += *std::max_element(std::begin(group.second), std::end(group.second));
  }
  for (unsigned lane = 0; wavefront_of != nullptr && lane < 32; ++lane) {
    if (mask >> lane & 1) {
      const bool swapped = ((from[lane] ^ to[lane]) & 16) != 0;
      const auto& [group, turn] = turns[{from[lane] / 32, to[lane] / 32, swapped}];
      wavefront_of[lane] = uint8_t(first[group] + turn);
    }
  }
  cost.has_wavefront_of = wavefront_of != nullptr;
  return cost;
}

// Puts each lane in the first wavefront of its group in which no other lane reads or writes one of its banks. Returns
// the number of wavefronts; the count above is never less.
unsigned take_turns(unsigned size, uint32_t mask, const uint64_t* from, const uint64_t* to,
                    uint8_t* wavefront_of) {
  const unsigned lanes = 128 / size;
  unsigned total = 0;
  for (unsigned begin = 0; begin < 32; begin += lanes) {
    std::set<std::pair<unsigned, uint64_t>> read, written;  // wavefront and bank
    unsigned end = total;
    for (unsigned lane = begin; lane < begin + lanes; ++lane) {
      if (mask >> lane & 1) {
        unsigned wavefront = total;
        while (read.count({wavefront, from[lane] % 128 / size}) != 0 ||
               written.count({wavefront, to[lane] % 128 / size}) != 0) {
          ++wavefront;
        }
        read.insert({wavefront, from[lane] % 128 / size});
        written.insert({wavefront, to[lane] % 128 / size});
        wavefront_of[lane] = uint8_t(wavefront);
        end = std::max(end, wavefront + 1);
      }
    }
    total = end;
  }
  return total;
}

}  // namespace

CopyCost copy_cost(unsigned size, uint32_t mask, const uint64_t* from, const uint64_t* to,
                   uint8_t* wavefront_of) {
  if (size == 16) {
    return bypassing_cost(mask, from, to, wavefront_of);
  }
  CopyCost cost;
  std::set<uint64_t> sectors;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (mask >> lane & 1) {
      sectors.insert(from[lane] / 32);
    }
  }
  cost.sectors = cost.lookups = unsigned(sectors.size());
  cost.wavefronts = cached_wavefronts(size, mask, from, to);
  cost.has_wavefront_of =
      wavefront_of != nullptr && take_turns(size, mask, from, to, wavefront_of) == cost.wavefronts;
  return cost;
}

}  // namespace simt
