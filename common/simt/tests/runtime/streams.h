// Programs that run their kernels on streams, and copy to and from pinned memory.
#pragma once
#include <cuda_runtime.h>

namespace runtime {

// out[i] = 2 in[i], in chunks on so many streams, each with its own copies. Both are of the host. Milliseconds.
float scale_in_chunks(const float* in, float* out, int n, int streams);
// A kernel on a stream that has been destroyed.
cudaError_t launch_on_destroyed();
// value + 1, by a kernel on one stream that waits for an event of the other, and a host function behind it.
int count_on_two_streams(int value);
// The kernel of scale_in_chunks() on a stream, with an index that is one too large.
void scale_too_far(float* x, int n);
// out[i] = in[i] + by, launched by pointers to the arguments: by cudaLaunchKernel(), or by cudaLaunchKernelExC().
cudaError_t add_by_pointers(const int* in, int* out, int by, bool with_config);
// The kernel's address without its type.
cudaError_t add_by_address(const void* kernel, void** arguments);
const void* kernel_address();

}  // namespace runtime
