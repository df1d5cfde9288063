// The OS threads that run blocks.
#pragma once
#include <functional>

#include "execution/worker.h"

namespace simt {

// The number in an environment variable, or 0 without it. Anything but a whole number from 1 to
// 100000 ends the program with one line.
int number_asked_for(const char* variable, int least = 1, int most = 100000);

// How many OS threads a launch with clusters of so many blocks uses at most: set_threads(), else SIMT_THREADS, else
// one per core.
int worker_limit(unsigned blocks);

// One more OS thread for the job that runs, because others wait for what a block does that has not begun. False if
// there may be no more.
bool add_worker();

// Runs job(worker) on count OS threads at once, each with its own worker, and returns when all are
// done. The same threads serve every launch, so stacks and shared memory stay where they are. observe
// makes the observer of a new worker. Throws what a worker has thrown, as where memory runs out.
void run_on_workers(int count, Worker::Observe observe, const std::function<void(Worker&)>& job);

}  // namespace simt
