#include "races/store_checks.h"

#include <cstring>
#include <utility>

namespace simt {

void StoreChecks::settle_all() {
  while (!all_.empty()) {
    settle(all_.back().thread, false);
  }
}

void StoreChecks::settle(unsigned thread, bool in_store) {
  std::vector<StoreCheck> now;
  now.swap(all_);
  for (size_t i = 0; i < now.size(); ++i) {
    StoreCheck& each = now[i];
    // Other threads' entries are stores at which they have stopped.
    if (each.thread != thread || (in_store && i + 1 == now.size())) {
      all_.push_back(std::move(each));
    } else {
      each.then(std::memcmp(each.before, each.address, each.size) != 0);
    }
  }
}

}  // namespace simt
