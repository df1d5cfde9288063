// Kernels for the tests of the runtime API (api.cu).
#pragma once
#include <cuda_runtime.h>

namespace api {

// Adds 1 to seen[i] for the i-th thread of the grid, unless seen is null.
void fill(dim3 grid, dim3 block, size_t shared, int* seen);
// One warp writes `floats` floats of dynamic shared memory of that size, then lane i reads `width`
// floats (1 or 4) from offset `first` + i * width on.
void read_dynamic(int floats, int first, int width, float* out);
// A copy of 4 bytes that is told to zero `zeros` of them.
void copy_with_zeros(const float* in, float* out, int zeros);
// Lets fill() have that many bytes of dynamic shared memory.
cudaError_t allow_shared(int bytes);
// What is told of fill(), and of a kernel with __launch_bounds__(96) and 64 floats of static shared memory.
cudaError_t attributes(cudaFuncAttributes* fill, cudaFuncAttributes* bounded);

}  // namespace api
