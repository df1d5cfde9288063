// y = a x + y with a grid-stride loop, timed by events.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void saxpy_kernel(int count, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

int main() {
  const int count = 5000, bytes = count * sizeof(float);
  std::vector<float> x(count), y(count), result(count);
  for (int i = 0; i < count; ++i) x[i] = float(i % 100), y[i] = float(i % 7);
  float *d_x, *d_y, milliseconds = -1;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&d_y, bytes);
  cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice);
  cudaEventRecord(begin);
  saxpy_kernel<<<4, 128>>>(count, 2.0f, d_x, d_y);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  if (cudaEventElapsedTime(&milliseconds, begin, end) != cudaSuccess) return 1;
  cudaMemcpy(result.data(), d_y, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += result[i] != 2.0f * x[i] + y[i];
  std::printf("%d wrong\n", wrong);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(d_x);
  cudaFree(d_y);
  return wrong != 0 || milliseconds < 0;
}

// BUG stride_of_a_block
// - i += gridDim.x * blockDim.x
// + i += blockDim.x
// ! which another thread stores as well
// @ y[i] = a * x[i] + y[i];

// BUG bound_off_by_one
// - i < count; i +=
// + i <= count; i +=
// ! out of bounds
// @ y[i] = a * x[i] + y[i];

// BUG one_step_only
// - i += gridDim.x * blockDim.x
// + i += count
// ! wrong result

// BUG no_step
// - i += gridDim.x * blockDim.x
// + i += 0
// ! endless loop
// @ y[i] = a * x[i] + y[i];

// BUG event_not_recorded
// - cudaEventRecord(end);
// +
// ! wrong result
