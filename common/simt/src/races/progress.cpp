#include "races/progress.h"

#include <algorithm>
#include <string>
#include <utility>

namespace simt {
namespace {

// A thread that has filled so many logs is in an endless loop.
constexpr uint32_t kTired = 1u << 16;
// Limits for a block that repeats itself: barriers times threads; and barriers, if its accesses are not logged.
constexpr uint64_t kMostSameRounds = uint64_t(1) << 24, kMostRounds = uint64_t(1) << 22;

}  // namespace

void Progress::begin_block() {
  std::fill(effort_.begin(), effort_.end(), 0);
  rounds_ = same_rounds_ = interval_hash_ = 0;
}

void Progress::tire(uint32_t logs, const RawPlace& place) {
  uint32_t& effort = effort_[worker_.running().id];
  effort += logs;
  if (effort > kTired) {
    worker_.launch().stop_after(worker_.block());
    findings_.report_and_abandon(ErrorKind::Endless, place, "makes no progress: an endless loop?");
  }
}

void Progress::waits_for_ever(unsigned thread, const RawPlace& place) {
  RawError error;
  error.kind = ErrorKind::Endless;
  error.what = "waits for a value that no thread writes: an endless loop?";
  error.here = {place, thread, worker_.block()};
  findings_.add(std::move(error));
  worker_.launch().stop_after(worker_.block());
}

bool Progress::goes_on(const char* barrier, bool logged) {
  if (!goes_round(logged)) {
    return true;
  }
  RawError error;
  error.kind = ErrorKind::Endless;
  error.what = std::string("comes to this ") + barrier +
               " again and again with the same accesses to memory: an endless loop?";
  error.here = {worker_.thread(0).stop, 0, worker_.block()};
  findings_.add(std::move(error));
  worker_.launch().stop_after(worker_.block());
  return false;
}

// Whether the block has passed many barriers while thread 0 made no access that it had not made recently. If accesses
// are not logged, the number of barriers decides.
bool Progress::goes_round(bool logged) {
  uint64_t& oldest = hashes_[rounds_++ % hashes_.size()];
  const bool seen = std::find(hashes_.begin(), hashes_.end(), interval_hash_) != hashes_.end();
  same_rounds_ = seen ? same_rounds_ + 1 : 0;
  oldest = interval_hash_;
  interval_hash_ = 0;
  return logged ? same_rounds_ * worker_.thread_count() > kMostSameRounds : rounds_ > kMostRounds;
}

}  // namespace simt
