// A sparse matrix in CSR form times a vector, one thread a row.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void spmv_kernel(const int* starts, const int* cols, const float* values, const float* x,
                            float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i) {
    sum += values[i] * x[cols[i]];
  }
  y[row] = sum;
}

template <typename T>
T* to_device(const std::vector<T>& host) {
  T* device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  const int rows = 150;
  std::vector<int> starts(1), cols;
  std::vector<float> values, x(rows), y(rows), expected(rows);
  for (int row = 0; row < rows; ++row) x[row] = float(row % 10) - 4;
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < row * 7 % 12; ++i) {
      cols.push_back((row * 13 + i * 29) % rows);
      values.push_back(float(i + 1));
      expected[row] += values.back() * x[cols.back()];
    }
    starts.push_back(static_cast<int>(cols.size()));
  }
  int *d_starts = to_device(starts), *d_cols = to_device(cols);
  float *d_values = to_device(values), *d_x = to_device(x), *d_y;
  cudaMalloc(&d_y, rows * sizeof(float));
  spmv_kernel<<<(rows + 63) / 64, 64>>>(d_starts, d_cols, d_values, d_x, d_y, rows);
  cudaMemcpy(y.data(), d_y, rows * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s\n", y == expected ? "right" : "wrong");
  cudaFree(d_starts);
  cudaFree(d_cols);
  cudaFree(d_values);
  cudaFree(d_x);
  cudaFree(d_y);
  return y != expected;
}

// BUG starts_of_rows_only
// - starts.push_back(static_cast<int>(cols.size()));
// + if (row < rows - 1) starts.push_back(static_cast<int>(cols.size()));
// ! out of bounds
// @ for (int i = starts[row]; i < starts[row + 1]; ++i) {

// BUG no_guard
// - if (row >= rows) return;
// +
// ! out of bounds
// @ for (int i = starts[row]; i < starts[row + 1]; ++i) {

// BUG column_from_one
// - cols.push_back((row * 13 + i * 29) % rows);
// - values.push_back(float(i + 1));
// - expected[row] += values.back() * x[cols.back()];
// + cols.push_back((row * 13 + i * 29) % rows + 1);
// + values.push_back(float(i + 1));
// + expected[row] += values.back() * x[cols.back() - 1];
// ! out of bounds
// @ sum += values[i] * x[cols[i]];

// BUG arguments_exchanged
// - (d_starts, d_cols, d_values, d_x, d_y, rows)
// + (d_cols, d_starts, d_values, d_x, d_y, rows)
// ! out of bounds

// BUG double_free
// - cudaFree(d_y);
// - return
// + cudaFree(d_y);
// + return cudaFree(d_y) != cudaSuccess ||
// ! cudaFree() fails: this memory has been freed already
// @ return cudaFree(d_y) != cudaSuccess ||
