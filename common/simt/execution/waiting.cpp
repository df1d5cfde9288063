// Warps that only look again and again whether somebody else has written something: other warps and blocks go on
// meanwhile, those that have not begun as well.
#include <algorithm>
#include <chrono>
#include <thread>

#include "common/simt/execution/worker.h"
#include "common/simt/execution/workers.h"

namespace simt {
namespace {

// Full logs of waiting warps, without that any warp has done anything else, after which they wait for ever.
constexpr uint64_t kMostIdle = 8192;

}  // namespace

// The block's warps have stopped, and some of them wait so.
bool Worker::wait_for_others() {
  const uint64_t steps = launch_->steps;
  idle_ = steps == steps_seen_ ? idle_ + waiting_warps_ : 0;
  steps_seen_ = steps;
  waiting_warps_ = 0;
  if (idle_ > kMostIdle) {
    const auto ready = std::find_if(threads_.begin(), threads_.end(),
                                    [](const Thread& t) { return t.state == Thread::Ready; });
    observer_->waits_for_ever(ready->id);
    abandoned_ = true;
  } else if (idle_ != 0 && !(launch_->next < launch_->blocks && !launch_->alone && add_worker())) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

}  // namespace simt
