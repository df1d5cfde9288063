// 07_double_buffer with registers in the place of asynchronous copies: the next tiles wait in them
// while this one is multiplied, and go to the other pair of shared tiles at STORE_STEP.
#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 64;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 16;  // depth of a shared tile
constexpr int PAD = 4;  // unused elements at the end of a shared row
constexpr int PATCH = 8;  // columns of A that a warp copies at a time
constexpr int STAGES = 2;  // pairs of tiles: one is multiplied while the other is stored
constexpr int STORE_STEP = BK - 1;  // k in a tile before which the next is stored; BK: after all
constexpr int WM = 32;  // rows of C per warp
constexpr int WN = 64;  // columns of C per warp
constexpr int TM = 8;  // rows of C per thread
constexpr int TN = 8;  // columns of C per thread
constexpr int NUM_THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int MIN_BLOCKS = 3;  // resident per multiprocessor: leaves 168 registers to a thread

// A warp is a grid of (WM / TM) x (WN / TN) lanes. Each of them owns blocks of 4 x 4 elements, one
// whole grid of 4 x 4 blocks apart, so that neighbouring lanes read neighbouring shared addresses.
constexpr int STEP_M = WM / TM * 4;
constexpr int STEP_N = WN / TN * 4;
static_assert((WM / TM) * (WN / TN) == 32, "a warp has 32 lanes");

template <typename Vector>
constexpr bool WHOLE = sizeof(Vector) > sizeof(Input);  // of float4, no tile sticks out of a matrix

// Global memory to registers, LANES threads a row. Only rows x cols elements of the tile exist; the
// others become zeros, which add nothing.
template <int ROWS, int COLS, int LANES, typename Vector, int COPIES>
__device__ void fetch_tile(const Input* global, int64_t ld, int rows, int cols,
                           Vector (&next)[COPIES]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input);
  static_assert(ROWS * COLS == COPIES * COUNT * NUM_THREADS, "all threads copy equally much");
  const int r0 = threadIdx.x / LANES, c0 = threadIdx.x % LANES * COUNT;
  int copy = 0;
#pragma unroll
  for (int i = 0; i < ROWS; i += NUM_THREADS / LANES) {
    const int r = r0 + i;
#pragma unroll
    for (int c = c0; c < c0 + COLS; c += LANES * COUNT) {
      const Vector* source = reinterpret_cast<const Vector*>(&global[r * ld + c]);
      next[copy++] = WHOLE<Vector> || (r < rows && c < cols) ? *source : Vector{};
    }
  }
}

// Registers to shared memory.
template <typename Vector, int COPIES, int ROWS, int COLS>
__device__ void put_tile(const Vector (&next)[COPIES], Input (&shared)[ROWS][COLS]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input), LANES = COLS / COUNT;
  const int r0 = threadIdx.x / LANES, c = threadIdx.x % LANES * COUNT;
#pragma unroll
  for (int copy = 0; copy < COPIES; ++copy) {
    const int r = r0 + copy * (NUM_THREADS / LANES);
    *reinterpret_cast<Vector*>(&shared[r][c]) = next[copy];
  }
}

// The same, transposed. Thanks to PAD, a warp's patch of PATCH columns goes to 32 different banks.
template <typename Vector, int COPIES>
__device__ void put_transposed(const Vector (&next)[COPIES], Input (&shared)[BK][BM + PAD]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input), LANES = PATCH / COUNT;
  const int r0 = threadIdx.x / LANES, c0 = threadIdx.x % LANES * COUNT;
  int copy = 0;
#pragma unroll
  for (int r = r0; r < BM; r += NUM_THREADS / LANES) {
#pragma unroll
    for (int c = c0; c < c0 + BK; c += PATCH, ++copy) {
      for (int j = 0; j < COUNT; ++j) {
        shared[c + j][r] = reinterpret_cast<const Input*>(&next[copy])[j];
      }
    }
  }
}

// Shared memory to registers: blocks of four elements, step apart.
template <int COUNT>
__device__ void read_fragment(const Input* shared, int step, Acc (&fragment)[COUNT]) {
  float4* to = reinterpret_cast<float4*>(fragment);
  for (int i = 0; i < COUNT / 4; ++i) to[i] = *reinterpret_cast<const float4*>(&shared[i * step]);
}

