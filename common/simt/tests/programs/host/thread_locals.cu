// Variables of the host's threads beside shared arrays, and shared memory in other forms than an array.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kThreads = 64;

thread_local int launches = 0;
static thread_local int limits[3] = {1, 2, 3};
__shared__ float row[kThreads], spare[4];

__global__ void turn_kernel(float4* rows) {
  const float4* const fours = reinterpret_cast<const float4*>(row);
  row[threadIdx.x] = float(threadIdx.x);
  if (threadIdx.x < 4) spare[threadIdx.x] = 1;
  __syncthreads();
  float4 four = fours[threadIdx.x / 4];
  four.w = spare[threadIdx.x % 4];
  rows[threadIdx.x] = four;
}

extern "C" __global__ void sum_kernel(const float4* rows, float* sum) {
  __shared__ float before[2];
  __shared__ struct {
    float parts[kThreads];
    int count;
  } all;
  __shared__ float behind[(kThreads + 1) / 2];
  const int i = threadIdx.x;
  all.parts[i] = rows[i].x + rows[i].w;
  if (i < 2) before[i] = 1;
  if (i < kThreads / 2) behind[i] = 1;
  if (i == 0) all.count = blockDim.x;
  __syncthreads();
  if (i != 0) return;
  float total = before[1] - behind[3];
  for (int k = 0; k < all.count; ++k) total += all.parts[k];
  *sum = total;
}

int count_launch() {
  static thread_local int calls = 0;
  ++launches;
  return ++calls;
}

int main() {
  float4* d_rows;
  float *d_sum, sum = 0;
  cudaMalloc(&d_rows, kThreads * sizeof(float4));
  cudaMalloc(&d_sum, sizeof(float));
  count_launch();
  turn_kernel<<<1, kThreads>>>(d_rows);
  limits[0] = count_launch();
  sum_kernel<<<1, kThreads>>>(d_rows, d_sum);
  if (cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  std::printf("%g\n", sum);
  cudaFree(d_rows);
  cudaFree(d_sum);
  return sum != 1984 || launches != 2 || limits[0] != 2;
}

// BUG placed_behind_a_small_array
// - __shared__ float row[kThreads], spare[4];
// + __shared__ float spare[3];
// + __shared__ float row[kThreads];
// - if (threadIdx.x < 4) spare
// + if (threadIdx.x < 3) spare
// - spare[threadIdx.x % 4]
// + spare[threadIdx.x % 3]
// ! nvcc places it 12 bytes past such a multiple
// @ float4 four = fours[threadIdx.x / 4];

// BUG no_barrier_behind_the_parts
// - if (i == 0) all.count = blockDim.x;
// - __syncthreads();
// + if (i == 0) all.count = blockDim.x;
// ! reads all + 4 bytes with no __syncthreads()
// @ total += all.parts[k];

// BUG read_beyond_the_array
// - const float4* const fours = reinterpret_cast<const float4*>(row);
// + const float4* const fours = reinterpret_cast<const float4*>(row) + 16;
// ! outside
// @ float4 four = fours[threadIdx.x / 4];

// BUG kernel_reads_a_variable_of_the_host
// - four.w = spare[threadIdx.x % 4];
// + four.w = limits[threadIdx.x % 3];
// ! reads 4 bytes outside of all shared arrays
// @ four.w = limits[threadIdx.x % 3];
