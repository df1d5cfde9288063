// C = A B with two buffers of tiles: cp.async fills one while the other is multiplied.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__global__ void multiply_kernel(const float* a, const float* b, float* c, int n, int k) {
  __shared__ __align__(16) float as[2][kTile][kTile], bs[2][kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
  const auto copy = [&](int k0, int buffer) {
    if (x < kTile / 4) {
      __pipeline_memcpy_async(&as[buffer][y][4 * x], &a[row * k + k0 + 4 * x], 16);
    } else if (x < kTile / 2) {
      const int at = 4 * x - kTile;
      __pipeline_memcpy_async(&bs[buffer][y][at], &b[(k0 + y) * n + blockIdx.x * kTile + at], 16);
    }
    __pipeline_commit();
  };
  float sum = 0;
  copy(0, 0);
  for (int k0 = 0, buffer = 0; k0 < k; k0 += kTile, buffer = 1 - buffer) {
    if (k0 + kTile < k) {
      copy(k0 + kTile, 1 - buffer);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();  // all copies of this buffer are there
    for (int i = 0; i < kTile; ++i) {
      sum += as[buffer][y][i] * bs[buffer][i][x];
    }
    __syncthreads();  // all have multiplied
  }
  c[row * n + col] = sum;
}

int main() {
  const int m = 32, n = 48, k = 64;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = float(i % 9) - 4;
  for (int i = 0; i < k * n; ++i) b[i] = float(i % 11) - 5;
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  multiply_kernel<<<dim3(n / kTile, m / kTile), dim3(kTile, kTile)>>>(d_a, d_b, d_c, n, k);
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

// BUG no_wait
// - __pipeline_wait_prior(1);
// +
// ! before its asynchronous copy has been waited for
// ! no wait has followed the commit of its group
// @ sum += as[buffer][y][i] * bs[buffer][i][x];

// BUG waits_for_too_few
// - __pipeline_wait_prior(0);
// + __pipeline_wait_prior(1);
// ! the last wait has n = 1, so it leaves the newest group out; if the buffer is right, this copy needs n = 0
// @ sum += as[buffer][y][i] * bs[buffer][i][x];

// BUG no_commit
// - __pipeline_commit();
// +
// ! whose asynchronous copy has not been committed: no wait includes it
// @ sum += as[buffer][y][i] * bs[buffer][i][x];

// BUG no_barrier_behind_the_wait
// - __syncthreads();  // all copies of this buffer are there
// +
// ! with no __syncthreads()
// ! since another thread's wait for its asynchronous copy
// @ sum += as[buffer][y][i] * bs[buffer][i][x];

// BUG no_barrier_behind_the_product
// - __syncthreads();  // all have multiplied
// +
// ! writes as
// ! with no __syncthreads()
// @ __pipeline_memcpy_async(&as[buffer][y][4 * x], &a[row * k + k0 + 4 * x], 16);

// BUG same_buffer
// - copy(k0 + kTile, 1 - buffer);
// + copy(k0 + kTile, buffer);
// ! writes as
// ! to which an earlier asynchronous copy is under way
// @ __pipeline_memcpy_async(&as[buffer][y][4 * x], &a[row * k + k0 + 4 * x], 16);

// BUG unaligned_copy
// - __pipeline_memcpy_async(&as[buffer][y][4 * x], &a[row * k + k0 + 4 * x], 16);
// + __pipeline_memcpy_async(&as[buffer][y][4 * x], &a[row * k + k0 + 4 * x + 1], 16);
// ! past a multiple of 16
// @ &a[row * k + k0 + 4 * x + 1]
