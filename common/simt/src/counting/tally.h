// Counts the costs of the requests of a worker's warps, by site.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "counting/fusion.h"
#include "counting/request_cost.h"
#include "counting/sites.h"
#include "simt/report.h"

namespace simt {

// Costs of one site. In global memory, wavefronts are sectors.
struct SiteTally {
  SharedTraffic global, shared, fused;
  uint64_t lookups = 0;  // of copies
  uint64_t lines = 0;  // 128-byte lines of global memory, by loads and stores of threads
  uint64_t lowest = ~uint64_t(0);  // offset of the lowest request, which identifies the array
  Pattern* last = nullptr;  // of the previous request
  uint32_t interval = 0,
           turn = 0;  // place of the site's first request in the block's last interval with one

  void clear() {
    global = shared = fused = SharedTraffic();
    lookups = lines = 0;
    lowest = ~uint64_t(0);
  }
  void add(const SiteTally& other);
};

// Receives each request to global memory.
class GlobalRequests {
 public:
  virtual ~GlobalRequests() = default;
  // Without a pattern, some lanes may have kNoAddress.
  virtual void request(uint32_t site, uint32_t mask, const uint64_t* offsets,
                       const Pattern* pattern) = 0;
};

class Tally {
 public:
  explicit Tally(GlobalRequests& global) : global_(global) {}

  // A request of the lanes in mask; offsets[lane] is relative to the space's start.
  void request(uint32_t site, bool shared, uint32_t mask, const uint64_t* offsets);
  // Dynamic shared memory, at these offsets, begins after that many bytes of a GPU's shared memory. The cost of
  // asynchronous copies depends on it.
  void place_dynamic(uint64_t offset, uint64_t bytes, uint64_t after) {
    dynamic_begin_ = offset;
    dynamic_bytes_ = bytes;
    dynamic_shift_ = after % 128;
  }
  // All lanes of the warp are at a barrier or have exited.
  void end_interval();
  void multiply(uint32_t site) { ++tally(site).global.requests; }
  // All warps of the block are at a barrier, or a block begins.
  void begin_interval() { ++interval_; }
  // Whether warps have made requests of both sites in this interval of the block.
  bool have_run(uint32_t a, uint32_t b) const {
    return std::max(a, b) < sites_.size() && sites_[a].interval == interval_ &&
           sites_[b].interval == interval_;
  }
  // The order of two such sites, by the first request of each.
  bool is_earlier(uint32_t a, uint32_t b) const { return sites_[a].turn < sites_[b].turn; }

  const std::vector<SiteTally>& sites() const { return sites_; }
  void clear();
  void drop_interval() { fusion_.drop(); }

 private:
  SiteTally& tally(uint32_t site) {
    if (site >= sites_.size()) {
      sites_.resize(Sites::get().count());
    }
    SiteTally& tally = sites_[site];
    if (__builtin_expect(tally.interval != interval_, 0)) {
      tally.interval = interval_;
      tally.turn = ++turns_;
    }
    return tally;
  }
  void copy_source(uint32_t number, unsigned size, uint32_t mask, const uint64_t* offsets);
  void copy_request(uint32_t number, unsigned size, uint32_t mask, const uint64_t* offsets);
  Pattern& pattern_of(SiteTally& tally, uint32_t mask, const uint64_t* offsets);
  void shared_request(uint32_t number, const Site& site, SiteTally& tally, Pattern& pattern,
                      uint64_t first, WatchedEvent* event);
  // An event for the caller to complete, if a Watch is set.
  static WatchedEvent* watch(uint32_t number, bool shared, uint32_t mask, const uint64_t* at) {
    Watch* const watch = Watch::current();
    return watch != nullptr ? watch->add(number, shared, mask, at) : nullptr;
  }

  GlobalRequests& global_;
  std::vector<SiteTally> sites_;
  Patterns patterns_;
  Fusion fusion_;
  uint32_t interval_ = 1, turns_ = 0;
  uint64_t dynamic_begin_ = 0, dynamic_bytes_ = 0, dynamic_shift_ = 0;
  uint64_t copied_from_[32] = {};  // the source of each lane's last copy, or kNoAddress
};

}  // namespace simt
