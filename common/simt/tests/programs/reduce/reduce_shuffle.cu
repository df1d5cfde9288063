// The sum of an array by warp shuffles: each warp hands its sum to the first warp of its block by shared memory.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kThreads = 160, kWarps = kThreads / 32;

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  return value;
}

__global__ void sum_kernel(const float* values, int count, float* sums) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float value = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) {
    value += values[i];
  }
  value = warp_sum(value);
  if (lane == 0) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < kWarps ? warp_sums[lane] : 0;
    value = warp_sum(value);
    if (lane == 0) sums[blockIdx.x] = value;
  }
}

int main() {
  const int count = 4001, blocks = 4;
  std::vector<float> values(count), sums(blocks);
  double expected = 0;
  for (int i = 0; i < count; ++i) {
    values[i] = float(i % 17) / 8;
    expected += values[i];
  }
  float *d_values, *d_sums;
  cudaMalloc(&d_values, count * sizeof(float));
  cudaMalloc(&d_sums, blocks * sizeof(float));
  cudaMemcpy(d_values, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  sum_kernel<<<blocks, kThreads>>>(d_values, count, d_sums);
  cudaMemcpy(sums.data(), d_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  double total = 0;
  for (float sum : sums) total += sum;
  std::printf("sum %g, expected %g\n", total, expected);
  cudaFree(d_values);
  cudaFree(d_sums);
  return !(std::fabs(total - expected) < 1e-3 * expected);
}

// BUG full_mask_in_half_a_warp
// - value = lane < kWarps ? warp_sums[lane] : 0;
// - value = warp_sum(value);
// + if (lane < kWarps) {
// + value = warp_sum(warp_sums[lane]);
// + }
// ! waits at a shuffle for lanes 0xffffffff, but 27 of them do not arrive
// @ value += __shfl_down_sync(

// BUG mask_without_the_own_lane
// - __shfl_down_sync(0xffffffffu, value, offset)
// + __shfl_down_sync(0x0000ffffu, value, offset)
// ! calls a shuffle with the mask 0x0000ffff, which lacks its own lane
// @ value += __shfl_down_sync(

// BUG sums_of_missing_warps
// - value = lane < kWarps ? warp_sums[lane] : 0;
// + value = warp_sums[lane];
// ! uses index 5 of the array type
// @ value = warp_sums[lane];

// BUG no_barrier
// - __syncthreads();
// +
// ! warp_sums
// ! with no __syncthreads()
// @ value = lane < kWarps ? warp_sums[lane] : 0;

// BUG value_of_a_lane_outside_the_mask
// - value = warp_sum(value);
// - if (lane == 0) sums[blockIdx.x] = value;
// + value = warp_sum(value);
// + if (lane >= 16) value = __shfl_sync(0xffff0000u, value, 0);
// + if (lane == 16) sums[blockIdx.x] = value;
// ! calls a shuffle that reads lane 0, which the mask 0xffff0000 lacks: the value is undefined
// @ value = __shfl_sync(
