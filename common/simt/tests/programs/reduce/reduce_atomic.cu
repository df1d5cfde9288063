// Sum, smallest and largest element by atomics of shared memory, then one atomic of global memory a block.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

struct Result {
  unsigned sum;
  int smallest, largest;
};

__global__ void reduce_kernel(const int* values, int count, Result* result) {
  __shared__ Result part;
  if (threadIdx.x == 0) part = {0, 1 << 30, -(1 << 30)};
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    atomicAdd(&part.sum, unsigned(values[i]));
    atomicMin(&part.smallest, values[i]);
    atomicMax(&part.largest, values[i]);
  }
  __syncthreads();  // the part is complete
  if (threadIdx.x == 0) {
    atomicAdd(&result->sum, part.sum);
    atomicMin(&result->smallest, part.smallest);
    atomicMax(&result->largest, part.largest);
  }
}

int main() {
  const int count = 3000;
  std::vector<int> values(count);
  Result expected = {0, 1 << 30, -(1 << 30)}, result = expected;
  for (int i = 0; i < count; ++i) {
    values[i] = (i * 7919 + 13) % 5003 - 900;
    expected.sum += unsigned(values[i]);
    expected.smallest = std::min(expected.smallest, values[i]);
    expected.largest = std::max(expected.largest, values[i]);
  }
  int* d_values;
  Result* d_result;
  cudaMalloc(&d_values, count * sizeof(int));
  cudaMalloc(&d_result, sizeof(Result));
  cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_result, &result, sizeof(Result), cudaMemcpyHostToDevice);  // nothing yet
  reduce_kernel<<<(count + 255) / 256, 256>>>(d_values, count, d_result);
  cudaMemcpy(&result, d_result, sizeof(Result), cudaMemcpyDeviceToHost);
  std::printf("%u %d %d\n", result.sum, result.smallest, result.largest);
  cudaFree(d_values);
  cudaFree(d_result);
  return result.sum != expected.sum || result.smallest != expected.smallest ||
         result.largest != expected.largest;
}

// BUG sum_without_atomics
// - atomicAdd(&result->sum, part.sum);
// + result->sum += part.sum;
// ! which another thread stores as well
// @ result->sum += part.sum;

// BUG shared_sum_without_atomics
// - atomicAdd(&part.sum, unsigned(values[i]));
// + part.sum += unsigned(values[i]);
// ! part
// ! or use an atomic operation
// @ part.sum += unsigned(values[i]);

// BUG result_not_initialised
// - cudaMemcpy(d_result, &result, sizeof(Result), cudaMemcpyHostToDevice);  // nothing yet
// +
// ! which no copy and no earlier launch has initialised
// @ atomicAdd(&result->sum, part.sum);

// BUG part_not_initialised
// - if (threadIdx.x == 0) part = {0, 1 << 30, -(1 << 30)};
// +
// ! updates part + 0 bytes, which no thread of this block has written
// @ atomicAdd(&part.sum, unsigned(values[i]));

// BUG no_barrier_before_the_end
// - __syncthreads();  // the part is complete
// +
// ! part
// ! with no __syncthreads() or __syncwarp() since another thread
// @ atomicAdd(&result->sum, part.sum);
