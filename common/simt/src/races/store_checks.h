// Racy stores that are errors only if they change the value. The compiler's callback comes before the store, so this
// class compares the bytes when the thread has stopped.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

namespace simt {

class StoreChecks {
 public:
  // The thread is about to store size bytes (at most 16). Calls `then` later with whether the store changed them.
  template <typename Then>
  void expect(unsigned thread, const void* address, unsigned size, Then then) {
    if (all_.size() == kMost) {
      settle(all_.back().thread, true);
    }
    all_.push_back({address, size, thread, {}, then});
    __builtin_memcpy(all_.back().before, address, size);
  }
  bool empty() const { return all_.empty(); }
  // The thread has stopped. in_store: it has not made its last store yet.
  void settle(unsigned thread, bool in_store);
  // All stores have been made.
  void settle_all();

 private:
  static constexpr size_t kMost = 4096;
  struct StoreCheck {
    const void* address;
    unsigned size, thread;
    unsigned char before[16];
    std::function<void(bool changed)> then;
  };
  std::vector<StoreCheck> all_;
};

}  // namespace simt
