// What the asynchronous copies of CUDA's C++ library (cuda::memcpy_async, cooperative_groups::memcpy_async) ask of the
// backend, and cuda::barrier.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

// Bytes that a thread can copy at a time without waiting for them: 16, 8 or 4 from global to shared memory, as far as
// both addresses, the alignment that the array's declaration promises, and the number of bytes allow it; else 0.
size_t async_unit(const void* to, const void* from, size_t bytes);
// Copies 4, 8 or 16 bytes for the running phase of that mbarrier, as cp.async does.
void copy_to_barrier(void* shared, const void* global, size_t size, uint64_t* barrier,
                     const char* file, int line);
// The same of a multiple of 16 bytes, as TMA does. No fence has to be there.
void bulk_copy_to_barrier(void* shared, const void* global, size_t size, uint64_t* barrier,
                          const char* file, int line);
// Arrives at the running phase; the phases behind it take one arrival less.
// Returns the token of the running one.
uint64_t mbarrier_drop(uint64_t* barrier, const char* file, int line);

// It is no barrier any more, whatever its phase.
void mbarrier_discard(uint64_t* barrier);

}  // namespace simt
