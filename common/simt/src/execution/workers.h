// The OS threads that run blocks.
#pragma once
#include <functional>

#include "execution/worker.h"

namespace simt {

// Returns the number in an environment variable, or 0 if it is not set. Any value other than an integer from least to
// most ends the program with a message and exit code 2.
int number_asked_for(const char* variable, int least = 1, int most = 100000);

// Whether products of tensor cores cut their sums off as Hopper's do: SIMT_TENSOR_SUMS=hopper when the launch began.
bool sums_are_cut();

// Returns the most OS threads for a launch with clusters of this many blocks: set_threads(), else SIMT_THREADS, else
// one per core. The number of stacks limits it, too.
int worker_limit(unsigned blocks);

// Adds an OS thread to the running job, because blocks wait for a block that has not started. False at the limit.
bool add_worker();

// Runs job(worker) on `count` OS threads, each with its own worker, and returns when all are done. The same threads
// serve every launch, so stacks and shared memory keep their addresses. `observe` creates a new worker's observer.
// Rethrows a worker's exception, such as std::bad_alloc.
void run_on_workers(int count, Worker::Observe observe, const std::function<void(Worker&)>& job);

}  // namespace simt
