// Room "memory": device memory, and the checks of each access.
//
//   arena.h         device memory and its shadow: allocated, initialised, written by whom
//   async_copies.h  cp.async that nobody has waited for
//   recorder.h      checks each access and hands it on to be counted
//
// Inside: callbacks.cpp is what compiled kernels call, recorder_inline.h what runs for each access,
// shared_cells.h the shadow of shared memory. An access that looks wrong goes to shared_check.cpp
// (races, uninitialised and foreign memory) or global_check.cpp (bounds, uninitialised, two blocks).
#pragma once
#include "common/simt/memory/arena.h"
#include "common/simt/memory/async_copies.h"
#include "common/simt/memory/recorder.h"
