// Programs with managed and pinned memory.
#pragma once
#include <cuda_runtime.h>

namespace runtime {

// y = a x + y in managed memory that the host fills and reads; the largest error.
float saxpy_managed(int n, float a);
// A list in managed memory, which a kernel adds up.
int sum_of_list(int count);
// The sum that a kernel forms of pinned memory.
int sum_of_pinned(int count);
// x[i] += x[i + 1] for all i < n, of threads without an order between them.
void race(int* x, int n);
// What the host reads of x, managed memory of n elements, after a kernel has written x[0], with and without waiting for
// it; and of another part of it.
int read_after_kernel(int* x, int n, bool wait, int index);
// What it reads of pinned memory to which an asynchronous copy goes.
int read_after_copy(int* pinned, const int* device, bool wait);
// The same, if the host waits for a flag of a kernel in the default stream before or after which the copy was queued
// there.
int read_after_flag(int* pinned, const int* device, bool copy_first);
// The same, if the copy and then the kernel are in these streams. With an event, the kernel waits for the copy.
int read_after_flag_of(int* pinned, const int* device, cudaStream_t copy, cudaStream_t kernel,
                       bool event);
// A copy of a box in 3-D memory and back: how many bytes of it differ.
int copy_volume();

}  // namespace runtime
