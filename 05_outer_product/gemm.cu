// 05_outer_product: each thread adds TM x TN outer products of fragments held in registers.
//
// Changed from 04_float4: tile sizes, acc[TM][TN], multiply_tiles(), store_tile(), m0 and n0.
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/*.cu -o gemm -lcublas
#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 64;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 16;  // depth of a shared tile
constexpr int WM = 32;  // rows of C per warp
constexpr int WN = 64;  // columns of C per warp
constexpr int TM = 8;  // rows of C per thread
constexpr int TN = 8;  // columns of C per thread
constexpr int NUM_THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int MIN_BLOCKS = 4;  // resident per multiprocessor: leaves 128 registers to a thread

// A warp is a grid of (WM / TM) x (WN / TN) lanes. Each of them owns blocks of 4 x 4 elements, one
// whole grid of 4 x 4 blocks apart, so that neighbouring lanes read neighbouring shared addresses.
constexpr int STEP_M = WM / TM * 4;
constexpr int STEP_N = WN / TN * 4;
static_assert(BM * BK % (NUM_THREADS * 4) == 0 && BK * BN % (NUM_THREADS * 4) == 0,
              "all threads copy equally much");
static_assert((WM / TM) * (WN / TN) == 32, "a warp has 32 lanes");

// Four neighbouring elements, of which `valid` exist; the others are zeros. VECTOR reads all four
// or none with one instruction: the address is a multiple of 16 bytes, and valid not 1, 2 or 3.
template <bool VECTOR>
__device__ float4 read4(const Input* global, int valid) {
  if (VECTOR) {
    return valid > 0 ? *reinterpret_cast<const float4*>(global) : float4{};
  }
  return {valid > 0 ? global[0] : 0, valid > 1 ? global[1] : 0, valid > 2 ? global[2] : 0,
          valid > 3 ? global[3] : 0};
}

// Global to shared memory. Elements outside A and B become zeros, which add nothing.
template <bool VECTOR>
__device__ void load_tiles(const Problem& p, int k0, Input (&As)[BM][BK], Input (&Bs)[BK][BN]) {
#pragma unroll
  for (int i0 = 0; i0 < BM * BK; i0 += NUM_THREADS * 4) {
    const int i = i0 + threadIdx.x * 4;
    const int m = i / BK;
    const int k = i % BK;
    const int row = blockIdx.y * BM + m;
    *reinterpret_cast<float4*>(&As[m][k]) =
        read4<VECTOR>(&p.A[row * p.lda + k0 + k], row < p.M ? p.K - k0 - k : 0);
  }
#pragma unroll
  for (int i0 = 0; i0 < BK * BN; i0 += NUM_THREADS * 4) {
    const int i = i0 + threadIdx.x * 4;
    const int k = i / BN;
    const int n = i % BN;
    const int col = blockIdx.x * BN + n;
    *reinterpret_cast<float4*>(&Bs[k][n]) =
        read4<VECTOR>(&p.B[(k0 + k) * p.ldb + col], k0 + k < p.K ? p.N - col : 0);
  }
}

// Shared memory to accumulators. Every index of acc, a and b is a constant once the loops over them
// are unrolled: only then do they live in registers. The reads of more than two k would not fit.
__device__ void multiply_tiles(int m0, int n0, const Input (&As)[BM][BK], const Input (&Bs)[BK][BN],
                               Acc (&acc)[TM][TN]) {
#pragma unroll 2
  for (int k = 0; k < BK; ++k) {
    Acc a[TM], b[TN];
#pragma unroll
    for (int m = 0; m < TM; ++m) {
      a[m] = As[m0 + m / 4 * STEP_M + m % 4][k];
    }
#pragma unroll
    for (int n = 0; n < TN; ++n) {
      b[n] = Bs[k][n0 + n / 4 * STEP_N + n % 4];
    }
#pragma unroll
    for (int m = 0; m < TM; ++m) {
#pragma unroll
      for (int i = 0; i < TN; ++i) {
        const int n = m % 2 == 0 ? i : TN - 1 - i;  // back and forth: the turn reuses b[n]
        acc[m][n] += a[m] * b[n];
      }
    }
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread.
__device__ void store_tile(const Problem& p, int m0, int n0, const Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    const int row = blockIdx.y * BM + m0 + m / 4 * STEP_M + m % 4;
    if (row < p.M) {
#pragma unroll
      for (int n = 0; n < TN; ++n) {
        const int col = blockIdx.x * BN + n0 + n / 4 * STEP_N + n % 4;
        if (col < p.N) {
          Acc& c = p.C[row * p.ldc + col];
          c = p.beta == 0 ? p.alpha * acc[m][n] : p.alpha * acc[m][n] + p.beta * c;
        }
      }
    }
  }
}

template <bool VECTOR>
__global__ void __launch_bounds__(NUM_THREADS, MIN_BLOCKS) gemm_kernel(Problem p) {
  alignas(16) __shared__ Input As[BM][BK];
  alignas(16) __shared__ Input Bs[BK][BN];

  // This thread's corner of the block tile: its warp's corner, and its lane's place in the warp.
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int m0 = warp / (BN / WN) * WM + lane / (WN / TN) * 4;
  const int n0 = warp % (BN / WN) * WN + lane % (WN / TN) * 4;

  Acc acc[TM][TN] = {};
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    load_tiles<VECTOR>(p, k0, As, Bs);
    __syncthreads();  // both tiles are complete before any thread reads them
    multiply_tiles(m0, n0, As, Bs, acc);
    __syncthreads();  // all threads have read the tiles before the next copy overwrites them
  }
  store_tile(p, m0, n0, acc);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  const bool vector =
      (uintptr_t(p.A) | uintptr_t(p.B)) % 16 == 0 && (p.lda | p.ldb | p.K | p.N) % 4 == 0;
  const auto kernel = vector ? gemm_kernel<true> : gemm_kernel<false>;
  kernel<<<grid, NUM_THREADS>>>(p);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
