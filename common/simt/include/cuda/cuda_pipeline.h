// Asynchronous copies from global to shared memory (cp.async), with their real semantics: the data is
// there for this thread after its own wait, and for the others after a barrier behind that.
#pragma once
#include <cstddef>

#include "simt/api/qualifiers.h"
#include "simt/api/threads.h"

// Copies size (4, 8 or 16, which both pointers must be aligned to) bytes, of which the last zfill
// are zeros and are not read.
__forceinline__ void __pipeline_memcpy_async(void* shared, const void* global, size_t size,
                                             size_t zfill = 0, const char* file = __builtin_FILE(),
                                             int line = __builtin_LINE()) {
  simt::copy_async(shared, global, size, zfill, file, line);
}
// Closes a group with the copies since the last commit.
__forceinline__ void __pipeline_commit() {
  simt::pipeline_commit();
}
// Waits for all groups of this thread but the last `prior`.
__forceinline__ void __pipeline_wait_prior(size_t prior) {
  simt::pipeline_wait(prior);
}
