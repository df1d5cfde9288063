// A sparse matrix in CSR form times a vector, one warp a row.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kWarps = 4;

__global__ void spmv_kernel(const int* starts, const int* cols, const float* values,
                            const float* __restrict__ x, float* y, int rows) {
  const int row = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;  // the whole warp
  float sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32) {
    sum += values[i] * __ldg(&x[cols[i]]);
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (lane == 0) y[row] = sum;
}

template <typename T>
T* to_device(const std::vector<T>& host) {
  T* device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  const int rows = 90;
  std::vector<int> starts(1), cols;
  std::vector<float> values, x(rows), y(rows), expected(rows);
  for (int row = 0; row < rows; ++row) x[row] = float(row % 10) - 4;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < row * 7 % 50; ++i) {
      cols.push_back((row * 13 + i * 29) % rows);
      values.push_back(float(i % 5 + 1));
      expected[row] += values.back() * x[cols.back()];
    }
    starts.push_back(static_cast<int>(cols.size()));
  }
  int *d_starts = to_device(starts), *d_cols = to_device(cols);
  float *d_values = to_device(values), *d_x = to_device(x), *d_y;
  cudaMalloc(&d_y, rows * sizeof(float));
  spmv_kernel<<<(rows + kWarps - 1) / kWarps, 32 * kWarps>>>(d_starts, d_cols, d_values, d_x, d_y,
                                                             rows);
  cudaMemcpy(y.data(), d_y, rows * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s\n", y == expected ? "right" : "wrong");
  cudaFree(d_starts);
  cudaFree(d_cols);
  cudaFree(d_values);
  cudaFree(d_x);
  cudaFree(d_y);
  return y != expected;
}

// BUG shuffle_in_the_loop
// - sum += values[i] * __ldg(&x[cols[i]]);
// + sum += __shfl_sync(0xffffffffu, values[i] * __ldg(&x[cols[i]]), lane);
// ! waits at a shuffle for lanes 0xffffffff, but 25 of them do not arrive
// @ sum += __shfl_down_sync(0xffffffffu, sum, offset);
// ? sum += __shfl_sync(

// BUG all_lanes_store
// - if (lane == 0) y[row] = sum;
// + y[row] = sum;
// ! which another thread stores as well
// @ y[row] = sum;

// BUG warps_of_16_lanes
// - threadIdx.x / 32, lane = threadIdx.x % 32;
// + threadIdx.x / 16, lane = threadIdx.x % 16;
// ! wrong result

// BUG freed_before_the_launch
// - cudaMalloc(&d_y, rows * sizeof(float));
// + cudaMalloc(&d_y, rows * sizeof(float)), cudaFree(d_x);
// ! has been freed
// @ sum += values[i] * __ldg(&x[cols[i]]);
