#include "common/simt/tally.h"

#include <algorithm>

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
  lowest = std::min(lowest, other.lowest);
}

void Tally::clear() {
  for (SiteTally& site : sites_) {
    site.clear();
  }
}

void Tally::request(uint32_t number, bool shared, uint32_t mask, const uint64_t* offsets) {
  SiteTally& tally = this->tally(number);
  const Site& site = Sites::get().at(number);
  if (!shared) {
    if (site.access == Access::AsyncLoad) {
      for (unsigned lane = 0; lane < 32; ++lane) {
        mask &= ~(uint32_t(offsets[lane] == kNoAddress) << lane);
      }
      if (mask == 0) {
        return;
      }
    }
    ++tally.global.requests;
  }
  const uint64_t first = offsets[__builtin_ctz(mask)];
  tally.lowest = std::min(tally.lowest, first);
  int32_t deltas[32];
  uint64_t far = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const int64_t delta = (mask >> lane & 1) != 0 ? int64_t(offsets[lane] - first) : 0;
    deltas[lane] = int32_t(delta);
    far |= uint64_t(delta + (int64_t(1) << 31)) >> 32;
  }
  if (far != 0) {
    // More than 2 GB apart: what matters is only that such lanes share no sector.
    for (unsigned lane = 0; lane < 32; ++lane) {
      deltas[lane] = int32_t((deltas[lane] & 31) | int(lane) << 16);
    }
  }
  Pattern* pattern = tally.last;
  if (pattern == nullptr || !pattern->equals(mask, deltas)) {
    tally.last = pattern = &patterns_.get(mask, deltas);
  }
  if (shared) {
    shared_request(number, site, tally, *pattern, first);
  } else {
    tally.global.wavefronts += pattern->sectors(site.size, first);
    tally.global.bytes += uint64_t(pattern->lanes()) * site.size;
  }
}

void Tally::shared_request(uint32_t number, const Site& site, SiteTally& tally, Pattern& pattern,
                           uint64_t first) {
  const uint64_t bytes = uint64_t(pattern.lanes()) * site.size;
  const bool matrix = site.access == Access::MatrixLoad;
  tally.shared.requests += 1;
  tally.shared.wavefronts += pattern.wavefronts(site.size, first, !matrix);
  tally.shared.ideal += pattern.ideal(site.size, first);
  tally.shared.bytes += bytes;
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
