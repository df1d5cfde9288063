// 08_tensor_core_wmma: warps multiply 16 x 16 x 16 tiles of halves on tensor cores and sum in FP32.
//
// Changed from 07_double_buffer: half inputs, A as it is, fragments of warps, stores, tile sizes.
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/*.cu -o gemm -lcublas
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "common/lesson.h"

using Input = half;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 256;  // columns of C per block
constexpr int BK = 32;  // depth of a shared tile
constexpr int PAD = 8;
constexpr int STAGES = 3;  // pairs of tiles: one is multiplied while two are on their way
constexpr int NUM_THREADS = 256;  // 2 x 4 warps
constexpr int MMA = 16;  // rows, columns and depth of a fragment
constexpr int FM = BM / 2 / MMA, FN = BN / 4 / MMA;  // FM x FN fragments are a warp's part of C

struct alignas(32) Tiles {  // as WMMA wants; thanks to PAD, it reads 8 rows from 32 different banks
  Input As[BM][BK + PAD];
  Input Bs[BK][BN + PAD];
};
namespace wmma = nvcuda::wmma;
struct Fragments {
  wmma::fragment<wmma::matrix_a, MMA, MMA, MMA, Input, wmma::row_major> a[FM];
  wmma::fragment<wmma::matrix_b, MMA, MMA, MMA, Input, wmma::row_major> b[FN];
};
using Accumulator = wmma::fragment<wmma::accumulator, MMA, MMA, MMA, Acc>;

// Starts the copies of a ROWS x COLS tile. Of a CHECKED tile only rows x cols elements exist; the
// others become zeros, which add nothing. A single half is too small for an asynchronous copy.
template <typename Vector, int ROWS, int COLS, bool CHECKED>
__device__ void load_tile(const Input* global, int64_t ld, int rows, int cols, Input* shared) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input), LANES = COLS / COUNT;
  const int r = threadIdx.x / LANES;
  const int c = threadIdx.x % LANES * COUNT;
#pragma unroll 16
  for (int i = r; i < r + ROWS; i += NUM_THREADS / LANES) {
    const Vector* source = reinterpret_cast<const Vector*>(&global[i * ld + c]);
    Vector* element = reinterpret_cast<Vector*>(&shared[i * (COLS + PAD) + c]);
    const int zeros = !CHECKED || (i < rows && c < cols) ? 0 : sizeof(Vector);
    const Vector value = COUNT == 1 && zeros == 0 ? *source : Vector{};
    if (COUNT == 1) *element = value;
    if (COUNT > 1) __pipeline_memcpy_async(element, source, sizeof(Vector), zeros);
  }
}

// Global to shared memory, asynchronous. Then A and B move on by a tile.
template <typename Vector, bool CHECKED = false>
__device__ void load_tiles(Problem& p, int k0, Tiles& tiles) {
  const int rows = p.M - blockIdx.y * BM, cols = p.N - blockIdx.x * BN, depth = p.K - k0;
  const bool whole = rows >= BM && cols >= BN && depth >= BK;
  if (!CHECKED && !whole) return load_tiles<Vector, true>(p, k0, tiles);
  load_tile<Vector, BM, BK, CHECKED>(p.A, p.lda, rows, depth, tiles.As[0]);
  load_tile<Vector, BK, BN, CHECKED>(p.B, p.ldb, depth, cols, tiles.Bs[0]);
  __pipeline_commit();
  p.A += BK;
  p.B += BK * p.ldb;
}

// Shared memory to registers.
__device__ void read_fragments(const Tiles& tiles, int m0, int n0, int k, Fragments& f) {
  for (int m = 0; m < FM; ++m) wmma::load_matrix_sync(f.a[m], &tiles.As[m0 + m * MMA][k], BK + PAD);
  for (int n = 0; n < FN; ++n) wmma::load_matrix_sync(f.b[n], &tiles.Bs[k][n0 + n * MMA], BN + PAD);
}

// Registers to accumulators.
__device__ void multiply_tiles(const Fragments& f, Accumulator (&acc)[FM][FN]) {
#pragma unroll
  for (int m = 0; m < FM; ++m) {
#pragma unroll
    for (int i = 0; i < FN; ++i) {
      const int n = m % 2 == 0 ? i : FN - 1 - i;  // back and forth: the turn reuses b[n]
      wmma::mma_sync(acc[m][n], f.a[m], f.b[n], acc[m][n]);
    }
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread. Which lane holds
// which element is unspecified, so a warp passes one fragment at a time through shared memory.
template <typename Vector>
__device__ void store_tile(const Problem& p, int row0, int col0, const Accumulator (&acc)[FM][FN]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
  alignas(32) __shared__ Acc shared[NUM_THREADS / 32][MMA * MMA];
  Acc* fragment = shared[threadIdx.x / 32];
#pragma unroll
  for (int i = 0; i < FM * FN; ++i) {
    wmma::store_matrix_sync(fragment, acc[i / FN][i % FN], MMA, wmma::mem_row_major);
    __syncwarp();  // the fragment is complete before any lane reads it
    for (int e = threadIdx.x % 32 * COUNT; e < MMA * MMA; e += 32 * COUNT) {
      const int row = row0 + i / FN * MMA + e / MMA;
      const int col = col0 + i % FN * MMA + e % MMA;
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

// The vectors are float4 if every row ends with a whole one and all operands allow such accesses.
template <typename InputVector, typename AccVector>
__global__ void __launch_bounds__(NUM_THREADS) gemm_kernel(Problem p, int stages) {
  extern __shared__ Tiles tiles[];
  p.A += blockIdx.y * BM * p.lda;
  p.B += blockIdx.x * BN;
  const int warp = threadIdx.x / 32;
  const int m0 = warp / 4 * (BM / 2), n0 = warp % 4 * (BN / 4);
  Accumulator acc[FM][FN] = {};
  Fragments f[2];  // of this step and of the next
#pragma unroll 1
  for (int s = 0; s < stages - 1; ++s) load_tiles<InputVector>(p, s * BK, tiles[s]);
  __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have all others
  read_fragments(tiles[0], m0, n0, 0, f[0]);
  int cur = 0, free = stages - 1;  // buffers: being multiplied, to be filled next
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    load_tiles<InputVector>(p, k0 + (stages - 1) * BK, tiles[free]);
#pragma unroll
    for (int k = 0; k < BK; k += MMA) {
      if (k == BK - MMA) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next tiles have arrived
        __syncthreads();  // and all others; and all threads have read this tile
        free = cur;
        cur = cur == stages - 1 ? 0 : cur + 1;
      }
      read_fragments(tiles[cur], m0, n0, (k + MMA) % BK, f[(k / MMA + 1) % 2]);
      multiply_tiles(f[k / MMA % 2], acc);
    }
  }
  store_tile<AccVector>(p, blockIdx.y * BM + m0, blockIdx.x * BN + n0, acc);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const bool vector = (uintptr_t(p.A) | uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0 &&
                      (p.lda | p.ldb | p.ldc | p.K | p.N) % 8 == 0;
  const auto kernel = vector ? gemm_kernel<float4, float4> : gemm_kernel<Input, Acc>;
  int device = 0, most = 0;  // shared memory of a block; before sm_80 it is enough for 2 stages
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const int stages = std::min(STAGES, most / int(sizeof(Tiles))), bytes = stages * sizeof(Tiles);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  kernel<<<grid, NUM_THREADS, bytes>>>(p, stages);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
