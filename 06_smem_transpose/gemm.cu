// 06_smem_transpose: A is stored transposed, so one read fetches four values of A for the same k.
//
// Changed from 05_outer_product: load_transposed(), PAD, read_fragment(), snake order, warp tiles.
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/harness/*/*.cu -o gemm -lcublas
#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 64;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 16;  // depth of a shared tile
constexpr int PAD = 4;  // unused elements at the end of each row in shared memory
constexpr int PATCH = 8;  // columns of A that a warp copies per iteration
constexpr int WM = 32;  // rows of C per warp
constexpr int WN = 64;  // columns of C per warp
constexpr int TM = 8;  // rows of C per thread
constexpr int TN = 8;  // columns of C per thread
constexpr int NUM_THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int MIN_BLOCKS = 4;  // resident blocks per multiprocessor: limits a thread's registers
// A warp has (WM / TM) x (WN / TN) lanes. Steps between the 4 x 4 pieces that a lane computes:
constexpr int STEP_M = WM / TM * 4;
constexpr int STEP_N = WN / TN * 4;
static_assert((WM / TM) * (WN / TN) == 32, "a warp has 32 lanes");

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

// The same, but transposed. PAD spreads the 32 elements that a warp stores over 32 banks.
template <bool WHOLE>
__device__ void load_transposed(const Input* global, int64_t ld, int rows, int cols,
                                Input (&shared)[BK][BM + PAD]) {
  const int r0 = threadIdx.x / PATCH, c0 = threadIdx.x % PATCH;
#pragma unroll 16
  for (int i = 0; i < BM; i += NUM_THREADS / PATCH) {
    for (int c = c0; c < c0 + BK; c += PATCH) {
      const bool exists = WHOLE || (r0 + i < rows && c < cols);
      shared[c][r0 + i] = exists ? global[(r0 + i) * ld + c] : Input(0);
    }
  }
}

// Reads groups of four elements, step apart, from shared memory to registers.
template <int COUNT>
__device__ void read_fragment(const Input* shared, int step, Acc (&fragment)[COUNT]) {
  float4* to = reinterpret_cast<float4*>(fragment);
  for (int i = 0; i < COUNT / 4; ++i) to[i] = *reinterpret_cast<const float4*>(&shared[i * step]);
}

// Adds the outer product of a and b to acc. Unrolled loops keep all three in registers.
__device__ void outer_product(const Acc (&a)[TM], const Acc (&b)[TN], Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int i = 0; i < TN; ++i) {
      const int n = m % 2 == 0 ? i : TN - 1 - i;  // snake order: reuses b[n] at each turn
      acc[m][n] += a[m] * b[n];
    }
  }
}

// Writes the accumulators to C. With beta == 0, C is not read, because a NaN in it would spread.
__device__ void store_tile(const Problem& p, int row0, int col0, const Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    const int row = row0 + m / 4 * STEP_M + m % 4;
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
  alignas(16) __shared__ Input As[BK][BM + PAD], Bs[BK][BN];
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // the block's origin in C
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int m0 = warp / (BN / WN) * WM + lane / (WN / TN) * 4;
  const int n0 = warp % (BN / WN) * WN + lane % (WN / TN) * 4;

  Acc acc[TM][TN] = {};
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    load_transposed<WHOLE>(&p.A[row0 * p.lda + k0], p.lda, p.M - row0, p.K - k0, As);
    load_tile<Vector, WHOLE>(&p.B[k0 * p.ldb + col0], p.ldb, p.K - k0, p.N - col0, Bs);
    __syncthreads();  // both tiles are complete before any thread reads them
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      alignas(16) Acc a[TM], b[TN];
      read_fragment(&As[k][m0], STEP_M, a);
      read_fragment(&Bs[k][n0], STEP_N, b);
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
