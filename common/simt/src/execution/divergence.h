// Reports threads that do not meet at a barrier or at a warp operation.
#pragma once
#include <vector>

#include "execution/observer.h"
#include "execution/thread.h"
#include "execution/worker.h"

namespace simt {

// A block whose threads have stopped, and the observer that records its errors.
struct StoppedBlock {
  const Thread* threads;
  unsigned count;
  uint64_t number;
  uint64_t barriers;  // that the worker's blocks have passed
  Observer& observer;
};

// True if two calls are in the same source line.
bool same_place(const RawPlace& a, const RawPlace& b);

// Reports a lane of a warp that waits for lanes that cannot arrive.
void report_warp_divergence(const StoppedBlock& block, unsigned warp, unsigned lane);

// Reports and returns true if the threads of the block do not all wait at the same barrier.
bool report_barrier_divergence(const StoppedBlock& block, unsigned waiting);

// Reports a thread of `block` that waits at a grid barrier that some threads cannot reach.
void report_grid_divergence(Worker& block, const std::vector<Worker*>& all);

// Reports a mask that lacks the calling lane, or a matrix operation with fewer than 32 lanes.
void report_bad_mask(const StoppedBlock& block, unsigned thread, WarpOp op, unsigned mask,
                     const RawPlace& stop);

}  // namespace simt
