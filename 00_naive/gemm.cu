// 00_naive: one thread computes one element of C, straight from global memory.
//
// Changed from nothing: this is the baseline.
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/*.cu -o gemm -lcublas
#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 32;  // rows of C per block
constexpr int BN = 32;  // columns of C per block
constexpr int NUM_THREADS = BM * BN;

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
  // This thread's element of the block tile. Neighbouring threads walk down a column.
  const int m0 = threadIdx.x % BM;
  const int n0 = threadIdx.x / BM;
  const int row = blockIdx.y * BM + m0;
  const int col = blockIdx.x * BN + n0;

  Acc acc = 0;
  if (row < p.M && col < p.N) {
    for (int k = 0; k < p.K; ++k) {
      acc += Acc(p.A[row * p.lda + k]) * Acc(p.B[k * p.ldb + col]);
    }
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
