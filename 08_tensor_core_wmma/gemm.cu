// 08_tensor_core_wmma: warps multiply 16 x 16 x 16 tiles of halves on tensor cores and sum in FP32.
//
// Changed from 07_double_buffer: Input, one tile size, Tiles in place of As and Bs, A not transposed,
// 16-byte copies, fragments of a warp in place of a thread's, store_tile() through shared memory.
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/*.cu -o gemm -lcublas
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "common/lesson.h"

namespace wmma = nvcuda::wmma;

using Input = half;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 256;  // columns of C per block
constexpr int BK = 32;  // depth of a shared tile
constexpr int STAGES = 3;  // pairs of tiles: one is multiplied while two are on their way
constexpr int WM = 64;  // rows of C per warp
constexpr int WN = 64;  // columns of C per warp
constexpr int MMA = 16;  // rows, columns and depth of a fragment
constexpr int NUM_THREADS = (BM / WM) * (BN / WN) * 32;

// WMMA wants tiles at multiples of 32 bytes and rows at multiples of 16. With 16 bytes of padding the
// eight rows that a warp reads at once start in eight different groups of four banks.
constexpr int PAD = 8;
struct alignas(32) Tiles {
  Input As[BM][BK + PAD];
  Input Bs[BK][BN + PAD];
};
using FragmentA = wmma::fragment<wmma::matrix_a, MMA, MMA, MMA, Input, wmma::row_major>;
using FragmentB = wmma::fragment<wmma::matrix_b, MMA, MMA, MMA, Input, wmma::row_major>;
using FragmentC = wmma::fragment<wmma::accumulator, MMA, MMA, MMA, Acc>;
using Sums = FragmentC[WM / MMA][WN / MMA];

// Copies eight neighbours, of which `valid` exist; the others become zeros, which add nothing. VECTOR
// starts one copy of all eight: their address is a multiple of 16 bytes, and valid is not 1 to 7.
template <bool VECTOR>
__device__ void copy8(Input* shared, const Input* global, int valid) {
  if (VECTOR && valid > 0) {
    __pipeline_memcpy_async(shared, global, sizeof(float4));
    return;
  }
  alignas(16) Input values[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    values[i] = !VECTOR && i < valid ? global[i] : Input(0);
  }
  *reinterpret_cast<float4*>(shared) = *reinterpret_cast<const float4*>(values);
}

// Starts the copies from global to shared memory. WHOLE tiles lie inside A and B, which here point to
// the first elements that this thread copies.
template <bool VECTOR, bool WHOLE>
__device__ void load_tiles(const Problem& p, int k0, const Input* A, const Input* B, Tiles& tiles) {
#pragma unroll(VECTOR ? BM : 2)
  for (int i = 0; i < BM; i += NUM_THREADS * 8 / BK) {
    const int m = i + threadIdx.x * 8 / BK;
    const int k = threadIdx.x * 8 % BK;
    const int row = blockIdx.y * BM + m;
    copy8<VECTOR>(&tiles.As[m][k], &A[i * p.lda], WHOLE ? 8 : row < p.M ? p.K - k0 - k : 0);
  }
#pragma unroll(VECTOR ? BK : 2)
  for (int i = 0; i < BK; i += NUM_THREADS * 8 / BN) {
    const int k = i + threadIdx.x * 8 / BN;
    const int n = threadIdx.x * 8 % BN;
    const int col = blockIdx.x * BN + n;
    copy8<VECTOR>(&tiles.Bs[k][n], &B[i * p.ldb], WHOLE ? 8 : k0 + k < p.K ? p.N - col : 0);
  }
}

// Shared memory to registers: COUNT fragments, step apart.
template <typename Fragment, int COUNT>
__device__ void read_fragment(const Input* shared, int ld, int step, Fragment (&fragment)[COUNT]) {
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    wmma::load_matrix_sync(fragment[i], &shared[i * step], ld);
  }
}

// Registers to accumulators.
__device__ void multiply_tiles(const FragmentA (&a)[WM / MMA], const FragmentB (&b)[WN / MMA],
                               Sums& acc) {
#pragma unroll
  for (int m = 0; m < WM / MMA; ++m) {
#pragma unroll
    for (int i = 0; i < WN / MMA; ++i) {
      const int n = m % 2 == 0 ? i : WN / MMA - 1 - i;
      wmma::mma_sync(acc[m][n], a[m], b[n], acc[m][n]);
    }
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread. Which lane holds
// which element is unspecified, so the warp passes MMA rows at a time through its shared strip.
template <bool VECTOR>
__device__ void store_tile(const Problem& p, int row0, int col0, const Sums& acc, Acc* strip) {
#pragma unroll
  for (int m = 0; m < WM; m += MMA) {
#pragma unroll
    for (int n = 0; n < WN; n += MMA) {
      wmma::store_matrix_sync(&strip[n], acc[m / MMA][n / MMA], WN, wmma::mem_row_major);
    }
    __syncwarp();  // the strip is complete before any lane reads it
#pragma unroll
    for (int i = threadIdx.x % 32 * 4; i < MMA * WN; i += 32 * 4) {
      const int row = row0 + m + i / WN;
      const int col = col0 + i % WN;
      const int valid = row < p.M ? p.N - col : 0;
      const Acc* sum = &strip[i];
      Acc* c = &p.C[row * p.ldc + col];
      if (VECTOR && valid > 0) {
        float4& c4 = *reinterpret_cast<float4*>(c);
        const float4 old = p.beta == 0 ? float4{} : c4;
        c4 = {p.alpha * sum[0] + p.beta * old.x, p.alpha * sum[1] + p.beta * old.y,
              p.alpha * sum[2] + p.beta * old.z, p.alpha * sum[3] + p.beta * old.w};
      }
      for (int j = 0; j < 4 && j < valid && !VECTOR; ++j) {
        c[j] = p.beta == 0 ? p.alpha * sum[j] : p.alpha * sum[j] + p.beta * c[j];
      }
    }
    __syncwarp();  // all lanes have read the strip before the next rows overwrite it
  }
}

template <bool VECTOR>
__global__ void __launch_bounds__(NUM_THREADS) gemm_kernel(Problem p) {
  extern __shared__ Tiles tiles[];

  // This warp's corner of the block tile.
  const int warp = threadIdx.x / 32;
  const int m0 = warp / (BN / WN) * WM;
  const int n0 = warp % (BN / WN) * WN;
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;

  // Pointers that move on cost less than indices.
  const Input* A = &p.A[(row0 + threadIdx.x * 8 / BK) * p.lda + threadIdx.x * 8 % BK];
  const Input* B = &p.B[threadIdx.x * 8 / BN * p.ldb + col0 + threadIdx.x * 8 % BN];
  const bool inside = row0 + BM <= p.M && col0 + BN <= p.N;
  const auto load = [&](int k0, Tiles* stage) {
    if (inside && k0 + BK <= p.K) {
      load_tiles<VECTOR, true>(p, k0, A, B, *stage);
    } else {  // past the end: zeros
      load_tiles<VECTOR, false>(p, k0, A, B, *stage);
    }
    __pipeline_commit();
    A += BK;
    B += BK * p.ldb;
  };
  Sums acc;
#pragma unroll
  for (int i = 0; i < (WM / MMA) * (WN / MMA); ++i) {
    wmma::fill_fragment(acc[i / (WN / MMA)][i % (WN / MMA)], 0);
  }
  FragmentA a[2][WM / MMA];  // fragments of this step and of the next
  FragmentB b[2][WN / MMA];
  load(0, &tiles[0]);
  load(BK, &tiles[1]);
  __pipeline_wait_prior(1);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have all others
  read_fragment(&tiles[0].As[m0][0], BK + PAD, MMA * (BK + PAD), a[0]);
  read_fragment(&tiles[0].Bs[0][n0], BN + PAD, MMA, b[0]);
  int cur = 0;
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    const int free = cur == 0 ? 2 : cur - 1;
#pragma unroll
    for (int k = 0; k < BK; k += MMA) {
      if (k == BK - MMA) {
        __pipeline_wait_prior(1);  // this thread's copies of the next tiles have arrived
        __syncthreads();  // and all others; and all threads have read this tile
        cur = cur == 2 ? 0 : cur + 1;
      }
      const int next = (k / MMA + 1) % 2;
      read_fragment(&tiles[cur].As[m0][(k + MMA) % BK], BK + PAD, MMA * (BK + PAD), a[next]);
      read_fragment(&tiles[cur].Bs[(k + MMA) % BK][n0], BN + PAD, MMA, b[next]);
      if (k == 0) {
        load(k0 + 2 * BK, &tiles[free]);
      }
      multiply_tiles(a[1 - next], b[1 - next], acc);
    }
  }
  __syncthreads();  // all warps have read the tiles before strips of C overwrite them
  Acc* strip = reinterpret_cast<Acc*>(&tiles[0]) + warp * MMA * WN;
  store_tile<VECTOR>(p, row0 + m0, col0 + n0, acc, strip);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) {
    return;
  }
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  const bool vector = (uintptr_t(p.A) | uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0 &&
                      (p.lda | p.ldb | p.ldc | p.K | p.N) % 8 == 0;
  const auto kernel = vector ? gemm_kernel<true> : gemm_kernel<false>;
  constexpr int BYTES = STAGES * sizeof(Tiles);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  kernel<<<grid, NUM_THREADS, BYTES>>>(p);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
