// Errors of threads that do not meet: at a barrier or at an operation of a warp.
#pragma once
#include <vector>

#include "execution/observer.h"
#include "execution/thread.h"
#include "execution/worker.h"

namespace simt {

// The threads of a block when some of them have stopped, and the observer that gets their errors.
struct StoppedBlock {
  const Thread* threads;
  unsigned count;
  uint64_t number;
  Observer& observer;
};

// Whether two calls stand at the same source line.
bool same_place(const RawPlace& a, const RawPlace& b);

// Reports a lane of a warp that waits for lanes that cannot arrive.
void report_warp_divergence(const StoppedBlock& block, unsigned warp, unsigned lane);

// Reports and returns true if not all threads of the block wait at the same barrier.
bool report_barrier_divergence(const StoppedBlock& block, unsigned waiting);

// Reports threads of a block that wait for the grid while some threads cannot arrive.
void report_grid_divergence(Worker& block, const std::vector<Worker*>& all);

// Reports a mask that lacks the lane of the calling thread, or a matrix operation of less than 32 lanes.
void report_bad_mask(const StoppedBlock& block, unsigned thread, WarpOp op, unsigned mask,
                     const RawPlace& stop);

}  // namespace simt
