// Functions for CUDA's C++ library: asynchronous copies (cuda::memcpy_async, cooperative_groups::memcpy_async) and
// cuda::barrier.
#pragma once
#include <cstddef>
#include <cstdint>

namespace simt {

// Bytes that a thread can copy by one cp.async from global to shared memory: 16, 8, 4, or 0 if it cannot. The limits
// are both addresses, the alignment of the array's declaration, and the number of bytes.
size_t async_unit(const void* to, const void* from, size_t bytes);
// Copies 4, 8 or 16 bytes for the running phase of that mbarrier, as cp.async does.
void copy_to_barrier(void* shared, const void* global, size_t size, uint64_t* barrier,
                     const char* file, int line);
// Copies a multiple of 16 bytes, as TMA does. Needs no fence.
void bulk_copy_to_barrier(void* shared, const void* global, size_t size, uint64_t* barrier,
                          const char* file, int line);
// Arrives at the running phase and returns its token. Later phases need one arrival fewer.
uint64_t mbarrier_drop(uint64_t* barrier, const char* file, int line);

// Ends the mbarrier in any phase.
void mbarrier_discard(uint64_t* barrier);

}  // namespace simt
