// Runs each copy of copies.h in its own launch, for collect.sh.
#include <cuda_pipeline.h>

#include "common/lesson.h"
#include "common/simt/tests/counts/copies.h"

template <int SIZE>
__global__ void copy_kernel(const char* source, const __grid_constant__ Copy copy) {
  __shared__ alignas(128) char shared[kShared];
  const int lane = threadIdx.x;
  if (copy.mask >> lane & 1) {
    __pipeline_memcpy_async(&shared[copy.to[lane]], &source[copy.from[lane]], SIZE);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

int main() {
  char* source;
  CUDA_CHECK(cudaMalloc(&source, kSource));
  for (const Copy& copy : copies()) {
    const auto kernel = copy.size == 16  ? copy_kernel<16>
                        : copy.size == 8 ? copy_kernel<8>
                                         : copy_kernel<4>;
    kernel<<<1, 32>>>(source, copy);
    CUDA_CHECK(cudaDeviceSynchronize());
  }
}