// Registers to accumulators. Unrolled loops make every index a constant, which registers need.
__device__ void outer_product(const Acc (&a)[TM], const Acc (&b)[TN], Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int i = 0; i < TN; ++i) {
      const int j = m % 2 == 0 ? i : TN - 1 - i;  // back and forth: the turn reuses b[n]
      const int n = j % 2 * (TN / 2) + j / 2;  // and between the two float4 of b
      acc[m][n] += a[m] * b[n];
    }
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread.
template <typename Vector>
__device__ void store_tile(const Problem& p, int row0, int col0, const Acc (&acc)[TM][TN]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    const int row = row0 + m / 4 * STEP_M + m % 4;
    if (!WHOLE<Vector> && row >= p.M) break;
#pragma unroll
    for (int n = 0; n < TN; n += COUNT) {
      const int col = col0 + n / 4 * STEP_N + n % 4;
      if (WHOLE<Vector> || col < p.N) {
        Vector& c = *reinterpret_cast<Vector*>(&p.C[row * p.ldc + col]);
        Vector sum = p.beta == 0 ? Vector{} : c;
        Acc* s = reinterpret_cast<Acc*>(&sum);
        for (int i = 0; i < COUNT; ++i) s[i] = p.alpha * acc[m][n + i] + p.beta * s[i];
        c = sum;
      }
    }
  }
}

template <typename Vector>
__global__ void __launch_bounds__(NUM_THREADS, MIN_BLOCKS) gemm_kernel(Problem p) {
  alignas(16) __shared__ Input As[STAGES][BK][BM + PAD], Bs[STAGES][BK][BN];
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // this block's corner of C
  // This thread's corner of the block tile: its warp's corner, and its lane's place in the warp.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int m0 = warp / (BN / WN) * WM + lane / (WN / TN) * 4;
  const int n0 = warp % (BN / WN) * WN + lane % (WN / TN) * 4;
  constexpr int COUNT = sizeof(Vector) / sizeof(Input);
  Vector next_a[BM * BK / COUNT / NUM_THREADS] = {}, next_b[BK * BN / COUNT / NUM_THREADS] = {};
  const auto fetch_tiles = [&](int k0) {  // the tiles at k0 are on their way
    if (!WHOLE<Vector> || k0 < p.K) {
      const Input *A = &p.A[row0 * p.lda + k0], *B = &p.B[k0 * p.ldb + col0];
      fetch_tile<BM, BK, PATCH / COUNT>(A, p.lda, p.M - row0, p.K - k0, next_a);
      fetch_tile<BK, BN, BN / COUNT>(B, p.ldb, p.K - k0, p.N - col0, next_b);
    }
  };
  const auto put_tiles = [&](int buffer) {
    put_transposed(next_a, As[buffer]);
    put_tile(next_b, Bs[buffer]);
  };
  Acc acc[TM][TN] = {};
  alignas(16) Acc a[2][TM], b[2][TN];  // fragments of this step and of the next
  fetch_tiles(0);
  put_tiles(0);
  __syncthreads();  // the first tiles are complete
  read_fragment(&As[0][0][m0], STEP_M, a[0]);
  read_fragment(&Bs[0][0][n0], STEP_N, b[0]);
  int cur = 0;  // buffer being multiplied
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    fetch_tiles(k0 + BK);
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      const bool after = k == BK - 1 && STORE_STEP == BK;
      if (after) outer_product(a[k % 2], b[k % 2], acc);
      if (k == STORE_STEP || after) put_tiles(1 - cur);
      if (k == BK - 1) {
        __syncthreads();  // the next tiles are complete, and all threads have read this tile
        cur = 1 - cur;
      }
      read_fragment(&As[cur][(k + 1) % BK][m0], STEP_M, a[(k + 1) % 2]);
      read_fragment(&Bs[cur][(k + 1) % BK][n0], STEP_N, b[(k + 1) % 2]);
      if (!after) outer_product(a[k % 2], b[k % 2], acc);
    }
  }
  store_tile<Vector>(p, row0 + m0, col0 + n0, acc);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  const bool aligned = (uintptr_t(p.A) | uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0 &&
                       (p.lda | p.ldb | p.ldc | p.K | p.N) % 4 == 0;
  const bool whole = p.M % BM == 0 && p.N % BN == 0 && p.K % BK == 0 && p.K >= STAGES * BK;
  const auto kernel = aligned && whole ? gemm_kernel<float4> : gemm_kernel<Input>;
  kernel<<<grid, NUM_THREADS>>>(p);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
