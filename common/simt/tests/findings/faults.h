// Kernels that a GPU would refuse or that stop the machine (faults.cu).
#pragma once
#include <cuda_runtime.h>

namespace faults {

using Run = void (*)(int* memory);  // 4096 ints of device memory, all zero

extern const Run divides_by_zero, aborts, asserts, traps, recurses, calls_null, huge_local_array,
    barrier_loop, empty_loop, misses_return, applies_of_host, applies_lambda;
extern const Run large_local_array;  // right: 64 KB of each of 64 threads

// Launches of kernels that state limits.
void bounded(unsigned threads);  // __launch_bounds__(64)
void with_static(size_t dynamic);  // 32 KB of static shared memory
cudaError_t allow_with_static(int dynamic);
void two_functions(int* memory);  // with 32 KB each

// Three blocks of 40 threads that print "block B thread T" before a barrier and "after" behind it.
void prints();
// Reads and writes it through a pointer; the host's own line that does so on the host.
extern const Run touches;
// A barrier between threads that share nothing.
extern const Run has_nothing_in_common;
int host_reads(const int* memory);
// A grid without blocks.
void launches_nothing();
// Host code beside kernels: how often it was called, by static variables and std::atomic.
int counted_calls();

}  // namespace faults
