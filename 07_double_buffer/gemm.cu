// 07_double_buffer: the next tiles are on their way while this one is multiplied.
//
// Changed from 06_smem_transpose: load_tiles(), read_fragment(), the main loop, stores, tile sizes.
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/*.cu -o gemm -lcublas
#include <cuda_pipeline.h>

#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BK = 16;  // depth of a shared tile
constexpr int PAD = 4;  // unused floats at the end of a row of As
constexpr int STAGES = 3;  // pairs of tiles: one is multiplied while two are on their way
constexpr int NUM_THREADS = 128;  // 2 x 2 warps
constexpr int STEP_M = 16;  // a warp is 4 x 8 lanes: rows between a thread's 4 x 4 blocks
constexpr int STEP_N = 32;  // columns between a thread's 4 x 4 blocks
constexpr int MIN_BLOCKS = 4;  // resident per multiprocessor: leaves 128 registers to a thread

// Starts the copies of a ROWS x COLS tile: element (r, c) goes to shared[r * DR + c * DC]. Of a
// CHECKED tile only rows x cols elements exist; the others become zeros, which add nothing.
template <int ROWS, int COLS, int DR, int DC, int LANES, int COUNT, bool CHECKED>
__device__ void load_tile(const Input* global, int64_t ld, int rows, int cols, Input* shared) {
  const int r = threadIdx.x / LANES;
  const int c = threadIdx.x % LANES * COUNT;
  global += r * ld + c;
#pragma unroll(CHECKED ? 1 : ROWS)
  for (int i = 0; i < ROWS; i += NUM_THREADS / LANES) {
#pragma unroll
    for (int j = 0; j < COLS; j += LANES * COUNT) {
      Input* element = &shared[(r + i) * DR + (c + j) * DC];
      if (!CHECKED || (r + i < rows && c + j < cols)) {
        __pipeline_memcpy_async(element, &global[j], COUNT * sizeof(Input));
      } else {
        *element = 0;
      }
    }
    global += NUM_THREADS / LANES * ld;
  }
}

// Global to shared memory, asynchronous. A warp copies a patch of 4 rows and 8 columns of A element
// by element, which transposes it; thanks to the padding it stores to 32 different banks.
template <int COUNT, int LD, int BN>
__device__ void load_tiles(const Problem& p, int k0, Input (&As)[BK][LD], Input (&Bs)[BK][BN]) {
  constexpr int BM = LD - PAD;
  constexpr int LANES = NUM_THREADS / (COUNT == 4 ? 8 : 4);
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  const int rows = p.M - row0, cols = p.N - col0, depth = p.K - k0;
  const Input* A = &p.A[row0 * p.lda + k0];
  const Input* B = &p.B[k0 * p.ldb + col0];
  if (COUNT == 4 ? depth > 0 : rows >= BM && cols >= BN && depth >= BK) {
    load_tile<BM, BK, 1, LD, 8, 1, false>(A, p.lda, rows, depth, As[0]);
    load_tile<BK, BN, BN, 1, LANES, COUNT, false>(B, p.ldb, depth, cols, Bs[0]);
  } else if (COUNT == 1) {
    load_tile<BM, BK, 1, LD, 8, 1, true>(A, p.lda, rows, depth, As[0]);
    load_tile<BK, BN, BN, 1, LANES, 1, true>(B, p.ldb, depth, cols, Bs[0]);
  }
  __pipeline_commit();
}

// Shared memory to registers: blocks of four elements, step apart.
template <int COUNT>
__device__ void read_fragment(const Input* shared, int step, Acc (&fragment)[COUNT]) {
  for (int i = 0; i < COUNT / 4; ++i) {
    reinterpret_cast<float4*>(fragment)[i] = *reinterpret_cast<const float4*>(&shared[i * step]);
  }
}

// Registers to accumulators. Every index of acc, a and b is a constant once the loops over them are
// unrolled: only then do they live in registers.
template <int TM, int TN>
__device__ void multiply_tiles(const Acc (&a)[TM], const Acc (&b)[TN], Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int i = 0; i < TN; ++i) {
      const int j = m % 2 == 0 ? i : TN - 1 - i;  // back and forth: the turn reuses b[n]
      const int n = j % 2 * (TN / 2) + j / 2;
      acc[m][n] += a[m] * b[n];
    }
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread.
template <typename Vector, int TM, int TN>
__device__ void store_tile(const Problem& p, int row0, int col0, const Acc (&acc)[TM][TN]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    const int row = row0 + m / 4 * STEP_M + m % 4;
    if (COUNT == 1 && row >= p.M) break;
#pragma unroll
    for (int n = 0; n < TN; n += COUNT) {
      const int col = col0 + n / 4 * STEP_N + n % 4;
      if (COUNT == 1 && col >= p.N) break;
      Vector& c = *reinterpret_cast<Vector*>(&p.C[row * p.ldc + col]);
      Vector sum = p.beta == 0 ? Vector{} : c;
      Acc* s = reinterpret_cast<Acc*>(&sum);
      for (int i = 0; i < COUNT; ++i) s[i] = p.alpha * acc[m][n + i] + p.beta * s[i];
      c = sum;
    }
  }
}

// Vector is float4 if no tile sticks out of a matrix and B and C allow accesses of 16 bytes.
template <int BM, int BN, typename Vector>
__global__ void __launch_bounds__(NUM_THREADS, MIN_BLOCKS) gemm_kernel(Problem p) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
  alignas(16) __shared__ Input As[STAGES][BK][BM + PAD];
  alignas(16) __shared__ Input Bs[STAGES][BK][BN];
  // This thread's corner of the block tile: its warp's corner, and its lane's place in the warp.
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int m0 = warp / 2 * (BM / 2) + lane / 8 * 4;
  const int n0 = warp % 2 * (BN / 2) + lane % 8 * 4;
  Acc acc[BM / 2 / 4][BN / 2 / 8] = {};
  alignas(16) Acc a[2][BM / 2 / 4], b[2][BN / 2 / 8];  // fragments of this step and of the next
#pragma unroll 1
  for (int s = 0; s < STAGES - 1; ++s) load_tiles<COUNT>(p, s * BK, As[s], Bs[s]);
  __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have all others
  read_fragment(&As[0][0][m0], STEP_M, a[0]);
  read_fragment(&Bs[0][0][n0], STEP_N, b[0]);
  int cur = 0, free = STAGES - 1;  // buffers: being multiplied, to be filled next
  for (int k0 = 0; k0 < p.K; k0 += BK) {
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      if (k == 2) load_tiles<COUNT>(p, k0 + (STAGES - 1) * BK, As[free], Bs[free]);  // amid FMAs
      if (k == BK - 1) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next tiles have arrived
        __syncthreads();  // and all others; and all threads have read this tile
        free = cur;
        cur = cur == STAGES - 1 ? 0 : cur + 1;
      }
      read_fragment(&As[cur][(k + 1) % BK][m0], STEP_M, a[(k + 1) % 2]);
      read_fragment(&Bs[cur][(k + 1) % BK][n0], STEP_N, b[(k + 1) % 2]);
      multiply_tiles(a[k % 2], b[k % 2], acc);
    }
  }
  store_tile<Vector>(p, blockIdx.y * BM + m0, blockIdx.x * BN + n0, acc);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const bool large = int64_t(p.M) * p.N > 512 * 512;  // smaller problems need more blocks
  const int BM = large ? 64 : 32, BN = 2 * BM;
  const bool whole = p.M % BM == 0 && p.N % BN == 0 && p.K % BK == 0 && p.K >= STAGES * BK &&
                     (uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0 && (p.ldb | p.ldc) % 4 == 0;
  auto kernel = whole ? gemm_kernel<32, 64, float4> : gemm_kernel<32, 64, float>;
  if (large) kernel = whole ? gemm_kernel<64, 128, float4> : gemm_kernel<64, 128, float>;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  kernel<<<grid, NUM_THREADS>>>(p);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
