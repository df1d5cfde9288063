// Fuses a warp's shared accesses as nvcc does: neighbouring scalars become vectors.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "counting/request_cost.h"
#include "simt/report.h"

namespace simt {

// A shared load or store of a warp.
struct SharedRequest {
  uint64_t first;  // offset of the lowest lane's address
  uint32_t pattern;  // the pattern's number in Patterns
  uint16_t site;
  uint8_t size;
  bool store;
};

struct FusedCost {
  uint32_t site;  // of the lowest address of a vector
  SharedTraffic traffic;
};

// Collects the requests of one warp between two barriers. Two requests of equal size and pattern become one of twice
// the size, up to 16 bytes, if they are neighbours in memory and all lanes are aligned.
class Fusion {
 public:
  void add(const SharedRequest& request) {
    requests_.push_back(request);
    hash_ = (hash_ ^ request.first ^ uint64_t(request.pattern) << 32) * 0x9e3779b97f4a7c15u;
    hash_ = (hash_ ^ (hash_ >> 31) ^ request.site) * 0xbf58476d1ce4e5b9u;
  }
  // The costs after fusing. Forgets the requests.
  const std::vector<FusedCost>& finish(Patterns& patterns);
  void drop();

 private:
  std::vector<FusedCost> fuse(Patterns& patterns);

  std::vector<SharedRequest> requests_;
  uint64_t hash_ = 0;
  unsigned settings_ = 0;  // the settings for which known_ holds
  // Results by the hash of an interval: most intervals repeat an earlier one.
  std::unordered_map<uint64_t, std::vector<FusedCost>> known_;
};

}  // namespace simt
