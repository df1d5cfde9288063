// Errors of threads that do not meet: at a barrier or at an operation of a warp.
#pragma once
#include "common/simt/execution/worker.h"

namespace simt {

// Reports that lane of warp waits for lanes that cannot come.
void report_warp_divergence(Worker& worker, unsigned warp, unsigned lane);

// Reports and returns true if not all threads of the block wait at the same barrier.
bool report_barrier_divergence(Worker& worker, unsigned waiting);

// Reports a mask that lacks the calling lane, or a matrix operation of less than 32 lanes.
void report_bad_mask(Worker& worker, WarpOp op, unsigned mask, const RawPlace& stop);

}  // namespace simt
