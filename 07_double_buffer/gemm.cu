// 07_double_buffer: the next tiles are on their way while this one is multiplied.
//
// Changed from 06_smem_transpose: load_tiles() is asynchronous, read_fragment(), the main loop with
// STAGES buffers and one barrier, 16-byte stores of C, and gemm() chooses tile sizes.
// Build: nvcc -O3 -std=c++17 -arch=native -I.. gemm.cu ../common/*.cu -o gemm -lcublas
#include <cuda_pipeline.h>

#include <type_traits>

#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BK = 16;  // depth of a shared tile
constexpr int PAD = 4;  // unused floats at the end of a row of As
constexpr int STAGES = 3;  // pairs of tiles: one is multiplied while two are on their way
constexpr int STEP_M = 16;  // a warp is 4 x 8 lanes: rows between a thread's 4 x 4 blocks
constexpr int STEP_N = 32;  // columns between a thread's 4 x 4 blocks
constexpr int MIN_BLOCKS = 4;  // resident per multiprocessor: leaves 128 registers to 128 threads

// Starts the copies of a ROWS x COLS tile, in which element (r, c) goes to shared[r * DR + c * DC].
// LANES threads share a row and copy COUNT elements at a time. Only the first `rows` and `cols` of a
// CHECKED tile exist: the others become zeros, which add nothing.
template <int ROWS, int COLS, int DR, int DC, int LANES, int COUNT, int NUM_THREADS, bool CHECKED>
__device__ void load_tile(const Input* global, int64_t ld, int rows, int cols, Input* shared) {
  const int r = threadIdx.x / LANES;
  const int c = threadIdx.x % LANES * COUNT;
  global += r * ld + c;
#pragma unroll(CHECKED ? 1 : ROWS)
  for (int i = r; i < ROWS + r; i += NUM_THREADS / LANES) {
#pragma unroll
    for (int j = 0; j < COLS; j += LANES * COUNT) {
      if (!CHECKED || (i < rows && c + j < cols)) {
        __pipeline_memcpy_async(&shared[i * DR + (c + j) * DC], &global[j], COUNT * sizeof(Input));
      } else {
        shared[i * DR + (c + j) * DC] = 0;
      }
    }
    global += NUM_THREADS / LANES * ld;
  }
}

// Starts the copies from global to shared memory. A warp copies a patch of 4 rows and 8 columns of A
// element by element, which transposes it; thanks to the padding it stores to 32 different banks.
template <int NUM_THREADS, bool WHOLE, int LD, int BN>
__device__ void load_tiles(const Problem& p, int row0, int col0, int k0, Input (&As)[BK][LD],
                           Input (&Bs)[BK][BN]) {
  constexpr int BM = LD - PAD;
  const Input* A = &p.A[row0 * p.lda + k0];
  const Input* B = &p.B[k0 * p.ldb + col0];
  const int rows = p.M - row0, cols = p.N - col0, depth = p.K - k0;
  if (WHOLE ? depth > 0 : rows >= BM && cols >= BN && depth >= BK) {
    load_tile<BM, BK, 1, LD, 8, 1, NUM_THREADS, false>(A, p.lda, rows, depth, As[0]);
    load_tile<BK, BN, BN, 1, 16, WHOLE ? 4 : 1, NUM_THREADS, false>(B, p.ldb, depth, cols, Bs[0]);
  } else if (!WHOLE) {
    load_tile<BM, BK, 1, LD, 8, 1, NUM_THREADS, true>(A, p.lda, rows, depth, As[0]);
    load_tile<BK, BN, BN, 1, 16, 1, NUM_THREADS, true>(B, p.ldb, depth, cols, Bs[0]);
  }
  __pipeline_commit();
}

// Shared memory to registers: blocks of four elements, step apart.
template <int COUNT>
__device__ void read_fragment(const Input* shared, int step, Acc (&fragment)[COUNT]) {
#pragma unroll
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
      const int n = m % 2 == 0 ? i : TN - 1 - i;  // back and forth: the turn reuses b[n]
      acc[m][n] += a[m] * b[n];
    }
  }
}

