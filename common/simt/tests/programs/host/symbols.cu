// Variables of the device: a counter and a table, copied to and from their symbols.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int counter;
__device__ float table[16];

__global__ void count_kernel(const float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && values[i] > table[i % 16]) atomicAdd(&counter, 1);
}

int main() {
  constexpr int kCount = 600;
  static float values[kCount], limits[16];
  int zero = 0, result = -1, expected = 0;
  for (int i = 0; i < 16; ++i) limits[i] = float(i);
  for (int i = 0; i < kCount; ++i) {
    values[i] = float(i * 7 % 20);
    expected += values[i] > limits[i % 16];
  }
  float* d_values;
  cudaMalloc(&d_values, sizeof(values));
  cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(table, limits, sizeof(limits));
  cudaMemcpyToSymbol(counter, &zero, sizeof(int));
  count_kernel<<<(kCount + 63) / 64, 64>>>(d_values, kCount);
  cudaMemcpyFromSymbol(&result, counter, sizeof(int));
  std::printf("%d, expected %d\n", result, expected);
  cudaFree(d_values);
  return result != expected;
}

// BUG counter_without_atomics
// - atomicAdd(&counter, 1);
// + counter += 1;
// ! another thread
// @ counter += 1;

// BUG index_beyond_the_table
// - table[i % 16]
// + table[i % 17]
// ! index 16
// @ table[i % 17]

// BUG host_uses_the_variable
// - cudaMemcpyToSymbol(counter, &zero, sizeof(int));
// + cudaMemcpyToSymbol(counter, &zero, sizeof(int)), result = counter;
// ! counter
// @ result = counter;
