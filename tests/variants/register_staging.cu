// 07_double_buffer with registers in the place of cp.async: the next tiles wait in registers while this
// one is multiplied, and go to the other pair of shared buffers before the step STORE_STEP.
#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 64;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 16;  // depth of a shared tile
constexpr int PAD = 4;  // unused floats at the end of a row of As
constexpr int STORE_STEP = BK - 1;  // the step of a tile that stores the next one; BK: after all
constexpr int WM = 32;  // rows of C per warp
constexpr int WN = 64;  // columns of C per warp
constexpr int TM = 8;  // rows of C per thread
constexpr int TN = 8;  // columns of C per thread
constexpr int NUM_THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int MIN_BLOCKS = 3;  // resident per multiprocessor: leaves 168 registers to a thread
constexpr int COPIES_A = BM * BK / 4 / NUM_THREADS;  // float4 per thread and tile
constexpr int COPIES_B = BK * BN / 4 / NUM_THREADS;

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

// Global memory to registers. Elements outside A and B become zeros, which add nothing.
template <bool VECTOR>
__device__ void fetch_tiles(const Problem& p, int k0, float4 (&a)[COPIES_A],
                            float4 (&b)[COPIES_B]) {
#pragma unroll
  for (int c = 0; c < COPIES_A; ++c) {
    const int i = c * NUM_THREADS + threadIdx.x;
    const int m = i / 2 % BM;
    const int k = i % 2 * 4 + i / (2 * BM) * 8;
    const int row = blockIdx.y * BM + m;
    a[c] = read4<VECTOR>(&p.A[row * p.lda + k0 + k], row < p.M ? p.K - k0 - k : 0);
  }
#pragma unroll
  for (int c = 0; c < COPIES_B; ++c) {
    const int i = (c * NUM_THREADS + threadIdx.x) * 4;
    const int k = i / BN;
    const int n = i % BN;
    const int col = blockIdx.x * BN + n;
    b[c] = read4<VECTOR>(&p.B[(k0 + k) * p.ldb + col], k0 + k < p.K ? p.N - col : 0);
  }
}

// Registers to shared memory.
__device__ void store_tiles(const float4 (&a)[COPIES_A], const float4 (&b)[COPIES_B],
                            Input (&As)[BK][BM + PAD], Input (&Bs)[BK][BN]) {
#pragma unroll
  for (int c = 0; c < COPIES_A; ++c) {
    const int i = c * NUM_THREADS + threadIdx.x;
    const int m = i / 2 % BM;
    const int k = i % 2 * 4 + i / (2 * BM) * 8;
    As[k + 0][m] = a[c].x;
    As[k + 1][m] = a[c].y;
    As[k + 2][m] = a[c].z;
    As[k + 3][m] = a[c].w;
  }
#pragma unroll
  for (int c = 0; c < COPIES_B; ++c) {
    const int i = (c * NUM_THREADS + threadIdx.x) * 4;
    *reinterpret_cast<float4*>(&Bs[i / BN][i % BN]) = b[c];
  }
}

// Shared memory to registers: one step's fragments.
__device__ void read_fragments(int m0, int n0, int k, const Input (&As)[BK][BM + PAD],
                               const Input (&Bs)[BK][BN], Acc (&a)[TM], Acc (&b)[TN]) {
#pragma unroll
  for (int m = 0; m < TM; m += 4) {
    *reinterpret_cast<float4*>(&a[m]) =
        *reinterpret_cast<const float4*>(&As[k][m0 + m / 4 * STEP_M]);
  }
#pragma unroll
  for (int n = 0; n < TN; n += 4) {
    *reinterpret_cast<float4*>(&b[n]) =
        *reinterpret_cast<const float4*>(&Bs[k][n0 + n / 4 * STEP_N]);
  }
}

// Registers to accumulators, back and forth over the columns.
__device__ void multiply_fragments(const Acc (&a)[TM], const Acc (&b)[TN], Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int i = 0; i < TN; ++i) {
      const int n = m % 2 == 0 ? i : TN - 1 - i;
      acc[m][n] += a[m] * b[n];
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
  alignas(16) __shared__ Input As[2][BK][BM + PAD];
  alignas(16) __shared__ Input Bs[2][BK][BN];

  // This thread's corner of the block tile: its warp's corner, and its lane's place in the warp.
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int m0 = warp / (BN / WN) * WM + lane / (WN / TN) * 4;
  const int n0 = warp % (BN / WN) * WN + lane % (WN / TN) * 4;

  Acc acc[TM][TN] = {};
  alignas(16) Acc a[2][TM], b[2][TN];  // fragments of this step and of the next
  float4 next_a[COPIES_A], next_b[COPIES_B];
  fetch_tiles<VECTOR>(p, 0, next_a, next_b);
  store_tiles(next_a, next_b, As[0], Bs[0]);
  __syncthreads();  // the first tiles are complete
  read_fragments(m0, n0, 0, As[0], Bs[0], a[0], b[0]);
  int cur = 0;
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    fetch_tiles<VECTOR>(p, k0 + BK, next_a, next_b);  // past the end: reads nothing, yields zeros
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      if (k == STORE_STEP) {
        store_tiles(next_a, next_b, As[cur ^ 1], Bs[cur ^ 1]);
      }
      if (k == BK - 1) {
        if (STORE_STEP == BK) {
          multiply_fragments(a[k % 2], b[k % 2], acc);
          store_tiles(next_a, next_b, As[cur ^ 1], Bs[cur ^ 1]);
        }
        __syncthreads();  // the next tiles are complete, and these may be overwritten
        cur ^= 1;
      }
      read_fragments(m0, n0, (k + 1) % BK, As[cur], Bs[cur], a[(k + 1) % 2], b[(k + 1) % 2]);
      if (k < BK - 1 || STORE_STEP < BK) {
        multiply_fragments(a[k % 2], b[k % 2], acc);
      }
    }
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
