// The work of a GPU's memory system for a warp's accesses.
//
//   sites.h  the instructions of kernels that access memory, numbered
//   trace.h  the accesses of each lane, merged into requests of the warp
//   tally.h  the costs of requests, by instruction
//   watch.h  the events of some warps, in order
//   uses.h   a block's use of matrix elements
//
// Inside: request_cost.h counts sectors and wavefronts (bank conflicts) of one request, copy_cost.h those of cp.async.
// fusion.h turns neighbouring scalars into vectors, as nvcc does.
#pragma once
#include "counting/sites.h"
#include "counting/tally.h"
#include "counting/trace.h"
#include "counting/uses.h"
#include "counting/watch.h"
