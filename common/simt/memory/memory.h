// Room "memory": device memory, and the checks of each access.
//
//   arena.h         device memory and its shadow: allocated, initialised, written by whom
//   windows.h       which elements of matrices may be read and written
//   recorder.h      checks each access and hands it on to be counted
//
// Inside: callbacks.cpp is what compiled kernels call, recorder_inline.h what runs for each access,
// shared_cells.h the shadow of shared memory, split_barrier.cpp and split_wait.cpp what __mbarrier_t does.
// An access that looks wrong goes to shared_check.cpp (races, uninitialised memory), global_check.cpp
// (bounds, uninitialised memory, two blocks, launches that begin early) or address_check.cpp (alignment,
// memory of others).
#pragma once
#include "common/simt/memory/arena.h"
#include "common/simt/memory/recorder.h"
#include "common/simt/memory/windows.h"
