// A sparse matrix in ELLPACK form times a vector: rows padded to equal width and stored column by column.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Ell {
  int rows, width;
  const int* cols;  // -1 is padding
  const float* values;
};

__global__ void spmv_kernel(Ell a, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < a.rows) {
    float sum = 0;
    for (int i = 0; i < a.width; ++i) {
      const int col = a.cols[i * a.rows + row];
      if (col >= 0) sum += a.values[i * a.rows + row] * x[col];
    }
    y[row] = sum;
  }
}

int main() {
  const int rows = 130, width = 6;
  std::vector<int> cols(rows * width, -1);
  std::vector<float> values(rows * width), x(rows), y(rows), expected(rows);
  for (int row = 0; row < rows; ++row) x[row] = float(row % 9);
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < row % (width + 1); ++i) {
      cols[i * rows + row] = (row * 5 + i * 17) % rows;
      values[i * rows + row] = float(i + 1);
      expected[row] += values[i * rows + row] * x[cols[i * rows + row]];
    }
  }
  int* d_cols;
  float *d_values, *d_x, *d_y;
  cudaMalloc(&d_cols, cols.size() * sizeof(int));
  cudaMalloc(&d_values, values.size() * sizeof(float));
  cudaMalloc(&d_x, rows * sizeof(float));
  cudaMalloc(&d_y, rows * sizeof(float));
  cudaMemcpy(d_cols, cols.data(), cols.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_x, x.data(), rows * sizeof(float), cudaMemcpyHostToDevice);
  const Ell a = {rows, width, d_cols, d_values};
  spmv_kernel<<<(rows + 31) / 32, 32>>>(a, d_x, d_y);
  cudaMemcpy(y.data(), d_y, rows * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s\n", y == expected ? "right" : "wrong");
  cudaFree(d_cols);
  cudaFree(d_values);
  cudaFree(d_x);
  cudaFree(d_y);
  return y != expected;
}

// BUG padding_used
// - if (col >= 0) sum += a.values[i * a.rows + row] * x[col];
// + sum += a.values[i * a.rows + row] * x[col];
// ! out of bounds
// @ sum += a.values[i * a.rows + row] * x[col];

// BUG stored_by_rows
// - a.cols[i * a.rows + row]
// + a.cols[row * a.rows + i]
// ! out of bounds
// @ a.cols[row * a.rows + i]

// BUG host_pointer_in_a_structure
// - {rows, width, d_cols, d_values}
// + {rows, width, d_cols, values.data()}
// ! which is not device memory (host memory)
// @ sum += a.values[i * a.rows + row] * x[col];

// BUG half_copied
// - cudaMemcpy(d_values, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
// + cudaMemcpy(d_values, values.data(), values.size() * sizeof(half_t), cudaMemcpyHostToDevice);
// - int* d_cols;
// + using half_t = short;
// + int* d_cols;
// ! which no copy and no earlier launch has initialised
// @ sum += a.values[i * a.rows + row] * x[col];
