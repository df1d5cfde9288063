// 08_tensor_core_wmma: warps multiply 16 x 16 x 16 tiles of halves on tensor cores and sum in FP32.
//
// Changed from 07_double_buffer: half inputs, one tile size, A copied as it is, the fragments of a
// warp, store_tile() through shared memory, dynamic shared memory.
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
constexpr int STAGES = 3;  // pairs of tiles: one is multiplied while two are on their way
constexpr int WM = 64;  // rows of C per warp
constexpr int WN = 64;  // columns of C per warp
constexpr int NUM_THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int MMA = 16;  // rows, columns and depth of a fragment
constexpr int COUNT = WM / MMA;  // fragments along a side of the warp tile
static_assert(WM == WN, "one loop reads the fragments of A and of B");

// WMMA wants fragments at multiples of 32 bytes and their rows at multiples of 16. Thanks to the 16
// bytes of padding the eight rows that a warp reads at once lie in different banks.
constexpr int PAD = 8;
struct alignas(32) Tiles {
  Input As[BM][BK + PAD];
  Input Bs[BK][BN + PAD];
};

namespace wmma = nvcuda::wmma;
struct Fragments {
  wmma::fragment<wmma::matrix_a, MMA, MMA, MMA, Input, wmma::row_major> a[COUNT];
  wmma::fragment<wmma::matrix_b, MMA, MMA, MMA, Input, wmma::row_major> b[COUNT];
};
using Accumulator = wmma::fragment<wmma::accumulator, MMA, MMA, MMA, Acc>;

// Copies a tile, of which rows x cols elements exist; the others become zeros, which add nothing.
// `global` is what this thread copies first. VECTOR starts 16-byte copies: eight elements or none.
template <bool VECTOR, bool CHECKED, int HEIGHT, int WIDTH>
__device__ void load_tile(const Input* global, int64_t ld, int rows, int cols,
                          Input (&shared)[HEIGHT][WIDTH]) {
  const int n = threadIdx.x * 8 % (WIDTH - PAD);
#pragma unroll(VECTOR ? HEIGHT : 2)
  for (int i = 0; i < HEIGHT; i += NUM_THREADS * 8 / (WIDTH - PAD)) {
    const int m = i + threadIdx.x * 8 / (WIDTH - PAD);
    const int valid = !CHECKED ? 8 : m < rows ? cols - n : 0;
    if (VECTOR && valid > 0) {
      __pipeline_memcpy_async(&shared[m][n], &global[i * ld], sizeof(float4));
    } else {
      alignas(16) Input values[8];
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        values[j] = !VECTOR && j < valid ? global[i * ld + j] : Input(0);
      }
      *reinterpret_cast<float4*>(&shared[m][n]) = *reinterpret_cast<const float4*>(values);
    }
  }
}

// Starts the copies from global to shared memory and moves A and B on by a tile.
template <bool VECTOR>
__device__ void load_tiles(const Problem& p, int k0, const Input*& A, const Input*& B,
                           Tiles& tiles) {
  const int rows = p.M - blockIdx.y * BM;
  const int cols = p.N - blockIdx.x * BN;
  if (rows >= BM && cols >= BN && p.K - k0 >= BK) {
    load_tile<VECTOR, false>(A, p.lda, rows, p.K - k0, tiles.As);
    load_tile<VECTOR, false>(B, p.ldb, p.K - k0, cols, tiles.Bs);
  } else {
    load_tile<VECTOR, true>(A, p.lda, rows, p.K - k0, tiles.As);
    load_tile<VECTOR, true>(B, p.ldb, p.K - k0, cols, tiles.Bs);
  }
  __pipeline_commit();
  A += BK;
  B += BK * p.ldb;
}

// Shared memory to registers.
__device__ void read_fragments(const Tiles& tiles, int m0, int n0, int k, Fragments& f) {
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    wmma::load_matrix_sync(f.a[i], &tiles.As[m0 + i * MMA][k], BK + PAD);
    wmma::load_matrix_sync(f.b[i], &tiles.Bs[k][n0 + i * MMA], BN + PAD);
  }
}

