// Layer normalisation: one warp a row, mean and variance by shuffles.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

__device__ float warp_sum(float value) {
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

__global__ void layernorm_kernel(const float* x, const float* scale, const float* shift, float* y,
                                 int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;  // the whole warp
  float sum = 0, squares = 0;
  for (int i = lane; i < cols; i += 32) sum += x[row * cols + i];
  const float mean = warp_sum(sum) / cols;
  for (int i = lane; i < cols; i += 32) {
    const float d = x[row * cols + i] - mean;
    squares += d * d;
  }
  const float factor = rsqrtf(warp_sum(squares) / cols + 1e-5f);
  for (int i = lane; i < cols; i += 32) {
    y[row * cols + i] = (x[row * cols + i] - mean) * factor * scale[i] + shift[i];
  }
}

int main() {
  const int rows = 10, cols = 77, bytes = rows * cols * sizeof(float);
  std::vector<float> x(rows * cols), y(rows * cols), scale(cols), shift(cols);
  for (int i = 0; i < rows * cols; ++i) x[i] = float(i * 13 % 29) / 4;
  for (int i = 0; i < cols; ++i) scale[i] = 1 + float(i % 3), shift[i] = float(i % 5);
  float *d_x, *d_y, *d_scale, *d_shift;
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&d_y, bytes);
  cudaMalloc(&d_scale, cols * sizeof(float));
  cudaMalloc(&d_shift, cols * sizeof(float));
  cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_scale, scale.data(), cols * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_shift, shift.data(), cols * sizeof(float), cudaMemcpyHostToDevice);
  layernorm_kernel<<<(rows + 3) / 4, dim3(32, 4)>>>(d_x, d_scale, d_shift, d_y, rows, cols);
  cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    const float* r = &x[row * cols];
    double mean = 0, variance = 0;
    for (int i = 0; i < cols; ++i) mean += r[i] / double(cols);
    for (int i = 0; i < cols; ++i) variance += (r[i] - mean) * (r[i] - mean) / cols;
    for (int i = 0; i < cols; ++i) {
      const double expected = (r[i] - mean) / std::sqrt(variance + 1e-5) * scale[i] + shift[i];
      wrong += !(std::fabs(y[row * cols + i] - expected) < 1e-3);
    }
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_scale);
  cudaFree(d_shift);
  return wrong != 0;
}

// BUG guard_behind_the_use
// - if (row >= rows) return;  // the whole warp
// +
// ! out of bounds

// BUG shuffle_in_the_loop
// - squares += d * d;
// + squares += warp_sum(d * d);
// ! do not arrive
// @ value += __shfl_xor_sync(0xffffffffu, value, mask);

// BUG shift_not_copied
// - cudaMemcpy(d_shift, shift.data(), cols * sizeof(float), cudaMemcpyHostToDevice);
// +
// ! which no copy and no earlier launch has initialised
// @ y[row * cols + i] = (x[row * cols + i] - mean) * factor * scale[i] + shift[i];

// BUG squares_without_a_first_value
// - float sum = 0, squares = 0;
// + float sum = 0, squares;
// ! may be used uninitialized
