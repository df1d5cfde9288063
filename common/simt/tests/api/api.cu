#include <cuda_pipeline.h>

#include "tests/api/api.h"

namespace api {

__global__ void fill_kernel(int* seen) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (seen != nullptr) {
    seen[block * blockDim.x * blockDim.y * blockDim.z + thread] += 1;
  }
}

__global__ void read_dynamic_kernel(int floats, int first, int width, float* out) {
  extern __shared__ float4 vectors[];
  float* s = reinterpret_cast<float*>(vectors);
  for (int i = threadIdx.x; i < floats; i += 32) {
    s[i] = 1;
  }
  __syncthreads();
  if (width == 1) {
    out[threadIdx.x] = s[first + threadIdx.x];
  } else {
    const float4 v = vectors[first / 4 + threadIdx.x];
    out[threadIdx.x] = v.x + v.w;
  }
}

void read_dynamic(int floats, int first, int width, float* out) {
  read_dynamic_kernel<<<1, 32, floats * sizeof(float)>>>(floats, first, width, out);
}

__global__ void zeros_kernel(const float* in, float* out, int zeros) {
  __shared__ float s[1];
  __pipeline_memcpy_async(s, in, 4, zeros);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  *out = *s;
}

void copy_with_zeros(const float* in, float* out, int zeros) {
  zeros_kernel<<<1, 1>>>(in, out, zeros);
}

void fill(dim3 grid, dim3 block, size_t shared, int* seen) {
  fill_kernel<<<grid, block, shared>>>(seen);
}

cudaError_t allow_shared(int bytes) {
  return cudaFuncSetAttribute(fill_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

__global__ void __launch_bounds__(96) bounded_kernel(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = *out;
  *out = s[threadIdx.x];
}

cudaError_t attributes(cudaFuncAttributes* fill, cudaFuncAttributes* bounded) {
  const cudaError_t status = cudaFuncGetAttributes(fill, fill_kernel);
  return status != cudaSuccess ? status : cudaFuncGetAttributes(bounded, bounded_kernel);
}

}  // namespace api
