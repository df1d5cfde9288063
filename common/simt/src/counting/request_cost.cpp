#include "counting/request_cost.h"

#include <algorithm>
#include <cstring>

namespace simt {
namespace {

unsigned log2_of(unsigned size) {
  return unsigned(__builtin_ctz(size));
}

// Counts distinct values among a few.
template <unsigned Most>
class DistinctSet {
 public:
  bool insert(int64_t value) {
    for (unsigned i = count_; i-- > 0;) {
      if (values_[i] == value) {
        return false;
      }
    }
    values_[count_++] = value;
    return true;
  }
  unsigned count() const { return count_; }
  // The number of a value that is in the set, in the order of insertion.
  unsigned find(int64_t value) const {
    return unsigned(std::find(values_, values_ + count_, value) - values_);
  }

 private:
  int64_t values_[Most];
  unsigned count_ = 0;
};

// Rounds towards minus infinity. Lanes can have addresses below that of the lowest lane.
int64_t divide(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

}  // namespace

Pattern::Pattern(uint32_t mask, const int32_t* deltas, uint32_t id) : id_(id), mask_(mask) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    deltas_[lane] = mask >> lane & 1 ? deltas[lane] : 0;
    low_bits_ |= uint32_t(deltas_[lane]) & 15;
    uniform_ = uniform_ && deltas_[lane] == 0;
  }
}

bool Pattern::equals(uint32_t mask, const int32_t* deltas) const {
  return mask == mask_ && std::memcmp(deltas, deltas_, sizeof deltas_) == 0;
}

unsigned Pattern::sectors(unsigned size, uint64_t first) {
  uint8_t& known = sectors_[log2_of(size)][first % 32];
  if (known == 0) {
    known = uint8_t(count_pieces(32, size, first % 32));
  }
  return known;
}

unsigned Pattern::lines(unsigned size, uint64_t first) {
  if (first % 2 != 0) {
    return count_pieces(128, size, first % 128);
  }
  uint8_t& known = lines_[log2_of(size)][first % 128 / 2];
  if (known == 0) {
    known = uint8_t(count_pieces(128, size, first % 128));
  }
  return known;
}

unsigned Pattern::wavefronts(unsigned size, uint64_t first, bool merge) {
  uint8_t& known = wavefronts_[merge][log2_of(size)][first % 4];
  if (known == 0) {
    known = uint8_t(count_wavefronts(size, first % 4, merge, nullptr));
  }
  return known;
}

unsigned Pattern::words(unsigned size, uint64_t first) {
  uint8_t& known = words_[log2_of(size)][first % 4];
  if (known == 0) {
    known = uint8_t(count_words(size, first % 4));
  }
  return known;
}

unsigned Pattern::count_pieces(unsigned bytes, unsigned size, unsigned first) const {
  DistinctSet<64> pieces;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (mask_ >> lane & 1) {
      const int64_t begin = int64_t(first) + deltas_[lane];
      pieces.insert(divide(begin, bytes));
      pieces.insert(divide(begin + size - 1, bytes));
    }
  }
  return pieces.count();
}

// A request of 8 or 16 bytes per lane takes half or a quarter of the warp at a time. Two such parts share a wavefront
// if, throughout the warp, neighbouring lanes (or each lane and the next but one) have the same address. In a wavefront
// each bank delivers one word; equal words count once.
unsigned Pattern::count_wavefronts(unsigned size, unsigned first, bool merge,
                                   uint8_t (*wavefront_of)[4]) const {
  unsigned lanes = size == 16 ? 8 : size == 8 ? 16 : 32;
  if (merge && lanes < 32) {
    bool pairs[2] = {true, true};
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned step = 0; step < 2; ++step) {
        const unsigned other = lane ^ (1u << step);
        if ((mask_ >> lane & 1) != 0 && (mask_ >> other & 1) != 0 &&
            deltas_[lane] != deltas_[other]) {
          pairs[step] = false;
        }
      }
    }
    lanes *= pairs[0] || pairs[1] ? 2 : 1;
  }
  const unsigned words = size < 4 ? 1 : size / 4;
  unsigned total = 0;
  for (unsigned begin = 0; begin < 32; begin += lanes) {
    DistinctSet<128> seen;
    uint8_t wavefront_of_word[128];  // by number of the word in `seen`
    unsigned in_bank[32] = {};
    unsigned most = 0;
    for (unsigned lane = begin; lane < begin + lanes; ++lane) {
      for (unsigned word = 0; (mask_ >> lane & 1) != 0 && word < words; ++word) {
        const int64_t at = divide(int64_t(first) + deltas_[lane], 4) + word;
        if (seen.insert(at)) {
          wavefront_of_word[seen.count() - 1] = uint8_t(total + in_bank[at & 31]);
          most = std::max(most, ++in_bank[at & 31]);
        }
        if (wavefront_of != nullptr) {
          wavefront_of[lane][word] = wavefront_of_word[seen.find(at)];
        }
      }
    }
    total += most;
  }
  return total;
}

unsigned Pattern::count_words(unsigned size, unsigned first) const {
  DistinctSet<128> seen;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned word = 0; (mask_ >> lane & 1) != 0 && word < std::max(1u, size / 4); ++word) {
      seen.insert(divide(int64_t(first) + deltas_[lane], 4) + word);
    }
  }
  return seen.count();
}

Pattern& Patterns::get(uint32_t mask, const int32_t* deltas) {
  uint64_t hash = mask;
  for (unsigned lane = 0; lane < 32; ++lane) {
    hash = (hash ^ uint32_t(deltas[lane])) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  const auto range = table_.equal_range(hash);
  for (auto it = range.first; it != range.second; ++it) {
    if (it->second.equals(mask, deltas)) {
      return it->second;
    }
  }
  const auto added = table_.emplace(hash, Pattern(mask, deltas, uint32_t(patterns_.size())));
  patterns_.push_back(&added->second);
  return added->second;
}

}  // namespace simt
