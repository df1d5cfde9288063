// The memory accesses of the kernels that docs/learn/sources.md discusses, reduced to one tile, for the CPU backend to
// count. Arithmetic that does not matter is left out.
#include <cuda_runtime.h>

#include "tests/docs/patterns.h"

namespace {

constexpr int SIDE = 16;  // threads of a block in each direction
constexpr int TILE = 64;  // rows and columns of a tile of the notes: 4 x 4 elements a thread

// The report. It reads B[Col * N + j], so neighbouring threads read neighbouring rows.
__global__ void column_load_kernel(const float* B, float* out, int n, bool rows) {
  const int col = threadIdx.x, j = threadIdx.y;
  out[j * 32 + col] = rows ? B[col * n + j] : B[j * n + col];
}

// The blog of 2016. It stores a tile of B, transposed or not, and reads it once for each k.
template <bool TRANSPOSED>
__global__ void tile_kernel(const float* B, float* out) {
  __shared__ float sub[SIDE][SIDE];
  const int x = threadIdx.x, y = threadIdx.y;
  if (TRANSPOSED) {
    sub[x][y] = B[y * SIDE + x];
  } else {
    sub[y][x] = B[y * SIDE + x];
  }
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < SIDE; ++k) sum += TRANSPOSED ? sub[x][k] : sub[k][x];
  out[y * SIDE + x] = sum;
}

// The notes. A tile of A goes through shared memory, row by row (v6) or transposed (v7).
template <bool TRANSPOSED>
__global__ void fragment_kernel(const float* A, float* out) {
  alignas(16) __shared__ float tile[TILE][TILE];
  const int m0 = threadIdx.y * 4, k0 = threadIdx.x * 4;
  for (int i = 0; i < 4; ++i) {
    const float4 a = *reinterpret_cast<const float4*>(&A[(m0 + i) * TILE + k0]);
    if (TRANSPOSED) {
      tile[k0 + 0][m0 + i] = a.x;
      tile[k0 + 1][m0 + i] = a.y;
      tile[k0 + 2][m0 + i] = a.z;
      tile[k0 + 3][m0 + i] = a.w;
    } else {
      *reinterpret_cast<float4*>(&tile[m0 + i][k0]) = a;
    }
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < TILE; ++k) {
    if (TRANSPOSED) {
      const float4 a = *reinterpret_cast<const float4*>(&tile[k][m0]);
      sum += a.x + a.y + a.z + a.w;
    } else {
      for (int i = 0; i < 4; ++i) sum += tile[m0 + i][k];
    }
  }
  out[threadIdx.y * SIDE + threadIdx.x] = sum;
}

// The blog of 2018. Threads outside C skip the loop with the barriers, so they do not copy for the others either.
__global__ void guarded_barrier_kernel(const float* A, float* C, int n) {
  constexpr int T = 7;
  __shared__ float sub[T][T];
  const int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
  if (row < n && col < n) {
    sub[threadIdx.y][threadIdx.x] = A[row * n + col];
    __syncthreads();
    C[row * n + col] = sub[threadIdx.y][0];
  }
}

}  // namespace

namespace sources {

void column_load(const float* B, float* out, int n, bool rows) {
  column_load_kernel<<<1, dim3(32, 32)>>>(B, out, n, rows);
}

void tile(const float* B, float* out, bool transposed) {
  if (transposed) {
    tile_kernel<true><<<1, dim3(SIDE, SIDE)>>>(B, out);
  } else {
    tile_kernel<false><<<1, dim3(SIDE, SIDE)>>>(B, out);
  }
}

void fragment(const float* A, float* out, bool transposed) {
  if (transposed) {
    fragment_kernel<true><<<1, dim3(SIDE, SIDE)>>>(A, out);
  } else {
    fragment_kernel<false><<<1, dim3(SIDE, SIDE)>>>(A, out);
  }
}

void guarded_barrier(const float* A, float* C, int n) {
  guarded_barrier_kernel<<<dim3((n + 6) / 7, (n + 6) / 7), dim3(7, 7)>>>(A, C, n);
}

}  // namespace sources
