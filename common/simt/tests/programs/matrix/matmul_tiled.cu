// C = A B by square tiles in shared memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
  float sum = 0;
  for (int k0 = 0; k0 < k; k0 += kTile) {
    as[y][x] = row < m && k0 + x < k ? a[row * k + k0 + x] : 0;
    bs[y][x] = k0 + y < k && col < n ? b[(k0 + y) * n + col] : 0;
    __syncthreads();  // the tiles are there
    for (int i = 0; i < kTile; ++i) {
      sum += as[y][i] * bs[i][x];
    }
    __syncthreads();  // all have multiplied
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

int main() {
  const int m = 40, n = 50, k = 37;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = float(i % 9) - 4;
  for (int i = 0; i < k * n; ++i) b[i] = float(i % 11) - 5;
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile), block(kTile, kTile);
  multiply_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
  cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < m * n; ++i) {
    float sum = 0;
    for (int j = 0; j < k; ++j) sum += a[i / n * k + j] * b[j * n + i % n];
    wrong += c[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return wrong != 0;
}

// BUG no_barrier_behind_the_copies
// - __syncthreads();  // the tiles are there
// +
// ! with no __syncthreads() or __syncwarp() since another thread
// @ sum += as[y][i] * bs[i][x];

// BUG no_barrier_behind_the_product
// - __syncthreads();  // all have multiplied
// +
// ! with no __syncthreads() or __syncwarp() since another thread
// @ as[y][x] = row < m && k0 + x < k ? a[row * k + k0 + x] : 0;

// BUG barriers_in_the_guard
// - float sum = 0;
// - for (int k0 = 0;
// + float sum = 0;
// + if (row < m && col < n) for (int k0 = 0;
// ! __syncthreads()
// @ // the tiles are there

// BUG zeros_left_out
// - as[y][x] = row < m && k0 + x < k ? a[row * k + k0 + x] : 0;
// + if (row < m && k0 + x < k) as[y][x] = a[row * k + k0 + x];
// ! as
// ! which no thread of this block has written
// @ sum += as[y][i] * bs[i][x];

// BUG inner_loop_too_long
// - i < kTile; ++i
// + i <= kTile; ++i
// ! index 16
// @ sum += as[y][i] * bs[i][x];
