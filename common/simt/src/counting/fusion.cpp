#include "counting/fusion.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "program/program.h"

namespace simt {
namespace {

unsigned widest = 16;
std::map<std::string, unsigned> widest_of;  // by array; other arrays have `widest`
unsigned settings = 0;  // grows with each change of the two

// The widest load from the array at an offset in the TLS segment.
unsigned widest_load(uint64_t offset) {
  if (widest_of.empty()) {
    return widest;
  }
  const auto found = widest_of.find(shared_array(offset));
  return found != widest_of.end() ? found->second : widest;
}

bool before(const SharedRequest& a, const SharedRequest& b) {
  return std::tie(a.store, a.pattern, a.size, a.first, a.site) <
         std::tie(b.store, b.pattern, b.size, b.first, b.site);
}

// One step: pairs of requests of `size` bytes become requests of twice the size.
void fuse_pairs(std::vector<SharedRequest>& requests, unsigned size, Patterns& patterns) {
  std::sort(requests.begin(), requests.end(), before);
  std::vector<SharedRequest> result;
  std::vector<bool> gone(requests.size(), false);
  size_t partner = 0;
  for (size_t i = 0; i < requests.size(); ++i) {
    const SharedRequest& low = requests[i];
    if (gone[i] || low.size != size || !patterns.at(low.pattern).aligned(2 * size, low.first) ||
        2 * size > (low.store ? widest : widest_load(low.first))) {
      continue;
    }
    SharedRequest wanted = low;
    wanted.first += size;
    wanted.site = 0;
    partner = size_t(
        std::lower_bound(requests.begin() + std::ptrdiff_t(i), requests.end(), wanted, before) -
        requests.begin());
    // If several requests have the same address, each takes another partner.
    while (partner < requests.size() && gone[partner] && requests[partner].first == wanted.first) {
      ++partner;
    }
    if (partner == requests.size()) {
      continue;
    }
    const SharedRequest& high = requests[partner];
    if (!gone[partner] && high.first == wanted.first && high.size == size &&
        high.pattern == low.pattern && high.store == low.store) {
      gone[i] = gone[partner] = true;
      SharedRequest both = low;
      both.size = uint8_t(2 * size);
      result.push_back(both);
    }
  }
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!gone[i]) {
      result.push_back(requests[i]);
    }
  }
  requests = std::move(result);
}

}  // namespace

void set_fusion(unsigned bytes) {
  widest = bytes;
  ++settings;
}

void set_fusion(const std::string& array, unsigned bytes) {
  widest_of[array] = bytes;
  ++settings;
}

void Fusion::drop() {
  requests_.clear();
  hash_ = 0;
}

const std::vector<FusedCost>& Fusion::finish(Patterns& patterns) {
  static const std::vector<FusedCost> nothing;
  if (requests_.empty()) {
    return nothing;
  }
  if (known_.size() > 10000 || settings_ != settings) {
    settings_ = settings;
    known_.clear();
  }
  const auto found = known_.find(hash_);
  std::vector<FusedCost>& costs =
      found != known_.end() ? found->second : known_.emplace(hash_, fuse(patterns)).first->second;
  drop();
  return costs;
}

std::vector<FusedCost> Fusion::fuse(Patterns& patterns) {
  std::vector<SharedRequest> requests = std::move(requests_);
  for (unsigned size = 1; 2 * size <= 16; size *= 2) {
    fuse_pairs(requests, size, patterns);
  }
  std::map<uint32_t, SharedTraffic> sites;
  for (const SharedRequest& request : requests) {
    Pattern& pattern = patterns.at(request.pattern);
    SharedTraffic& traffic = sites[request.site];
    traffic.requests += 1;
    traffic.wavefronts += pattern.wavefronts(request.size, request.first, true);
    traffic.ideal += pattern.ideal(request.size, request.first);
    traffic.bytes += uint64_t(pattern.lanes()) * request.size;
  }
  std::vector<FusedCost> costs;
  costs.reserve(sites.size());
  for (const auto& [site, traffic] : sites) {
    costs.push_back({site, traffic});
  }
  return costs;
}

}  // namespace simt
