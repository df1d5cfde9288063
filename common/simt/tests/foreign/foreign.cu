#include <cuda_runtime.h>

#include "tests/foreign/foreign.h"

namespace foreign {

template <typename T, int THREADS>
__global__ void reduce_kernel(const T* __restrict__ in, T* out, int n) {
  __shared__ T warps[THREADS / warpSize];
  T sum = 0;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    sum += __ldg(&in[i]);
  }
#pragma unroll
  for (int delta = warpSize / 2; delta > 0; delta /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, delta);
  }
  if (threadIdx.x % warpSize == 0) {
    warps[threadIdx.x / warpSize] = sum;
  }
  __syncthreads();
  if (threadIdx.x < THREADS / warpSize) {
    sum = warps[threadIdx.x];
    for (int delta = THREADS / warpSize / 2; delta > 0; delta /= 2) {
      sum += __shfl_xor_sync((1u << THREADS / warpSize) - 1, sum, delta);
    }
    if (threadIdx.x == 0) {
      atomicAdd(out, sum);
    }
  }
}

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  const int col = blockIdx.x * 32 + threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y) {
    const int row = blockIdx.y * 32 + y;
    if (row < rows && col < cols) {
      tile[y][threadIdx.x] = in[row * cols + col];
    }
  }
  __syncthreads();
  const int out_col = blockIdx.y * 32 + threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y) {
    const int out_row = blockIdx.x * 32 + y;
    if (out_row < cols && out_col < rows) {
      out[out_row * rows + out_col] = tile[threadIdx.x][y];
    }
  }
}

__global__ void stencil_kernel(const float* in, float* out, int n) {
  extern __shared__ float cells[];  // a block's elements and one more at each end
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int at = int(threadIdx.x) + 1;
  cells[at] = i < n ? in[i] : 0;
  if (threadIdx.x == 0) {
    cells[0] = i > 0 ? in[i - 1] : 0;
  }
  if (threadIdx.x == blockDim.x - 1) {
    cells[at + 1] = i + 1 < n ? in[i + 1] : 0;
  }
  __syncthreads();
  if (i < n) {
    out[i] = cells[at - 1] + cells[at] + cells[at + 1];
  }
}

__global__ void histogram_kernel(const unsigned char* in, int* bins, int n) {
  __shared__ int local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    atomicAdd(&local[in[i]], 1);
  }
  __syncthreads();
  if (local[threadIdx.x] > 0) {
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
  }
}

void reduce(const float* in, float* out, int n) {
  reduce_kernel<float, 256><<<4, 256>>>(in, out, n);
}

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 blockDim(32, 8);
  const dim3 gridDim((cols + 31) / 32, (rows + 31) / 32);
  transpose_kernel<<<gridDim, blockDim>>>(in, out, rows, cols);
}

void stencil(const float* in, float* out, int n) {
  const int threads = 128;
  stencil_kernel<<<(n + threads - 1) / threads, threads, (threads + 2) * sizeof(float)>>>(in, out,
                                                                                          n);
}

void histogram(const unsigned char* in, int* bins, int n) {
  histogram_kernel<<<3, 256, 0, nullptr>>>(in, bins, n);
}

}  // namespace foreign
