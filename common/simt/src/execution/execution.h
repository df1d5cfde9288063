// Runs the threads of blocks. Memory, counts and reports are an Observer's business.
//
//   launch_state.h  a launch while it runs, and the limits of shared memory
//   workers.h       the OS threads: run_on_workers()
//   cluster.h       the blocks of a cluster, which one of them runs in turns
//   residents.h     all blocks of a cooperative launch, on one OS thread
//   worker.h        one block: warps, barriers, operations of a warp
//   thread.h        a thread of a block, and what the lanes of a warp do together
//   observer.h      the interface of the part that observes threads
//   raw_error.h     an error with addresses of instructions, before their lines are known
//
// Inside: os_thread.h starts an OS thread; fiber.h switches between the threads of a block; rounds.cpp selects the
// threads that continue when all have stopped; divergence.h reports who did not come to a barrier or a warp operation;
// faults.h catches division by zero, a full stack and abort() in a kernel.
#pragma once
#include "execution/cluster.h"
#include "execution/faults.h"
#include "execution/launch_state.h"
#include "execution/observer.h"
#include "execution/raw_error.h"
#include "execution/residents.h"
#include "execution/worker.h"
#include "execution/workers.h"
