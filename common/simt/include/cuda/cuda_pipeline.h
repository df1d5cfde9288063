// Asynchronous copies from global to shared memory (cp.async). As on a GPU, this thread sees the data after its own
// wait, and other threads see it after a further barrier.
#pragma once
#include "simt/names/begin.h"

#include <cstddef>

#include "simt/api/qualifiers.h"
#include "simt/api/threads.h"

// Copies size bytes: 4, 8 or 16. Both pointers must be aligned to size. The last zfill bytes are zeros and are not
// read.
__forceinline__ void __pipeline_memcpy_async(void* shared, const void* global, size_t size,
                                             size_t zfill = 0, const char* file = __builtin_FILE(),
                                             int line = __builtin_LINE()) {
  simt::copy_async(shared, global, size, zfill, file, line);
}
// Closes a group with the copies since the last commit.
__forceinline__ void __pipeline_commit() {
  simt::pipeline_commit();
}
// Waits for all groups of the thread but the last `prior`.
__forceinline__ void __pipeline_wait_prior(size_t prior) {
  simt::pipeline_wait(prior);
}

#include "simt/names/end.h"
