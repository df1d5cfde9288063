#include "counting/tally.h"

#include <algorithm>

#include "counting/copy_cost.h"

namespace simt {

void SiteTally::add(const SiteTally& other) {
  const auto sum = [](SharedTraffic& a, const SharedTraffic& b) {
    a.requests += b.requests;
    a.wavefronts += b.wavefronts;
    a.ideal += b.ideal;
    a.bytes += b.bytes;
  };
  sum(global, other.global);
  sum(shared, other.shared);
  sum(fused, other.fused);
  lookups += other.lookups;
  lines += other.lines;
  lowest = std::min(lowest, other.lowest);
}

void Tally::clear() {
  for (SiteTally& site : sites_) {
    site.clear();
  }
}

void Tally::request(uint32_t number, bool shared, uint32_t mask, const uint64_t* offsets) {
  const Site& site = Sites::get().at(number);
  if (site.access >= Access::Multiply) {
    watch(number, shared, mask, offsets);
    return;
  }
  if (site.access == Access::AsyncLoad) {
    return copy_source(number, site.size, mask, offsets);
  }
  if (site.access == Access::AsyncStore) {
    return copy_request(number, site.size, mask, offsets);
  }
  SiteTally& tally = this->tally(number);
  const uint64_t first = offsets[__builtin_ctz(mask)];
  tally.lowest = std::min(tally.lowest, first);
  Pattern& pattern = pattern_of(tally, mask, offsets);
  WatchedEvent* const event = watch(number, shared, mask, offsets);
  if (shared) {
    shared_request(number, site, tally, pattern, first, event);
  } else {
    global_.request(number, mask, offsets, &pattern);
    const unsigned sectors = pattern.sectors(site.size, first);
    ++tally.global.requests;
    tally.global.wavefronts += sectors;
    tally.global.ideal += pattern.least_sectors(site.size, first);
    tally.global.bytes += uint64_t(pattern.lanes()) * site.size;
    tally.lines += pattern.lines(site.size, first);
    if (event != nullptr) {
      event->sectors = sectors;
    }
  }
}

Pattern& Tally::pattern_of(SiteTally& tally, uint32_t mask, const uint64_t* offsets) {
  const uint64_t first = offsets[__builtin_ctz(mask)];
  int32_t deltas[32];
  uint64_t far = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const int64_t delta = (mask >> lane & 1) != 0 ? int64_t(offsets[lane] - first) : 0;
    deltas[lane] = int32_t(delta);
    far |= uint64_t(delta + (int64_t(1) << 31)) >> 32;
  }
  if (far != 0) {
    // The lanes are more than 2 GB apart. Any deltas will do that share no sector.
    for (unsigned lane = 0; lane < 32; ++lane) {
      deltas[lane] = int32_t((deltas[lane] & 31) | int(lane) << 16);
    }
  }
  if (tally.last == nullptr || !tally.last->equals(mask, deltas)) {
    tally.last = &patterns_.get(mask, deltas);
  }
  return *tally.last;
}

// The first half of a copy. Its cost depends on the destination, which is the next entry of the log.
void Tally::copy_source(uint32_t number, unsigned size, uint32_t mask, const uint64_t* offsets) {
  global_.request(number, mask, offsets, nullptr);
  SiteTally& tally = this->tally(number);
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (mask >> lane & 1) {
      copied_from_[lane] = offsets[lane];
      if (offsets[lane] != kNoAddress) {
        ++lanes;
        tally.lowest = std::min(tally.lowest, offsets[lane]);
      }
    }
  }
  tally.global.requests += lanes != 0;
  tally.global.ideal += (lanes * size + 31) / 32;
  tally.global.bytes += uint64_t(lanes) * size;
}

