// What the memory system of a GPU does for the accesses of a warp.
//
//   sites.h  the instructions of kernels that access memory, numbered
//   trace.h  the accesses of each lane, and how those of a warp become requests
//   tally.h  what the requests cost, per instruction
//   watch.h  what one warp did, in order
//   uses.h   what a block did with the elements of matrices
//
// Inside: request_cost.h counts sectors and wavefronts (bank conflicts) of one request, copy_cost.h
// those of cp.async, fusion.h makes vectors of neighbouring scalars, as nvcc does.
#pragma once
#include "counting/sites.h"
#include "counting/tally.h"
#include "counting/trace.h"
#include "counting/uses.h"
#include "counting/watch.h"
