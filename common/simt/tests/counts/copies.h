// Asynchronous copies of one warp in many patterns. copies.cu makes them on a GPU, for collect.sh to
// count what they cost; common/simt/tests/counts/copies_test.cpp holds copy_cost() against these counts.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

struct Copy {
  unsigned size = 0;  // bytes per lane
  uint32_t mask = ~0u;  // lanes that copy
  uint32_t from[32] = {}, to[32] = {};  // offsets in bytes, from where 128 divides the address
};

constexpr unsigned kSource = 1 << 16, kShared = 40 * 1024;  // bytes that the offsets stay below

// The same numbers everywhere, unlike std::shuffle().
class Shuffler {
 public:
  // `count` different numbers below `range`.
  std::vector<uint32_t> pick(unsigned count, unsigned range) {
    std::vector<uint32_t> all(range);
    for (unsigned i = 0; i < range; ++i) all[i] = i;
    for (unsigned i = 0; i < count; ++i) std::swap(all[i], all[i + next() % (range - i)]);
    all.resize(count);
    return all;
  }
  uint32_t next() {
    return uint32_t((state_ = state_ * 6364136223846793005u + 1442695040888963407u) >> 33);
  }

 private:
  uint64_t state_ = 1;
};

// Rows of `lanes` lanes: source rows `pitch` bytes apart, destination rows with `pad` bytes between.
inline Copy rows(unsigned size, unsigned lanes, unsigned pitch, unsigned pad, unsigned from,
                 unsigned to) {
  Copy copy;
  copy.size = size;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned row = lane / lanes, column = lane % lanes * size;
    copy.from[lane] = from + row * pitch + column;
    copy.to[lane] = to + row * (lanes * size + pad) + column;
  }
  return copy;
}

// The same rows, of elements of `size` bytes, that become columns: `ld` elements from one to the next.
inline Copy transposed(unsigned size, unsigned lanes, unsigned ld, unsigned from) {
  Copy copy = rows(size, lanes, 1024, 0, from, 0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    copy.to[lane] = (lane % lanes * ld + lane / lanes) * size;
  }
  return copy;
}

// Each lane from and to anywhere among `range` places, in groups of neighbours that stay together.
inline Copy scattered(unsigned size, unsigned range, unsigned group, uint32_t mask,
                      Shuffler& shuffler) {
  Copy copy;
  copy.size = size;
  copy.mask = mask;
  const std::vector<uint32_t> from = shuffler.pick(32 / group, range / group);
  const std::vector<uint32_t> to = shuffler.pick(32 / group, range / group);
  for (unsigned lane = 0; lane < 32; ++lane) {
    copy.from[lane] = (from[lane / group] * group + lane % group) * size;
    copy.to[lane] = (to[lane / group] * group + lane % group) * size;
  }
  return copy;
}

inline std::vector<Copy> copies() {
  std::vector<Copy> all;
  Shuffler shuffler;
  for (unsigned size : {16, 8, 4}) {
    for (unsigned lanes : {1, 2, 4, 8, 16, 32}) {
      for (unsigned pitch :
           {lanes * size, std::max(512u, lanes * size), 1024 + (lanes + 1) * size}) {
        for (unsigned pad : {0, 16, 32}) {
          for (unsigned shift = 0; shift < (size == 16 ? 4 : 2); ++shift) {
            all.push_back(rows(size, lanes, pitch, pad, shift % 2 * size, shift / 2 * size));
          }
        }
      }
      for (unsigned ld : {32, 36, 64, 68}) {
        if (size < 16) all.push_back(transposed(size, lanes, ld, 0));
      }
    }
    for (uint32_t mask : {1u, 0xfu, 0xffu, 0xffffu, 0x55555555u, 0x33333333u, 0xfffffff0u}) {
      all.push_back(rows(size, 32, 0, 0, 0, 0));
      all.back().mask = mask;
      all.push_back(rows(size, 4, 80, 16, 0, size));
      all.back().mask = mask;
    }
    for (unsigned range : {32, 64, 2048}) {
      for (unsigned group : {1, 2, 4}) {
        for (unsigned n = 0; n < 4; ++n) {
          const uint32_t mask = n == 0 ? shuffler.next() | 1 : ~0u;
          all.push_back(scattered(size, range, group, mask, shuffler));
        }
      }
    }
  }
  return all;
}
