// 05_outer_product: each thread accumulates outer products of fragments in registers.
//
// Changed from 04_float4: TN, STEP_N, sizes, MIN_BLOCKS, outer_product(), store_tile(), m0, n0.
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/harness/*/*.cu -o gemm -lcublas
#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 64;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 16;  // depth of a shared tile
constexpr int TM = 8;  // rows of C per thread
constexpr int TN = 8;  // columns of C per thread
constexpr int NUM_THREADS = (BM / TM) * (BN / TN);
constexpr int MIN_BLOCKS = 3;  // resident blocks per multiprocessor: limits a thread's registers
constexpr int STEP_N = BN / TN * 4;  // distance between a thread's two groups of four columns

// Copies a tile to shared memory. Only its first rows x cols elements exist; the others become
// zeros, which add nothing. WHOLE: all of them exist, so the loop checks none.
template <typename Vector, bool WHOLE, int ROWS, int COLS>
__device__ void load_tile(const Input* global, int64_t ld, int rows, int cols,
                          Input (&shared)[ROWS][COLS]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input), LANES = COLS / COUNT;
  static_assert(ROWS % (NUM_THREADS / LANES) == 0, "all threads copy equally much");
  const int r0 = threadIdx.x / LANES, c = threadIdx.x % LANES * COUNT;
#pragma unroll 16
  for (int i = 0; i < ROWS; i += NUM_THREADS / LANES) {
    const int r = r0 + i;
    const Vector* source = reinterpret_cast<const Vector*>(&global[r * ld + c]);
    const bool exists = WHOLE || (r < rows && c < cols);
    *reinterpret_cast<Vector*>(&shared[r][c]) = exists ? *source : Vector{};
  }
}

// Adds the outer product of a and b to acc. Unrolled loops keep all three in registers.
__device__ void outer_product(const Acc (&a)[TM], const Acc (&b)[TN], Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int n = 0; n < TN; ++n) acc[m][n] += a[m] * b[n];
  }
}

// Writes the accumulators to C. With beta == 0, C is not read, because a NaN in it would spread.
__device__ void store_tile(const Problem& p, int row0, int col0, const Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    const int row = row0 + m;
    if (row >= p.M) break;
#pragma unroll
    for (int n = 0; n < TN; ++n) {
      const int col = col0 + n / 4 * STEP_N + n % 4;
      if (col < p.N) {
        Acc& c = p.C[row * p.ldc + col];
        c = p.beta == 0 ? p.alpha * acc[m][n] : p.alpha * acc[m][n] + p.beta * c;
      }
    }
  }
}

template <typename Vector, bool WHOLE>
__global__ void __launch_bounds__(NUM_THREADS, MIN_BLOCKS) gemm_kernel(Problem p) {
  alignas(16) __shared__ Input As[BM][BK], Bs[BK][BN];
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // the block's origin in C
  // This thread's first element of the block tile. Consecutive threads go along a row.
  const int m0 = threadIdx.x / (BN / TN) * TM;
  const int n0 = threadIdx.x % (BN / TN) * 4;

  Acc acc[TM][TN] = {};
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    load_tile<Vector, WHOLE>(&p.A[row0 * p.lda + k0], p.lda, p.M - row0, p.K - k0, As);
    load_tile<Vector, WHOLE>(&p.B[k0 * p.ldb + col0], p.ldb, p.K - k0, p.N - col0, Bs);
    __syncthreads();  // both tiles are complete before any thread reads them
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      Acc a[TM], b[TN];
#pragma unroll
      for (int m = 0; m < TM; ++m) a[m] = As[m0 + m][k];
#pragma unroll
      for (int n = 0; n < TN; ++n) b[n] = Bs[k][n0 + n / 4 * STEP_N + n % 4];
      outer_product(a, b, acc);
    }
    __syncthreads();  // all threads have read the tiles before the next copy overwrites them
  }
  store_tile(p, row0 + m0, col0 + n0, acc);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  const bool aligned = (uintptr_t(p.A) | uintptr_t(p.B)) % 16 == 0 && (p.lda | p.ldb) % 4 == 0;
  const bool whole = p.M % BM == 0 && p.N % BN == 0 && p.K % BK == 0;
  const auto kernel = aligned && whole ? gemm_kernel<float4, true> : gemm_kernel<Input, false>;
  kernel<<<grid, NUM_THREADS>>>(p);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
