// The transpose by tiles in shared memory: rows are read and written whole.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__global__ void transpose_kernel(const float* from, float* to, int rows, int cols) {
  __shared__ float tile[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y, col = blockIdx.x * kTile + threadIdx.x;
  if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = from[row * cols + col];
  __syncthreads();
  row = blockIdx.y * kTile + threadIdx.x;
  col = blockIdx.x * kTile + threadIdx.y;
  if (row < rows && col < cols) {
    to[col * rows + row] = tile[threadIdx.x][threadIdx.y];
  }
}

int main() {
  const int rows = 50, cols = 37, bytes = rows * cols * sizeof(float);
  std::vector<float> from(rows * cols), to(rows * cols);
  for (int i = 0; i < rows * cols; ++i) from[i] = float(i % 1000);
  float *d_from, *d_to;
  cudaMalloc(&d_from, bytes);
  cudaMalloc(&d_to, bytes);
  cudaMemcpy(d_from, from.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 block(kTile, kTile), grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, block>>>(d_from, d_to, rows, cols);
  cudaMemcpy(to.data(), d_to, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < rows * cols; ++i) wrong += to[i % cols * rows + i / cols] != from[i];
  std::printf("%d wrong\n", wrong);
  cudaFree(d_from);
  cudaFree(d_to);
  return wrong != 0;
}

// BUG no_barrier
// - __syncthreads();
// +
// ! tile
// ! with no __syncthreads()
// @ to[col * rows + row] = tile[threadIdx.x][threadIdx.y];

// BUG second_guard_by_the_first_place
// - row = blockIdx.y * kTile + threadIdx.x;
// - col = blockIdx.x * kTile + threadIdx.y;
// - if (row < rows && col < cols) {
// + const bool inside = row < rows && col < cols;
// + row = blockIdx.y * kTile + threadIdx.x;
// + col = blockIdx.x * kTile + threadIdx.y;
// + if (inside) {
// ! out of bounds
// @ to[col * rows + row] = tile[threadIdx.x][threadIdx.y];

// BUG barrier_behind_an_exit
// - if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = from[row * cols + col];
// - __syncthreads();
// + if (row >= rows || col >= cols) return;
// + tile[threadIdx.y][threadIdx.x] = from[row * cols + col];
// + __syncthreads();
// ! __syncthreads()
// @ __syncthreads();

// BUG tile_not_transposed
// - tile[threadIdx.x][threadIdx.y];
// + tile[threadIdx.y][threadIdx.x];
// ! tile
// @ to[col * rows + row] = tile[threadIdx.y][threadIdx.x];