// Lanes that copy and lanes that only write zeros take separate requests.
void Tally::copy_request(uint32_t number, unsigned size, uint32_t mask, const uint64_t* offsets) {
  SiteTally& tally = this->tally(number);
  uint32_t zeros = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    zeros |= uint32_t((mask >> lane & 1) != 0 && copied_from_[lane] == kNoAddress) << lane;
  }
  for (const uint32_t lanes : {mask & ~zeros, zeros}) {
    if (lanes == 0) {
      continue;
    }
    const unsigned lowest = unsigned(__builtin_ctz(lanes));
    Pattern& pattern = pattern_of(tally, lanes, offsets);
    tally.lowest = std::min(tally.lowest, offsets[lowest]);
    ++tally.shared.requests;
    tally.shared.ideal += pattern.ideal(size, offsets[lowest]);
    tally.shared.bytes += uint64_t(pattern.lanes()) * size;
    WatchedEvent* const event = watch(number, true, lanes, offsets);
    if (lanes == zeros) {
      const unsigned wavefronts = pattern.wavefronts(size, offsets[lowest], true);
      tally.shared.wavefronts += wavefronts;
      if (event != nullptr) {
        event->from.assign(size_t(32) * (size / 4), kNoAddress);
        event->wavefronts = wavefronts;
        event->has_wavefront_of =
            pattern.wavefronts(size, offsets[lowest], true, event->wavefront_of) == wavefronts;
      }
    } else {
      uint8_t wavefront_of[32];
      uint64_t to[32];
      for (unsigned lane = 0; lane < 32; ++lane) {
        const bool dynamic = offsets[lane] - dynamic_begin_ < dynamic_bytes_;
        to[lane] = offsets[lane] + (dynamic ? dynamic_shift_ : 0);
      }
      const CopyCost cost =
          copy_cost(size, lanes, copied_from_, to, event != nullptr ? wavefront_of : nullptr);
      if (event != nullptr) {
        event->sectors = cost.sectors;
        event->wavefronts = cost.wavefronts;
        event->has_wavefront_of = cost.has_wavefront_of;
        for (unsigned lane = 0; lane < 32; ++lane) {
          for (unsigned word = 0; word < size / 4; ++word) {
            event->wavefront_of[lane][word] = wavefront_of[lane];
            event->from.push_back(copied_from_[lane] == kNoAddress
                                      ? kNoAddress
                                      : copied_from_[lane] + uint64_t(4) * word);
          }
        }
      }
      SiteTally& source = this->tally(Sites::get().find(Sites::get().at(number).pc));
      source.global.wavefronts += cost.sectors;
      source.lookups += cost.lookups;
      tally.shared.wavefronts += cost.wavefronts;
    }
  }
}

void Tally::shared_request(uint32_t number, const Site& site, SiteTally& tally, Pattern& pattern,
                           uint64_t first, WatchedEvent* event) {
  const uint64_t bytes = uint64_t(pattern.lanes()) * site.size;
  const bool matrix = site.access == Access::MatrixLoad;
  tally.shared.requests += 1;
  const unsigned wavefronts = pattern.wavefronts(site.size, first, !matrix);
  tally.shared.wavefronts += wavefronts;
  tally.shared.ideal += pattern.ideal(site.size, first);
  tally.shared.bytes += bytes;
  if (event != nullptr) {
    event->wavefronts = wavefronts;
    event->ideal = pattern.ideal(site.size, first);
    event->has_wavefront_of =
        pattern.wavefronts(site.size, first, !matrix, event->wavefront_of) == wavefronts;
  }
  if (site.access == Access::Load || site.access == Access::Store) {
    fusion_.add({first, pattern.id(), uint16_t(number), site.size, site.access == Access::Store});
  }
}

void Tally::end_interval() {
  for (const FusedCost& cost : fusion_.finish(patterns_)) {
    SharedTraffic& fused = tally(cost.site).fused;
    fused.requests += cost.traffic.requests;
    fused.wavefronts += cost.traffic.wavefronts;
    fused.ideal += cost.traffic.ideal;
    fused.bytes += cost.traffic.bytes;
  }
}

}  // namespace simt
