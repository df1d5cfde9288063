#include "common/simt/counting/watch.h"

#include <cstring>

namespace simt {

Watch* Watch::current_ = nullptr;

WatchedEvent* Watch::add(uint32_t site, bool shared, uint32_t mask, const uint64_t* at) {
  const bool stores = site != 0 && !shared && Sites::get().at(site).access == Access::Store;
  if (!stores && !follows(now_block_, now_warp_)) {
    return nullptr;
  }
  WatchedEvent event;
  event.block = now_block_;
  event.warp = now_warp_;
  event.site = site;
  event.shared = shared;
  event.mask = mask;
  std::memset(event.passes, kNoPass, sizeof event.passes);
  for (unsigned lane = 0; lane < 32; ++lane) {
    event.at[lane] = at != nullptr && (mask >> lane & 1) != 0 ? at[lane] : 0;
  }
  events_.push_back(event);
  return &events_.back();
}

}  // namespace simt
