// Stores that are wrong unless they store what is there already: the compiler tells of a store before it is made, so
// what it has changed is seen when its thread has stopped.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace simt {

class Doubts {
 public:
  // The running thread is about to store size bytes (at most 16); `then` learns whether that changed them.
  template <typename Then>
  void expect(unsigned thread, const void* address, unsigned size, Then then) {
    if (all_.size() == kMost) {
      settle(all_.back().thread, true);
    }
    all_.push_back({address, size, thread, {}, then});
    __builtin_memcpy(all_.back().before, address, size);
  }
  bool empty() const { return all_.empty(); }
  // The thread has stopped. in_store: before its last store was made.
  void settle(unsigned thread, bool in_store);
  // All stores have been made.
  void settle_all();

 private:
  static constexpr size_t kMost = 4096;
  struct Doubt {
    const void* address;
    unsigned size, thread;
    unsigned char before[16];
    std::function<void(bool changed)> then;
  };
  std::vector<Doubt> all_;
};

}  // namespace simt
