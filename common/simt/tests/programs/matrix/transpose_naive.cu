// The transpose of a matrix whose sides are no multiples of the tile, element by element.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void transpose_kernel(const float* from, float* to, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    to[col * rows + row] = from[row * cols + col];
  }
}

int main() {
  const int rows = 45, cols = 70, bytes = rows * cols * sizeof(float);
  std::vector<float> from(rows * cols), to(rows * cols);
  for (int i = 0; i < rows * cols; ++i) from[i] = float(i);
  float *d_from, *d_to;
  cudaMalloc(&d_from, bytes);
  cudaMalloc(&d_to, bytes);
  cudaMemcpy(d_from, from.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
  transpose_kernel<<<grid, block>>>(d_from, d_to, rows, cols);
  cudaMemcpy(to.data(), d_to, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < rows * cols; ++i) wrong += to[i % cols * rows + i / cols] != from[i];
  std::printf("%d wrong\n", wrong);
  cudaFree(d_from);
  cudaFree(d_to);
  return wrong != 0;
}

// BUG guard_of_rows_only
// - if (row < rows && col < cols) {
// + if (row < rows) {
// ! out of bounds
// @ to[col * rows + row] = from[row * cols + col];

// BUG guard_off_by_one
// - if (row < rows && col < cols) {
// + if (row <= rows && col < cols) {
// ! out of bounds
// @ to[col * rows + row] = from[row * cols + col];

// BUG wrong_stride
// - to[col * rows + row] = from[row * cols + col];
// + to[col * cols + row] = from[row * cols + col];
// ! out of bounds
// @ to[col * cols + row] = from[row * cols + col];

// BUG grid_sides_exchanged
// - grid((cols + 15) / 16, (rows + 15) / 16)
// + grid((rows + 15) / 16, (cols + 15) / 16)
// ! wrong result

// BUG block_too_large
// - block(16, 16)
// + block(64, 64)
// ! is refused: a block of 4096 threads; it has at most 1024
// @ transpose_kernel<<<grid, block>>>(d_from, d_to, rows, cols);
