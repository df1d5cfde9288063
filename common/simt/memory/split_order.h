// Order in blocks that use split barriers (__mbarrier_t): there it differs from thread to thread, so it
// is kept for each pair of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "common/simt/execution/execution.h"

namespace simt {

// For each thread, the stamp before which its accesses are known to be over.
using Stamps = std::vector<uint32_t>;

struct SplitBarrier {
  size_t offset = 0;  // in the TLS segment
  bool valid = true;
  uint32_t count = 0, arrived = 0;  // arrivals that a phase takes; and that have come
  uint32_t phase = 0;  // number of the running phase
  uint32_t stamp = 0;  // of its first arrival
  Stamps running,
      complete;  // what the arrivals of this phase, and of the one before, have released
  std::vector<uint32_t> last;  // for each thread, one past the last phase that it arrived at
  unsigned maker = 0;  // the thread that initialised it, when and where
  uint32_t made = 0;
  Stop place;
};

// A thread's last read of a cell.
struct LastRead {
  uint32_t stamp;
  uint16_t site;
};

class SplitOrder {
 public:
  SplitOrder() = default;
  SplitOrder(const SplitOrder&) = delete;
  SplitOrder& operator=(const SplitOrder&) = delete;
  ~SplitOrder() { forget(); }

  // From now on in this block. Older reads stay as they are: their stamps tell. Throws std::bad_alloc.
  void begin(unsigned threads, size_t cells);
  void end() { barriers.clear(), active_ = false; }
  bool active() const { return active_; }
  // Stamps start over.
  void forget();
  // Each cell has become two.
  void split_cells();

  // The reads of a thread, by cell.
  LastRead* reads(unsigned thread) { return reads_ + thread * cells_; }
  // Accesses of thread u before known(t)[u] are ordered before what thread t does next.
  Stamps& known(unsigned thread) { return known_[thread]; }
  static void raise(Stamps& to, const Stamps& from);
  // Accesses of any other thread before this are.
  uint32_t least_known(unsigned thread) const;

  std::deque<SplitBarrier> barriers;  // of this block, in the order of their init; none moves

 private:
  LastRead* map(size_t count) const;

  bool active_ = false;
  unsigned threads_ = 0;
  size_t cells_ = 0, room_ = 0;
  LastRead* reads_ = nullptr;
  std::vector<Stamps> known_;
};

}  // namespace simt
