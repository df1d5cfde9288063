// The dot product of two vectors: each thread adds up a part, each block its threads' parts, atomics the blocks'.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kThreads = 96;

__global__ void dot_kernel(const float4* a, const float4* b, int count, float* result) {
  __shared__ float warp_sums[kThreads / 32];
  float sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads) {
    const float4 x = a[i], y = b[i];
    sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
  }
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (int warp = 0; warp < kThreads / 32; ++warp) sum += warp_sums[warp];
    atomicAdd(result, sum);
  }
}

int main() {
  const int count = 4096, bytes = count * sizeof(float);
  std::vector<float> a(count), b(count);
  double expected = 0;
  for (int i = 0; i < count; ++i) {
    a[i] = float(i % 13) - 6;
    b[i] = float(i % 7) - 2;
    expected += double(a[i]) * b[i];
  }
  float *d_a, *d_b, *d_result, result = 0;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_result, sizeof(float));
  cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(d_result, 0, sizeof(float));
  dot_kernel<<<5, kThreads>>>(reinterpret_cast<float4*>(d_a), reinterpret_cast<float4*>(d_b),
                              count / 4, d_result);
  cudaMemcpy(&result, d_result, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g, expected %g\n", result, expected);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_result);
  return !(std::fabs(result - expected) < 0.01);
}

// BUG unaligned_vector
// - reinterpret_cast<float4*>(d_a), reinterpret_cast<float4*>(d_b),
// - count / 4, d_result
// + reinterpret_cast<float4*>(d_a + 1), reinterpret_cast<float4*>(d_b + 1),
// + count / 4 - 1, d_result
// ! reads 16 bytes at an address that is 4 bytes past a multiple of 16
// @ const float4 x = a[i], y = b[i];

// BUG host_pointer
// - cudaMemset(d_result, 0, sizeof(float));
// - dot_kernel<<<5, kThreads>>>(reinterpret_cast<float4*>(d_a), reinterpret_cast<float4*>(d_b),
// + cudaMemset(d_result, 0, sizeof(float));
// + dot_kernel<<<5, kThreads>>>(reinterpret_cast<float4*>(a.data()), reinterpret_cast<float4*>(d_b),
// ! which is not device memory (host memory)
// @ const float4 x = a[i], y = b[i];

// BUG count_in_floats
// - count / 4, d_result
// + count, d_result
// ! out of bounds
// @ const float4 x = a[i], y = b[i];

// BUG copied_in_the_wrong_direction
// - cudaMemcpy(&result, d_result, sizeof(float), cudaMemcpyDeviceToHost);
// + cudaMemcpy(&result, d_result, sizeof(float), cudaMemcpyHostToDevice);
// ! cudaMemcpy() fails: its destination is no device memory
// @ cudaMemcpy(&result, d_result

// BUG sum_without_atomics
// - atomicAdd(result, sum);
// + *result += sum;
// ! which another thread stores as well
// @ *result += sum;
