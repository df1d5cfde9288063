// C = A B by WMMA: each warp multiplies tiles of 16 x 16 halves from shared memory.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>
#include <vector>

using namespace nvcuda;
constexpr int kWarps = 4, kStride = 24;

__global__ void multiply_kernel(const half* a, const half* b, float* c, int n, int k) {
  __shared__ __align__(32) half as[16 * kStride];
  const int warp = threadIdx.x / 32, row0 = blockIdx.y * 16,
            col0 = (blockIdx.x * kWarps + warp) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k0 = 0; k0 < k; k0 += 16) {
    for (int i = threadIdx.x; i < 256; i += 32 * kWarps) {
      as[i / 16 * kStride + i % 16] = a[(row0 + i / 16) * k + k0 + i % 16];
    }
    __syncthreads();  // the tile is there
    wmma::load_matrix_sync(x, as, kStride);
    wmma::load_matrix_sync(y, b + k0 * n + col0, n);
    wmma::mma_sync(sum, x, y, sum);
    __syncthreads();  // all have read
  }
  wmma::store_matrix_sync(c + row0 * n + col0, sum, n, wmma::mem_row_major);
}

int main() {
  const int m = 32, n = 128, k = 48;
  std::vector<half> a(m * k), b(k * n);
  std::vector<float> c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = __float2half(float(i % 9) - 4);
  for (int i = 0; i < k * n; ++i) b[i] = __float2half(float(i % 11) - 5);
  half *d_a, *d_b;
  float* d_c;
  cudaMalloc(&d_a, a.size() * sizeof(half));
  cudaMalloc(&d_b, b.size() * sizeof(half));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice);
  multiply_kernel<<<dim3(n / (16 * kWarps), m / 16), 32 * kWarps>>>(d_a, d_b, d_c, n, k);
  cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < m * n; ++i) {
    float sum = 0;
    for (int j = 0; j < k; ++j) sum += float((i / n * k + j) % 9 - 4) * ((j * n + i % n) % 11 - 5);
    wrong += c[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return wrong != 0;
}

// BUG no_barrier_behind_the_copy
// - __syncthreads();  // the tile is there
// +
// ! as
// ! with no __syncthreads()
// @ wmma::load_matrix_sync(x, as, kStride);

// BUG no_barrier_behind_the_load
// - __syncthreads();  // all have read
// +
// ! as
// ! with no __syncthreads()
// @ as[i / 16 * kStride + i % 16] = a[(row0 + i / 16) * k + k0 + i % 16];

// BUG accumulator_not_filled
// - wmma::fill_fragment(sum, 0.0f);
// +
// ! adds to an accumulator that has no value
// @ wmma::mma_sync(

// BUG fragment_not_loaded
// - wmma::load_matrix_sync(y, b + k0 * n + col0, n);
// +
// ! multiplies a fragment of B that has no value
// @ wmma::mma_sync(

// BUG fragment_in_shared_memory
// - wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
// + __shared__ wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
// ! y + 0 bytes
// ! with no __syncthreads()

// BUG rows_overlap
// - sum, n, wmma::mem_row_major
// + sum, 8, wmma::mem_row_major
// ! stores a tile whose rows of 16 elements begin only 8 elements apart (ldm)
// @ wmma::store_matrix_sync(

// BUG product_of_half_a_warp
// - wmma::mma_sync(sum, x, y, sum);
// + if (threadIdx.x % 32 < 16) wmma::mma_sync(sum, x, y, sum);
// ! waits at wmma::mma_sync() for lanes 0xffffffff, but 16 of them do not arrive
// @ wmma::mma_sync(

// BUG stride_of_odd_halves
// - as[16 * kStride];
// - const int warp
// + as[16 * kStride + 1];
// + const int warp
// - wmma::load_matrix_sync(x, as, kStride);
// + wmma::load_matrix_sync(x, as + 1, kStride);
// ! passes a tile whose address is 2 bytes past a multiple of 32
// @ wmma::load_matrix_sync(x, as + 1, kStride);
