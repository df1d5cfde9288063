// 03_thread_tile: each thread computes TM rows of C and reuses each value of B for all of them.
//
// Changed from 02_coalesced: TM, tile sizes, unrolling, acc[TM] in gemm_kernel() and store_tile().
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/harness/*/*.cu -o gemm -lcublas
#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 64;  // rows of C per block
constexpr int BN = 64;  // columns of C per block
constexpr int BK = 32;  // depth of a shared tile
constexpr int TM = 8;  // rows of C per thread
constexpr int NUM_THREADS = BM / TM * BN;

// Copies a tile to shared memory. Only its first rows x cols elements exist; the others become
// zeros, which add nothing.
template <int ROWS, int COLS>
__device__ void load_tile(const Input* global, int64_t ld, int rows, int cols,
                          Input (&shared)[ROWS][COLS]) {
  static_assert(ROWS % (NUM_THREADS / COLS) == 0, "all threads copy equally much");
  const int r0 = threadIdx.x / COLS, c = threadIdx.x % COLS;
#pragma unroll 16
  for (int i = 0; i < ROWS; i += NUM_THREADS / COLS) {
    const int r = r0 + i;
    shared[r][c] = r < rows && c < cols ? global[r * ld + c] : Input(0);
  }
}

// Writes the accumulators to C. With beta == 0, C is not read, because a NaN in it would spread.
__device__ void store_tile(const Problem& p, int row, int col, const Acc (&acc)[TM]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    if (row + m < p.M && col < p.N) {
      Acc& c = p.C[(row + m) * p.ldc + col];
      c = p.beta == 0 ? p.alpha * acc[m] : p.alpha * acc[m] + p.beta * c;
    }
  }
}

__global__ void __launch_bounds__(NUM_THREADS) gemm_kernel(Problem p) {
  alignas(16) __shared__ Input As[BM][BK], Bs[BK][BN];
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // the block's origin in C
  // This thread's first element of the block tile. Consecutive threads go along a row.
  const int m0 = threadIdx.x / BN * TM;
  const int n0 = threadIdx.x % BN;

  Acc acc[TM] = {};
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    load_tile(&p.A[row0 * p.lda + k0], p.lda, p.M - row0, p.K - k0, As);
    load_tile(&p.B[k0 * p.ldb + col0], p.ldb, p.K - k0, p.N - col0, Bs);
    __syncthreads();  // both tiles are complete before any thread reads them
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      const Acc b = Acc(Bs[k][n0]);
#pragma unroll
      for (int m = 0; m < TM; ++m) {  // unrolled: m is a constant, so acc[m] is a register
        acc[m] += Acc(As[m0 + m][k]) * b;
      }
    }
    __syncthreads();  // all threads have read the tiles before the next copy overwrites them
  }
  store_tile(p, row0 + m0, col0 + n0, acc);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  gemm_kernel<<<grid, NUM_THREADS>>>(p);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
