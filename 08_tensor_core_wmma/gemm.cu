// 08_tensor_core_wmma: warps multiply 16 x 16 x 16 tiles of halves on the tensor cores, sums in FP32.
//
// Changed from 07_double_buffer: Input, tile sizes, As by rows, copy8(), fragments, store_tile().
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
constexpr int PAD = 8;  // unused elements at the end of a shared row
constexpr int STAGES = 3;  // tiles in shared memory at a time
constexpr int WM = 64;  // rows of C per warp
constexpr int WN = 64;  // columns of C per warp
constexpr int MMA = 16;  // rows, columns and depth of a fragment
constexpr int NUM_THREADS = (BM / WM) * (BN / WN) * 32;

// A row of a shared tile is an odd multiple of 16 bytes, so that the eight rows which a warp reads at
// once start in different banks. Fragments need rows at multiples of 16 bytes and tiles at 32.
struct Tiles {
  Input As[BM][BK + PAD];
  Input Bs[BK][BN + PAD];
};
constexpr int SHARED_BYTES = STAGES * sizeof(Tiles);

using FragmentA = wmma::fragment<wmma::matrix_a, MMA, MMA, MMA, Input, wmma::row_major>;
using FragmentB = wmma::fragment<wmma::matrix_b, MMA, MMA, MMA, Input, wmma::row_major>;
using FragmentC = wmma::fragment<wmma::accumulator, MMA, MMA, MMA, Acc>;

// Copies eight neighbours to shared memory, of which `valid` exist; the others become zeros. VECTOR
// copies all eight or none: the addresses are multiples of 16 bytes, and valid is not 1 to 7.
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

// Global to shared memory. Elements outside A and B become zeros, which add nothing.
template <bool VECTOR>
__device__ void load_tiles(const Problem& p, int k0, Tiles& tiles) {
#pragma unroll
  for (int i0 = 0; i0 < BM * BK; i0 += NUM_THREADS * 8) {
    const int i = i0 + threadIdx.x * 8;
    const int m = i / BK;
    const int k = i % BK;
    const int row = blockIdx.y * BM + m;
    copy8<VECTOR>(&tiles.As[m][k], &p.A[row * p.lda + k0 + k], row < p.M ? p.K - k0 - k : 0);
  }
#pragma unroll
  for (int i0 = 0; i0 < BK * BN; i0 += NUM_THREADS * 8) {
    const int i = i0 + threadIdx.x * 8;
    const int k = i / BN;
    const int n = i % BN;
    const int col = blockIdx.x * BN + n;
    copy8<VECTOR>(&tiles.Bs[k][n], &p.B[(k0 + k) * p.ldb + col], k0 + k < p.K ? p.N - col : 0);
  }
  __pipeline_commit();
}

// Shared memory to fragments: the step at depth k of the shared tiles.
__device__ void load_fragments(int m0, int n0, int k, const Tiles& tiles, FragmentA (&a)[WM / MMA],
                               FragmentB (&b)[WN / MMA]) {
#pragma unroll
  for (int m = 0; m < WM / MMA; ++m) {
    wmma::load_matrix_sync(a[m], &tiles.As[m0 + m * MMA][k], BK + PAD);
  }
#pragma unroll
  for (int n = 0; n < WN / MMA; ++n) {
    wmma::load_matrix_sync(b[n], &tiles.Bs[k][n0 + n * MMA], BN + PAD);
  }
}

// Fragments to accumulators.
__device__ void multiply_tiles(const FragmentA (&a)[WM / MMA], const FragmentB (&b)[WN / MMA],
                               FragmentC (&acc)[WM / MMA][WN / MMA]) {
#pragma unroll
  for (int m = 0; m < WM / MMA; ++m) {
#pragma unroll
    for (int n = 0; n < WN / MMA; ++n) {
      wmma::mma_sync(acc[m][n], a[m], b[n], acc[m][n]);
    }
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread. Nobody knows which
// element of a fragment a lane holds, so a strip of MMA rows goes through shared memory.
__device__ void store_tile(const Problem& p, int m0, int n0,
                           const FragmentC (&acc)[WM / MMA][WN / MMA], Acc (&strip)[MMA][WN]) {
#pragma unroll
  for (int m = 0; m < WM / MMA; ++m) {
#pragma unroll
    for (int n = 0; n < WN / MMA; ++n) {
      wmma::store_matrix_sync(&strip[0][n * MMA], acc[m][n], WN, wmma::mem_row_major);
    }
    __syncwarp();  // the strip is complete before any lane reads it
    for (int i = threadIdx.x % 32; i < MMA * WN; i += 32) {
      const int row = blockIdx.y * BM + m0 + m * MMA + i / WN;
      const int col = blockIdx.x * BN + n0 + i % WN;
      if (row < p.M && col < p.N) {
        Acc& c = p.C[row * p.ldc + col];
        const Acc product = p.alpha * strip[i / WN][i % WN];
        c = p.beta == 0 ? product : product + p.beta * c;
      }
    }
    __syncwarp();  // all lanes have read the strip before the next one overwrites it
  }
}

template <bool VECTOR>
__global__ void __launch_bounds__(NUM_THREADS) gemm_kernel(Problem p) {
  extern __shared__ float4 memory[];
  Tiles* const tiles = reinterpret_cast<Tiles*>(memory);

  // This warp's corner of the block tile.
  const int warp = threadIdx.x / 32;
  const int m0 = warp / (BN / WN) * WM;
  const int n0 = warp % (BN / WN) * WN;

  FragmentC acc[WM / MMA][WN / MMA];
#pragma unroll
  for (int m = 0; m < WM / MMA; ++m) {
#pragma unroll
    for (int n = 0; n < WN / MMA; ++n) {
      wmma::fill_fragment(acc[m][n], 0);
    }
  }
  for (int s = 0; s < STAGES - 1; ++s) {
    load_tiles<VECTOR>(p, s * BK, tiles[s]);
  }
  FragmentA a[2][WM / MMA];
  FragmentB b[2][WN / MMA];
  __pipeline_wait_prior(STAGES - 2);
  __syncthreads();  // the first tiles are complete
  load_fragments(m0, n0, 0, tiles[0], a[0], b[0]);
  int cur = 0;
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    const int next = (cur + 1) % STAGES;
#pragma unroll
    for (int k = 0; k < BK; k += MMA) {
      const int now = k / MMA % 2;
      if (k + MMA < BK) {
        load_fragments(m0, n0, k + MMA, tiles[cur], a[1 - now], b[1 - now]);
      } else {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();  // the next tiles are complete, and all warps have read these
        load_fragments(m0, n0, 0, tiles[next], a[1 - now], b[1 - now]);
      }
      if (k == 0) {  // past the end: reads nothing, stores zeros
        load_tiles<VECTOR>(p, k0 + (STAGES - 1) * BK, tiles[(cur + STAGES - 1) % STAGES]);
      }
      multiply_tiles(a[now], b[now], acc);
    }
    cur = next;
  }
  __syncthreads();  // all warps have read their tiles before strips of C overwrite them
  store_tile(p, m0, n0, acc, reinterpret_cast<Acc(*)[MMA][WN]>(memory)[warp]);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) {
    return;
  }
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  // 16-byte copies need rows of A and of B that start and end at multiples of 16 bytes.
  const bool vector =
      (uintptr_t(p.A) | uintptr_t(p.B)) % 16 == 0 && (p.lda | p.ldb | p.K | p.N) % 8 == 0;
  const auto kernel = vector ? gemm_kernel<true> : gemm_kernel<false>;
  CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES));
  kernel<<<grid, NUM_THREADS, SHARED_BYTES>>>(p);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
