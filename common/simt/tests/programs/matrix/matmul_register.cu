// C = A B with a 4 x 4 tile of C in the registers of each thread. A is kept transposed, so that it is read as float4.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 32, kDepth = 8, kThreads = 64;

__global__ void multiply_kernel(const float* a, const float* b, float* c, int n, int k) {
  __shared__ __align__(16) float as[kDepth][kTile + 4], bs[kDepth][kTile];
  const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
  const int m0 = threadIdx.x / 8 * 4, n0 = threadIdx.x % 8 * 4;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += kDepth) {
    for (int i = threadIdx.x; i < kTile * kDepth; i += kThreads) {
      as[i % kDepth][i / kDepth] = a[(row0 + i / kDepth) * k + k0 + i % kDepth];
      bs[i / kTile][i % kTile] = b[(k0 + i / kTile) * n + col0 + i % kTile];
    }
    __syncthreads();  // the tiles are there
    for (int i = 0; i < kDepth; ++i) {
      const float4 x = *reinterpret_cast<const float4*>(&as[i][m0]);
      const float4 y = *reinterpret_cast<const float4*>(&bs[i][n0]);
      const float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
      for (int r = 0; r < 4; ++r) {
        for (int s = 0; s < 4; ++s) acc[r][s] += xs[r] * ys[s];
      }
    }
    __syncthreads();  // all have multiplied
  }
  for (int r = 0; r < 4; ++r) {
    *reinterpret_cast<float4*>(&c[(row0 + m0 + r) * n + col0 + n0]) =
        make_float4(acc[r][0], acc[r][1], acc[r][2], acc[r][3]);
  }
}

int main() {
  const int m = 64, n = 96, k = 40;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = float(i % 9) - 4;
  for (int i = 0; i < k * n; ++i) b[i] = float(i % 11) - 5;
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  multiply_kernel<<<dim3(n / kTile, m / kTile), kThreads>>>(d_a, d_b, d_c, n, k);
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

// BUG padding_breaks_the_alignment
// - as[kDepth][kTile + 4]
// + as[kDepth][kTile + 1]
// ! past a multiple of 16
// @ const float4 x =

// BUG arrays_not_aligned
// - __shared__ __align__(16) float as[kDepth][kTile + 4]
// + __shared__ volatile float zero[1]; __shared__ float as[kDepth][kTile + 4]
// - float acc[4][4] = {};
// + float acc[4][4] = {};
// + if (threadIdx.x == 0) zero[0] = 0;
// ! an array that need not begin at a multiple of 16: declare it alignas(16); nvcc places it 4 bytes past such a
// @ const float4 x =

// BUG no_barrier_behind_the_product
// - __syncthreads();  // all have multiplied
// +
// ! with no __syncthreads() or __syncwarp() since another thread
// @ as[i % kDepth][i / kDepth] = a[(row0 + i / kDepth) * k + k0 + i % kDepth];

// BUG half_of_the_threads
// - kThreads>>>(d_a
// + kThreads / 2>>>(d_a
// ! which no thread of this block has written

// BUG accumulators_not_cleared
// - float acc[4][4] = {};
// + float acc[4][4];
// ! computed with a variable that was never given a value
// @ make_float4(acc[r][0], acc[r][1]
