// 08_tensor_core_wmma: tensor cores multiply 16 x 16 x 16 tiles of halves and accumulate in FP32.
//
// Changed from 07_double_buffer: half inputs, tile sizes, no transposed A, fragments, store_tile().
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/harness/*/*.cu -o gemm -lcublas
#include <cuda_pipeline.h>
#include <mma.h>

#include "common/lesson.h"

using Input = half;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 256;  // columns of C per block
constexpr int BK = 32;  // depth of a shared tile
constexpr int PAD = 8;  // unused elements at the end of each row in shared memory
constexpr int STAGES = 3;  // pairs of tiles: the block multiplies one while it copies two
constexpr int WM = 64;  // rows of C per warp
constexpr int WN = 64;  // columns of C per warp
constexpr int MMA = 16;  // rows, columns and depth of a product
constexpr int TM = WM / MMA;  // rows of fragments per warp
constexpr int TN = WN / MMA;  // columns of fragments per warp
constexpr int NUM_THREADS = (BM / WM) * (BN / WN) * 32;

namespace wmma = nvcuda::wmma;
using FragA = wmma::fragment<wmma::matrix_a, MMA, MMA, MMA, Input, wmma::row_major>;
using FragB = wmma::fragment<wmma::matrix_b, MMA, MMA, MMA, Input, wmma::row_major>;
using FragC = wmma::fragment<wmma::accumulator, MMA, MMA, MMA, Acc>;
struct alignas(32) Tiles {  // WMMA's alignment; PAD spreads 8 rows of 16 bytes over 32 banks
  Input As[BM][BK + PAD], Bs[BK][BN + PAD];
};

// Copies a tile to shared memory. Only its first rows x cols elements exist; the others become
// zeros, which add nothing. WHOLE: all of them exist, so the loop checks none.
template <typename Vector, bool WHOLE, int ROWS, int COLS>
__device__ void load_tile(const Input* global, int64_t ld, int rows, int cols,
                          Input (&shared)[ROWS][COLS]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input), LANES = (COLS - PAD) / COUNT;
  static_assert(ROWS % (NUM_THREADS / LANES) == 0, "all threads copy equally much");
  const int r0 = threadIdx.x / LANES, c = threadIdx.x % LANES * COUNT;
  global += r0 * ld + c;
#pragma unroll 16
  for (int i = 0; i < ROWS; i += NUM_THREADS / LANES) {
    const int r = r0 + i;
    const int zeros = WHOLE || (r < rows && c < cols) ? 0 : sizeof(Vector);
    if (COUNT == 1) {  // asynchronous copies have at least 4 bytes, a half has 2
      shared[r][c] = zeros == 0 ? *global : Input(0);
    } else {
      __pipeline_memcpy_async(&shared[r][c], global, sizeof(Vector), zeros);
    }
    global += NUM_THREADS / LANES * ld;
  }
}

__device__ void read_fragments(const Tiles& tiles, int m0, int n0, int k, FragA (&a)[TM],
                               FragB (&b)[TN]) {
  for (int m = 0; m < TM; ++m) wmma::load_matrix_sync(a[m], &tiles.As[m0 + m * MMA][k], BK + PAD);
  for (int n = 0; n < TN; ++n) wmma::load_matrix_sync(b[n], &tiles.Bs[k][n0 + n * MMA], BN + PAD);
}

// Adds the outer product of a and b to acc. Unrolled loops keep all three in registers.
__device__ void outer_product(const FragA (&a)[TM], const FragB (&b)[TN], FragC (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int i = 0; i < TN; ++i) {
      const int n = m % 2 == 0 ? i : TN - 1 - i;  // snake order: reuses b[n] at each turn
      wmma::mma_sync(acc[m][n], a[m], b[n], acc[m][n]);
    }
  }
}

// Writes the accumulators to C. With beta == 0, C is not read, because a NaN in it would spread.
// WMMA hides which lane holds which element. To check bounds, fragments go through shared memory.
template <typename Vector>
__device__ void store_tile(const Problem& p, int row0, int col0, const FragC (&acc)[TM][TN]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
  alignas(32) __shared__ Acc shared[NUM_THREADS / 32][MMA * MMA];
  Acc* fragment = shared[threadIdx.x / 32];
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int n = 0; n < TN; ++n) {
      wmma::store_matrix_sync(fragment, acc[m][n], MMA, wmma::mem_row_major);
      __syncwarp();  // the fragment is complete before any lane reads it
      for (int e = threadIdx.x % 32 * COUNT; e < MMA * MMA; e += 32 * COUNT) {
        const int row = row0 + m * MMA + e / MMA, col = col0 + n * MMA + e % MMA;
        if (row < p.M && col < p.N) {
          Vector& c = *reinterpret_cast<Vector*>(&p.C[row * p.ldc + col]);
          Vector sum = p.beta == 0 ? Vector{} : c;
          Acc* s = reinterpret_cast<Acc*>(&sum);
          for (int j = 0; j < COUNT; ++j) s[j] = p.alpha * fragment[e + j] + p.beta * s[j];
          c = sum;
        }
      }
      __syncwarp();  // all lanes have read the fragment before the next overwrites it
    }
  }
}

template <typename Vector, typename AccVector>
__global__ void __launch_bounds__(NUM_THREADS) gemm_kernel(Problem p) {
  extern __shared__ Tiles tiles[];
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // the block's origin in C
  const int warp = threadIdx.x / 32;
  const int m0 = warp / (BN / WN) * WM;
  const int n0 = warp % (BN / WN) * WN;

  const auto load_tiles = [&](int k0, int buffer) {
    if (p.M - row0 >= BM && p.N - col0 >= BN && p.K - k0 >= BK) {
      load_tile<Vector, true>(&p.A[row0 * p.lda], p.lda, p.M - row0, p.K - k0, tiles[buffer].As);
      load_tile<Vector, true>(p.B, p.ldb, p.K - k0, p.N - col0, tiles[buffer].Bs);
    } else {
      load_tile<Vector, false>(&p.A[row0 * p.lda], p.lda, p.M - row0, p.K - k0, tiles[buffer].As);
      load_tile<Vector, false>(p.B, p.ldb, p.K - k0, p.N - col0, tiles[buffer].Bs);
    }
    __pipeline_commit();
    p.A += BK;
    p.B += BK * p.ldb;  // follows k0; p.B + k0 * ldb would cost a 64-bit multiplication per tile
  };
  p.B += col0;
  FragC acc[TM][TN] = {};
  FragA a[2][TM];  // fragments of this step and of the next
  FragB b[2][TN];
#pragma unroll 1
  for (int s = 0; s < STAGES - 1; ++s) load_tiles(s * BK, s);
  __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have the copies of all other threads
  read_fragments(tiles[0], m0, n0, 0, a[0], b[0]);
  int cur = 0, free = STAGES - 1;  // buffers: the one to multiply, the next to fill
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    load_tiles(k0 + (STAGES - 1) * BK, free);
#pragma unroll
    for (int k = 0; k < BK; k += MMA) {
      if (k == BK - MMA) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next tiles have arrived
        __syncthreads();  // the next tiles are complete, and all threads have read the current ones
        free = cur;
        cur = (cur + 1) % STAGES;
      }
      const int step = k / MMA % 2;
      read_fragments(tiles[cur], m0, n0, (k + MMA) % BK, a[1 - step], b[1 - step]);
      outer_product(a[step], b[step], acc);
    }
  }
  store_tile<AccVector>(p, row0 + m0, col0 + n0, acc);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  const bool aligned = (uintptr_t(p.A) | uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0 &&
                       (p.lda | p.ldb | p.ldc | p.K | p.N) % 8 == 0;
  const auto kernel = aligned ? gemm_kernel<float4, float4> : gemm_kernel<Input, Acc>;
  constexpr int BYTES = STAGES * sizeof(Tiles);  // above 48 KB, a kernel needs the attribute below
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  kernel<<<grid, NUM_THREADS, BYTES>>>(p);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