// Registers to accumulators.
__device__ void multiply_tiles(const Fragments& f, Accumulator (&acc)[COUNT][COUNT]) {
#pragma unroll
  for (int m = 0; m < COUNT; ++m) {
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
      const int n = m % 2 == 0 ? i : COUNT - 1 - i;  // back and forth: the turn reuses b[n]
      wmma::mma_sync(acc[m][n], f.a[m], f.b[n], acc[m][n]);
    }
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread. Which lane holds
// which element is unspecified, so the warp passes MMA rows at a time through its shared strip.
template <typename Vector>
__device__ void store_tile(const Problem& p, int row0, int col0,
                           const Accumulator (&acc)[COUNT][COUNT], Acc* strip) {
  constexpr int WIDTH = sizeof(Vector) / sizeof(Acc);
#pragma unroll
  for (int m = 0; m < COUNT; ++m) {
#pragma unroll
    for (int n = 0; n < COUNT; ++n) {
      wmma::store_matrix_sync(&strip[n * MMA], acc[m][n], WN, wmma::mem_row_major);
    }
    __syncwarp();  // the strip is complete before any lane reads it
#pragma unroll 8
    for (int i = threadIdx.x % 32 * WIDTH; i < MMA * WN; i += 32 * WIDTH) {
      const int row = row0 + m * MMA + i / WN;
      const int col = col0 + i % WN;
      if (row < p.M && col < p.N) {
        Vector& c = *reinterpret_cast<Vector*>(&p.C[row * p.ldc + col]);
        Vector sum = p.beta == 0 ? Vector{} : c;
#pragma unroll
        for (int j = 0; j < WIDTH; ++j) {
          Acc& s = reinterpret_cast<Acc*>(&sum)[j];
          s = p.alpha * strip[i + j] + p.beta * s;
        }
        c = sum;
      }
    }
    __syncwarp();  // all lanes have read the strip before the next rows overwrite it
  }
}

template <bool VECTOR>
__global__ void __launch_bounds__(NUM_THREADS) gemm_kernel(Problem p, int stages) {
  extern __shared__ Tiles tiles[];

  // This warp's corner of the block tile.
  const int warp = threadIdx.x / 32;
  const int m0 = warp / (BN / WN) * WM;
  const int n0 = warp % (BN / WN) * WN;
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;
  // What this thread copies first: pointers that move on cost less than indices.
  const Input* A = &p.A[(row0 + threadIdx.x * 8 / BK) * p.lda + threadIdx.x * 8 % BK];
  const Input* B = &p.B[threadIdx.x * 8 / BN * p.ldb + col0 + threadIdx.x * 8 % BN];

  Accumulator acc[COUNT][COUNT] = {};
  Fragments f[2];  // of this step and of the next
  for (int s = 0; s < stages - 1; ++s) {
    load_tiles<VECTOR>(p, s * BK, A, B, tiles[s]);
  }
  __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have all others
  read_fragments(tiles[0], m0, n0, 0, f[0]);
  for (int k0 = 0, cur = 0; k0 < p.K; k0 += BK) {
    const int free = cur == 0 ? stages - 1 : cur - 1;  // every thread is done with this buffer
    load_tiles<VECTOR>(p, k0 + (stages - 1) * BK, A, B, tiles[free]);
#pragma unroll
    for (int k = 0; k < BK; k += MMA) {
      if (k == BK - MMA) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next tiles have arrived
        __syncthreads();  // and all others; and all threads have read this tile
        cur = cur == stages - 1 ? 0 : cur + 1;
      }
      const int next = (k / MMA + 1) % 2;
      read_fragments(tiles[cur], m0, n0, (k + MMA) % BK, f[next]);
      multiply_tiles(f[1 - next], acc);
    }
  }
  __syncthreads();  // all threads have read the tiles before strips overwrite them
  Acc* strip = reinterpret_cast<Acc*>(&tiles[0]) + warp * MMA * WN;
  store_tile<std::conditional_t<VECTOR, float4, Acc>>(p, row0 + m0, col0 + n0, acc, strip);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  const bool vector = (uintptr_t(p.A) | uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0 &&
                      (p.lda | p.ldb | p.ldc | p.K | p.N) % 8 == 0;
  const auto kernel = vector ? gemm_kernel<true> : gemm_kernel<false>;
  // Below sm_80 a block has 64 KB at most, and copies are synchronous: two stages do the same there.
  int device = 0, major = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  const int stages = major >= 8 ? STAGES : 2;
  const int bytes = stages * sizeof(Tiles);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<grid, NUM_THREADS, bytes>>>(p, stages);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
