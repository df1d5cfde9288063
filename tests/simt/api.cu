#include "tests/simt/api.h"

namespace api {

__global__ void fill_kernel(int* seen) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (seen != nullptr) {
    seen[block * blockDim.x * blockDim.y * blockDim.z + thread] += 1;
  }
}

void fill(dim3 grid, dim3 block, size_t shared, int* seen) {
  fill_kernel<<<grid, block, shared>>>(seen);
}

cudaError_t allow_shared(int bytes) {
  return cudaFuncSetAttribute(fill_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

}  // namespace api
