// Warps that only look again and again whether somebody else has written something: other warps and blocks go on
// meanwhile, those that have not begun as well.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "common/simt/execution/cluster.h"
#include "common/simt/execution/worker.h"
#include "common/simt/execution/workers.h"

namespace simt {
namespace {

// Full logs of waiting warps, without that any warp has done anything else, after which they wait for ever.
constexpr uint64_t kMostIdle = 8192;

std::atomic<unsigned> most{1};  // threads of a block

}  // namespace

unsigned Worker::most_threads() {
  return most;
}

void Worker::note_threads() const {
  if (most < thread_count_) {
    most = thread_count_;  // of a launch: the same for all workers
  }
}

// The block's warps have stopped, and some of them wait so. False if it is the turn of other blocks of the cluster.
bool Worker::wait_for_others() {
  const uint64_t steps = launch_->steps;
  idle_ = steps == steps_seen_ ? idle_ + waiting_warps_ : 0;
  steps_seen_ = steps;
  if (idle_ > kMostIdle) {
    const auto ready = std::find_if(threads_.begin(), threads_.end(),
                                    [](const Thread& t) { return t.state == Thread::Ready; });
    observer_->waits_for_ever(ready->id);
    abandoned_ = true;
  } else if (idle_ != 0 &&
             !(launch_->next < launch_->clusters && !launch_->alone && add_worker())) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return cluster_->size() == 1;
}

}  // namespace simt
