// The transpose by 32 x 32 tiles with a padded row, in four steps a thread.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_kernel(const int* from, int* to, int size) {
  __shared__ int tile[kTile][kTile + 1];  // columns lie in different banks
  const int x = threadIdx.x, y = threadIdx.y;
  const int col0 = blockIdx.x * kTile, row0 = blockIdx.y * kTile;
  for (int r = y; r < kTile; r += kRows) {
    tile[r][x] = from[(row0 + r) * size + col0 + x];
  }
  __syncthreads();
  for (int r = y; r < kTile; r += kRows) {
    to[(col0 + r) * size + row0 + x] = tile[x][r];
  }
}

int main() {
  const int size = 96, count = size * size, bytes = count * sizeof(int);
  std::vector<int> from(count), to(count);
  for (int i = 0; i < count; ++i) from[i] = i;
  int *d_from, *d_to;
  cudaMalloc(&d_from, bytes);
  cudaMalloc(&d_to, bytes);
  cudaMemcpy(d_from, from.data(), bytes, cudaMemcpyHostToDevice);
  transpose_kernel<<<dim3(size / kTile, size / kTile), dim3(kTile, kRows)>>>(d_from, d_to, size);
  cudaMemcpy(to.data(), d_to, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += to[i % size * size + i / size] != from[i];
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
// @ to[(col0 + r) * size + row0 + x] = tile[x][r];

// BUG steps_too_large
// - for (int r = y; r < kTile; r += kRows) {
// - tile[r][x]
// + for (int r = y; r < kTile; r += 2 * kRows) {
// + tile[r][x]
// ! tile
// ! which no thread of this block has written
// @ to[(col0 + r) * size + row0 + x] = tile[x][r];

// BUG in_place
// - (d_from, d_to, size)
// + (d_from, d_from, size)
// ! which another block reads in this launch
// @ to[(col0 + r) * size + row0 + x] = tile[x][r];

// BUG rows_too_many
// - r < kTile; r += kRows) {
// - tile[r][x]
// + r <= kTile; r += kRows) {
// + tile[r][x]
// ! index 32
// @ tile[r][x] = from[(row0 + r) * size + col0 + x];