// Accumulators to C, a Vector at a time. With beta == 0, C is not read: a NaN must not spread.
template <typename Vector, int TM, int TN>
__device__ void store_tile(const Problem& p, int row0, int col0, const Acc (&acc)[TM][TN]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int n = 0; n < TN; n += COUNT) {
      const int row = row0 + m / 4 * STEP_M + m % 4;
      const int col = col0 + n / 4 * STEP_N + n % 4;
      if (row < p.M && col < p.N) {
        Vector& c = *reinterpret_cast<Vector*>(&p.C[row * p.ldc + col]);
        Vector sum = p.beta == 0 ? Vector{} : c;
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
          Acc& s = reinterpret_cast<Acc*>(&sum)[i];
          s = p.alpha * acc[m][n + i] + p.beta * s;
        }
        c = sum;
      }
    }
  }
}

// WHOLE: no tile sticks out of a matrix, and B and C can be accessed 16 bytes at a time.
template <int BM, int BN, int WM, int WN, bool WHOLE>
__global__ void __launch_bounds__(BM / WM * (BN / WN) * 32, MIN_BLOCKS) gemm_kernel(Problem p) {
  constexpr int NUM_THREADS = BM / WM * (BN / WN) * 32;
  alignas(16) __shared__ Input As[STAGES][BK][BM + PAD];
  alignas(16) __shared__ Input Bs[STAGES][BK][BN];

  // This thread's corner of the block tile: its warp's corner, and its lane's place in the warp.
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int m0 = warp / (BN / WN) * WM + lane / 8 * 4;
  const int n0 = warp % (BN / WN) * WN + lane % 8 * 4;
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;

  Acc acc[WM / 4][WN / 8] = {};
  alignas(16) Acc a[2][WM / 4], b[2][WN / 8];  // fragments of this step and of the next
#pragma unroll 1
  for (int s = 0; s < STAGES - 1; ++s) {
    load_tiles<NUM_THREADS, WHOLE>(p, row0, col0, s * BK, As[s], Bs[s]);
  }
  __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have all others
  read_fragment(&As[0][0][m0], STEP_M, a[0]);
  read_fragment(&Bs[0][0][n0], STEP_N, b[0]);
  int cur = 0;
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    const int free = cur == 0 ? STAGES - 1 : cur - 1;  // every thread is done with this buffer
    load_tiles<NUM_THREADS, WHOLE>(p, row0, col0, k0 + (STAGES - 1) * BK, As[free], Bs[free]);
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      if (k == BK - 1) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next tiles have arrived
        __syncthreads();  // and all others; and all threads have read this tile
        cur = cur == STAGES - 1 ? 0 : cur + 1;
      }
      read_fragment(&As[cur][(k + 1) % BK][m0], STEP_M, a[(k + 1) % 2]);
      read_fragment(&Bs[cur][(k + 1) % BK][n0], STEP_N, b[(k + 1) % 2]);
      multiply_tiles(a[k % 2], b[k % 2], acc);
    }
  }
  store_tile<std::conditional_t<WHOLE, float4, float>>(p, row0 + m0, col0 + n0, acc);
}

template <int BM, int BN, int WM, int WN>
void launch(const Problem& p) {
  const bool whole = p.M % BM == 0 && p.N % BN == 0 && p.K % BK == 0 && p.K >= STAGES * BK &&
                     (uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0 && (p.ldb | p.ldc) % 4 == 0;
  const auto kernel =
      whole ? gemm_kernel<BM, BN, WM, WN, true> : gemm_kernel<BM, BN, WM, WN, false>;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  kernel<<<grid, BM / WM*(BN / WN) * 32>>>(p);
  CUDA_CHECK(cudaGetLastError());
}

void gemm(const Problem& p) {
  const int64_t size = int64_t(p.M) * p.N;
  if (size > 1024 * 1024) {
    launch<64, 128, 64, 64>(p);
  } else if (size > 512 * 512) {
    launch<64, 128, 32, 64>(p);
  } else if (size > 0) {
    launch<32, 64, 16, 32>(p);
  }
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
