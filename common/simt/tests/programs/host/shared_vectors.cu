// Vectors of floats and of halves in shared memory, written element by element and read as a whole: they have no padding.
#include <cuda_fp16.h>

#include <cstdio>

__global__ void sums_kernel(float* sums) {
  alignas(16) __shared__ float numbers[128];
  alignas(16) __shared__ half halves[256];
  for (int i = threadIdx.x; i < 128; i += 32) numbers[i] = float(i);
  for (int i = threadIdx.x; i < 256; i += 32) halves[i] = half(float(i));
  __syncthreads();
  const float4 four = *reinterpret_cast<const float4*>(&numbers[threadIdx.x * 4]);
  const float4 eight = *reinterpret_cast<const float4*>(&halves[threadIdx.x * 8]);
  half pieces[8];
  memcpy(pieces, &eight, sizeof eight);
  sums[threadIdx.x] = four.x + four.w + float(pieces[7]);
}

int main() {
  float *sums, host[32];
  cudaMalloc(&sums, sizeof host);
  sums_kernel<<<1, 32>>>(sums);
  if (cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  bool right = true;
  for (int i = 0; i < 32; ++i) right = right && host[i] == float(8 * i + 3 + 8 * i + 7);
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(sums);
  return !right;
}

// BUG last_of_four_not_set
// - numbers[i] = float(i);
// + if (i % 4 != 3) numbers[i] = float(i);
// ! which no thread of this block has written
// @ const float4 four =

// BUG odd_halves_not_set
// - halves[i] = half(float(i));
// + if (i % 2 == 0) halves[i] = half(float(i));
// ! which no thread of this block has written
// @ const float4 eight =
