// 01_shared_tile: a block copies tiles of A and B to shared memory once and reads them there.
//
// Changed from 00_naive: BK, load_tiles(), multiply_tiles(), and gemm_kernel() steps by tiles.
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/*.cu -o gemm -lcublas
#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 32;  // rows of C per block
constexpr int BN = 32;  // columns of C per block
constexpr int BK = 32;  // depth of a shared tile
constexpr int NUM_THREADS = BM * BN;
static_assert(BM * BK % NUM_THREADS == 0 && BK * BN % NUM_THREADS == 0,
              "all threads copy equally much");

// Global to shared memory. Elements outside A and B become zeros, which add nothing.
__device__ void load_tiles(const Problem& p, int k0, Input (&As)[BM][BK], Input (&Bs)[BK][BN]) {
#pragma unroll
  for (int i0 = 0; i0 < BM * BK; i0 += NUM_THREADS) {
    const int i = i0 + threadIdx.x;
    const int m = i % BM;
    const int k = i / BM;
    const int row = blockIdx.y * BM + m;
    As[m][k] = row < p.M && k0 + k < p.K ? p.A[row * p.lda + k0 + k] : Input(0);
  }
#pragma unroll
  for (int i0 = 0; i0 < BK * BN; i0 += NUM_THREADS) {
    const int i = i0 + threadIdx.x;
    const int k = i % BK;
    const int n = i / BK;
    const int col = blockIdx.x * BN + n;
    Bs[k][n] = k0 + k < p.K && col < p.N ? p.B[(k0 + k) * p.ldb + col] : Input(0);
  }
}

// Shared memory to accumulator.
__device__ void multiply_tiles(int m0, int n0, const Input (&As)[BM][BK], const Input (&Bs)[BK][BN],
                               Acc& acc) {
#pragma unroll
  for (int k = 0; k < BK; ++k) {
    acc += Acc(As[m0][k]) * Acc(Bs[k][n0]);
  }
}

// Accumulator to C. With beta == 0, C is not read: a NaN in it must not spread.
__device__ void store_tile(const Problem& p, int m0, int n0, Acc acc) {
  const int row = blockIdx.y * BM + m0;
  const int col = blockIdx.x * BN + n0;
  if (row < p.M && col < p.N) {
    Acc& c = p.C[row * p.ldc + col];
    c = p.beta == 0 ? p.alpha * acc : p.alpha * acc + p.beta * c;
  }
}

__global__ void __launch_bounds__(NUM_THREADS) gemm_kernel(Problem p) {
  alignas(16) __shared__ Input As[BM][BK];
  alignas(16) __shared__ Input Bs[BK][BN];

  // This thread's element of the block tile. Neighbouring threads walk down a column.
  const int m0 = threadIdx.x % BM;
  const int n0 = threadIdx.x / BM;

  Acc acc = 0;
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    load_tiles(p, k0, As, Bs);
    __syncthreads();  // both tiles are complete before any thread reads them
    multiply_tiles(m0, n0, As, Bs, acc);
    __syncthreads();  // all threads have read the tiles before the next copy overwrites them
  }
  store_tile(p, m0, n0, acc);
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
