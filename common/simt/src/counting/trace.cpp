#include "counting/trace.h"

#include <algorithm>
#include <cstring>

#include "program/program.h"

namespace simt {
namespace {

// An entry's position in the code.
uint64_t position(uint64_t e) {
  return entry::is_jump(e) ? entry::jump_block(e)
                           : uint64_t(Sites::get().at(entry::site(e)).pc - text_begin());
}

// Whether two entries are the same access, or jumps from the same block.
bool same(uint64_t a, uint64_t b) {
  return entry::is_jump(a) ? (a ^ b) >> 24 == 0 : (a ^ b) >> 40 == 0;
}

}  // namespace

void Trace::begin_warp() {
  for (unsigned lane = 0; lane < 32; ++lane) {
    ends_[lane] = begin(lane);
  }
}

bool Trace::are_full(uint32_t lanes) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1) != 0 && ends_[lane] != limit(lane)) {
      return false;
    }
  }
  return true;
}

void Trace::merge_all(Tally& tally) {
  merge(tally, 0);
  begin_warp();
}

void Trace::merge_some(Tally& tally, uint32_t running) {
  merge(tally, running);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const size_t rest = size_t(ends_[lane] - next_[lane]);
    std::memmove(begin(lane), next_[lane], rest * sizeof(uint64_t));
    ends_[lane] = begin(lane) + rest;
  }
}

void Trace::merge(Tally& tally, uint32_t running) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    next_[lane] = begin(lane);
  }
  do {
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      lanes |= uint32_t(next_[lane] != ends_[lane]) << lane;
    }
    if (lanes == 0 || (running & ~lanes) != 0) {
      return;  // all logs are empty, or a running lane's next entry is not known yet
    }
    merge_equal(tally, lanes);
  } while (merge_step(tally, running));
}

// Merges while all lanes with entries have the same entry next, which is the usual case.
void Trace::merge_equal(Tally& tally, uint32_t lanes) {
  unsigned list[32];
  unsigned count = 0;
  size_t steps = Trace::kCapacity;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (lanes >> lane & 1) {
      list[count++] = lane;
      steps = std::min(steps, size_t(ends_[lane] - next_[lane]));
    }
  }
  uint64_t offsets[32] = {};
  size_t step = 0;
  for (; step < steps; ++step) {
    const uint64_t first = next_[list[0]][step];
    uint64_t differ = 0;
    for (unsigned i = 0; i < count; ++i) {
      const uint64_t e = next_[list[i]][step];
      differ |= e ^ first;
      offsets[list[i]] = e & entry::kOffset;
    }
    if (entry::is_jump(first) ? differ != 0 : differ >> 40 != 0) {
      break;
    }
    if (!entry::is_jump(first)) {
      tally.request(entry::site(first), (first & entry::kShared) != 0, lanes, offsets);
    }
  }
  for (unsigned i = 0; i < count; ++i) {
    next_[list[i]] += step;
  }
}

// Merges one entry of the lanes that are farthest back in the code. False if it cannot decide yet.
bool Trace::merge_step(Tally& tally, uint32_t running) {
  uint64_t least = ~uint64_t(0), chosen = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (next_[lane] == ends_[lane]) {
      if (running >> lane & 1) {
        return false;
      }
      continue;
    }
    const uint64_t at = position(*next_[lane]);
    if (at < least) {
      least = at;
      chosen = *next_[lane];
    }
  }
  if (least == ~uint64_t(0)) {
    return false;
  }
  uint32_t mask = 0, jumps = entry::kMostJumps;
  uint64_t offsets[32] = {};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (next_[lane] != ends_[lane] && same(*next_[lane], chosen)) {
      mask |= 1u << lane;
      offsets[lane] = *next_[lane] & entry::kOffset;
      jumps = std::min(jumps, entry::jump_count(*next_[lane]));
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) {
      continue;
    }
    if (entry::is_jump(chosen) && entry::jump_count(*next_[lane]) > jumps) {
      *next_[lane] -= jumps;  // this lane has more iterations of the loop left
    } else {
      ++next_[lane];
    }
  }
  if (!entry::is_jump(chosen)) {
    tally.request(entry::site(chosen), (chosen & entry::kShared) != 0, mask, offsets);
  }
  return true;
}

}  // namespace simt
