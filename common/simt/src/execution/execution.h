// Runs the threads of blocks. An Observer handles memory, counts and reports.
//
//   launch_state.h  the state of a running launch, and the limits of shared memory
//   workers.h       the OS threads: run_on_workers()
//   cluster.h       the blocks of a cluster, which take turns on one OS thread
//   residents.h     all blocks of a cooperative launch, on one OS thread
//   worker.h        one block: warps, barriers, operations of a warp
//   thread.h        a thread of a block, and the operations of a warp
//   observer.h      the interface through which execution reports what threads do
//   raw_error.h     an error with addresses of instructions, before their lines are known
//
// Inside: os_thread.h starts an OS thread; fiber.h switches between the threads of a block; rounds.cpp selects the
// threads that continue when all have stopped; divergence.h reports threads that miss a barrier or a warp operation;
// faults.h catches division by zero, stack overflow and abort() in a kernel.
#pragma once
#include "execution/cluster.h"
#include "execution/faults.h"
#include "execution/launch_state.h"
#include "execution/observer.h"
#include "execution/raw_error.h"
#include "execution/residents.h"
#include "execution/worker.h"
#include "execution/workers.h"
