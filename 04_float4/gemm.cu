// 04_float4: one instruction copies four floats, 16 bytes, from global memory.
//
// Changed from 03_thread_tile: read4(), load_tiles(), and gemm() chooses a kernel by alignment.
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/*.cu -o gemm -lcublas
#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 64;  // rows of C per block
constexpr int BN = 64;  // columns of C per block
constexpr int BK = 32;  // depth of a shared tile
constexpr int TM = 8;  // rows of C per thread
constexpr int NUM_THREADS = BM / TM * BN;
static_assert(BM * BK % (NUM_THREADS * 4) == 0 && BK * BN % (NUM_THREADS * 4) == 0,
              "all threads copy equally much");

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

// Shared memory to accumulators. Every index of acc is a constant once the loops are unrolled: only
// then do accumulators live in registers.
__device__ void multiply_tiles(int m0, int n0, const Input (&As)[BM][BK], const Input (&Bs)[BK][BN],
                               Acc (&acc)[TM]) {
#pragma unroll
  for (int k = 0; k < BK; ++k) {
    const Acc b = Acc(Bs[k][n0]);
#pragma unroll
    for (int m = 0; m < TM; ++m) {
      acc[m] += Acc(As[m0 + m][k]) * b;
    }
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread.
__device__ void store_tile(const Problem& p, int m0, int n0, const Acc (&acc)[TM]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    const int row = blockIdx.y * BM + m0 + m;
    const int col = blockIdx.x * BN + n0;
    if (row < p.M && col < p.N) {
      Acc& c = p.C[row * p.ldc + col];
      c = p.beta == 0 ? p.alpha * acc[m] : p.alpha * acc[m] + p.beta * c;
    }
  }
}

template <bool VECTOR>
__global__ void __launch_bounds__(NUM_THREADS) gemm_kernel(Problem p) {
  alignas(16) __shared__ Input As[BM][BK];
  alignas(16) __shared__ Input Bs[BK][BN];

  // This thread's corner of the block tile. Neighbouring threads walk along a row.
  const int m0 = threadIdx.x / BN * TM;
  const int n0 = threadIdx.x % BN;

  Acc acc[TM] = {};
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
