// 10_mma_swizzle: tiles without padding, swizzled in units of 16 bytes; ldmatrix and mma by PTX.
//
// Changed from 08_tensor_core_wmma: the tiles' layout, fragments, the way to C, the order of
// blocks; align_rows() instead of copies half by half.
// Build: nvcc -O3 -std=c++17 -arch=native -I../.. gemm.cu ../../common/harness/*/*.cu -o gemm -lcublas
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include "common/lesson.h"
#include "common/stream_memory.h"

using Input = half;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 256;  // columns of C per block
constexpr int BK = 64;  // depth of a shared tile
constexpr int MOST_STAGES = 3;  // pairs of tiles; one less where a block may not have 144 KB
constexpr int WM = 64;  // rows of C per warp
constexpr int WN = 64;  // columns of C per warp
constexpr int MMA = 16;  // rows, columns and depth of a product
constexpr int TM = WM / MMA;  // rows of fragments per warp
constexpr int TN = WN / MMA;  // columns of fragments per warp
constexpr int NUM_THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int GROUP = 8;  // rows of tiles that neighbouring blocks work on
constexpr int UNIT = 8;  // halves in 16 bytes: what a copy moves, and a row of an 8 x 8 matrix
constexpr int SWIZZLE = 8;  // units that change places: 128 bytes, all banks

// A lane's part of 16 x 16 elements, four 8 x 8 matrices. In each, it holds two neighbours in row
// lane / 4, from column lane % 4 * 2 on: a register of two halves, or two sums.
using Fragment = unsigned[4];
using Accumulator = Acc[2][2][2];  // right half, lower half, neighbour
struct alignas(128) Tiles {
  Input As[BM][BK], Bs[BK][BN];
};

// Where column c of row r of a tile lies: unit u of a row is in the place of unit
// u ^ (r % SWIZZLE). So ldmatrix finds one unit of eight rows in eight different places.
__device__ int swizzled(int r, int c) {
  return c ^ r % SWIZZLE * UNIT;
}

// PTX manual, "Warp-level matrix load instruction: ldmatrix": four 8 x 8 matrices of halves. Lanes
// 0 to 7 give the addresses of the rows of the first, lanes 8 to 15 those of the second, and so on.
__device__ void load_matrices(const Input* row, Fragment& to) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(unsigned(__cvta_generic_to_shared(row)))
               : "memory");
}

// The same, each matrix transposed: mma wants B by columns, neighbours in k in one register.
__device__ void load_transposed(const Input* row, Fragment& to) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(unsigned(__cvta_generic_to_shared(row)))
               : "memory");
}

// PTX manual, "Matrix fragments for mma.m16n8k16 with floating point type": 16 x 16 elements of A
// times 16 x 8 of B. Once for the left half of B and once for the right.
__device__ void mma_sync(const Fragment& a, const Fragment& b, Accumulator& acc) {
  for (int n = 0; n < 2; ++n) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(acc[n][0][0]), "+f"(acc[n][0][1]), "+f"(acc[n][1][0]), "+f"(acc[n][1][1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[n * 2]), "r"(b[n * 2 + 1]));
  }
}

// Global to shared memory, asynchronous. Only rows x cols elements of the tile exist; the others
// become zeros, which add nothing.
template <bool WHOLE, int ROWS, int COLS>
__device__ void load_tile(const Input* global, int64_t ld, int rows, int cols,
                          Input (&shared)[ROWS][COLS]) {
  constexpr int LANES = COLS / UNIT, STEP = NUM_THREADS / LANES;
  static_assert(COLS % (SWIZZLE * UNIT) == 0, "units change places inside 128 bytes");
  static_assert(ROWS % STEP == 0, "all threads copy equally much");
  const int r0 = threadIdx.x / LANES, c = threadIdx.x % LANES * UNIT;
  global += r0 * ld + c;
#pragma unroll
  for (int i = 0; i < ROWS; i += STEP) {
    const int r = r0 + i;
    const int zeros = WHOLE || (r < rows && c < cols) ? 0 : UNIT * sizeof(Input);
    __pipeline_memcpy_async(&shared[r][swizzled(r, c)], global, UNIT * sizeof(Input), zeros);
    global += STEP * ld;
  }
}

// Shared memory to registers. Of a 16 x 16 tile, the four matrices are top left, bottom left, top
// right, bottom right.
__device__ void read_fragments(const Tiles& tiles, int m0, int n0, int k, Fragment (&a)[TM],
                               Fragment (&b)[TN]) {
  const int r = threadIdx.x % 16, c = threadIdx.x % 32 / 16 * UNIT;
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    const int row = m0 + m * MMA + r;
    load_matrices(&tiles.As[row][swizzled(row, k + c)], a[m]);
  }
#pragma unroll
  for (int n = 0; n < TN; ++n) {
    const int row = k + r;
    load_transposed(&tiles.Bs[row][swizzled(row, n0 + n * MMA + c)], b[n]);
  }
}

// Adds the outer product of a and b to acc. Unrolled loops keep all three in registers.
__device__ void outer_product(const Fragment (&a)[TM], const Fragment (&b)[TN],
                              Accumulator (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int i = 0; i < TN; ++i) {
      const int n = m % 2 == 0 ? i : TN - 1 - i;  // snake order: reuses b[n] at each turn
      mma_sync(a[m], b[n], acc[m][n]);
    }
  }
}

// Writes the accumulators to C. With beta == 0, C is not read, because a NaN in it would spread.
template <typename Vector>
__device__ void store_tile(const Problem& p, int row0, int col0, const Accumulator (&acc)[TM][TN]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
  row0 += threadIdx.x % 32 / 4;  // of this lane's first sum
  col0 += threadIdx.x % 4 * 2;
  Acc* C = &p.C[row0 * p.ldc + col0];
  const auto inside = [&](int m, int n) { return m < p.M - row0 && n < p.N - col0; };
#pragma unroll
  for (int m = 0; m < WM; m += 8) {
    Vector row[WN / 8][2 / COUNT] = {};
    if (p.beta != 0) {
#pragma unroll
      for (int n = 0; n < WN; n += 8) {
        for (int i = 0; i < 2; i += COUNT) {
          if (inside(m, n + i)) row[n / 8][i / COUNT] = *reinterpret_cast<Vector*>(&C[n + i]);
        }
      }
    }
    __syncwarp();  // all reads before any store: nvcc would interleave them
#pragma unroll
    for (int n = 0; n < WN; n += 8) {
      const Acc(&sums)[2] = acc[m / MMA][n / MMA][n / 8 % 2][m / 8 % 2];
      for (int i = 0; i < 2; i += COUNT) {
        if (!inside(m, n + i)) continue;
        Acc* s = reinterpret_cast<Acc*>(&row[n / 8][i / COUNT]);
        for (int j = 0; j < COUNT; ++j) s[j] = p.alpha * sums[i + j] + p.beta * s[j];
        *reinterpret_cast<Vector*>(&C[n + i]) = row[n / 8][i / COUNT];
      }
    }
    C += 8 * p.ldc;
  }
}

template <typename Vector, int STAGES>
__global__ void __launch_bounds__(NUM_THREADS) gemm_kernel(Problem p) {
  extern __shared__ Tiles tiles[];
  // Blocks start row by row of the grid. Renumber them down GROUP rows of tiles, then on to the next
  // column: blocks that run at the same time find each other's rows of A and columns of B in L2.
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x, band = GROUP * gridDim.x;
  const int height = min(GROUP, gridDim.y - block / band * GROUP);
  const int row0 = (block / band * GROUP + block % band % height) * BM;  // the block's origin in C
  const int col0 = block % band / height * BN;
  // This warp's corner of the block tile.
  const int warp = threadIdx.x / 32;
  const int m0 = warp / (BN / WN) * WM;
  const int n0 = warp % (BN / WN) * WN;
  p.A += row0 * p.lda;
  p.B += col0;
  const auto load_tiles = [&](int k0, int buffer) {
    const int rows = p.M - row0, cols = p.N - col0, depth = p.K - k0;
    if (rows >= BM && cols >= BN && depth >= BK) {
      load_tile<true>(p.A, p.lda, rows, depth, tiles[buffer].As);
      load_tile<true>(p.B, p.ldb, depth, cols, tiles[buffer].Bs);
    } else {
      load_tile<false>(p.A, p.lda, rows, depth, tiles[buffer].As);
      load_tile<false>(p.B, p.ldb, depth, cols, tiles[buffer].Bs);
    }
    __pipeline_commit();
    p.A += BK;
    p.B += BK * p.ldb;
  };
  Accumulator acc[TM][TN] = {};
  Fragment a[2][TM], b[2][TN];  // of this step and of the next
#pragma unroll 1
  for (int s = 0; s < STAGES - 1; ++s) load_tiles(s * BK, s);
  __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have the copies of all other threads
  read_fragments(tiles[0], m0, n0, 0, a[0], b[0]);
  int cur = 0, free = STAGES - 1;  // buffers: the one to multiply, the next to fill
  for (int k0 = 0; k0 < p.K; k0 += BK) {
#pragma unroll
    for (int k = 0; k < BK; k += MMA) {
      // With two stages the copies start at once; with three there is time: they start amid products.
      if (k == (STAGES - 2) * MMA) load_tiles(k0 + (STAGES - 1) * BK, free);
      if (k == BK - MMA) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next tiles have arrived
        __syncthreads();  // the next tiles are complete, and all threads have read the current ones
        free = cur;
        cur = (cur + 1) % STAGES;
      }
      const int step = k / MMA, next = (step + 1) % 2;
      read_fragments(tiles[cur], m0, n0, (k + MMA) % BK, a[next], b[next]);
      outer_product(a[step % 2], b[step % 2], acc);
    }
  }
  store_tile<Vector>(p, row0 + m0, col0 + n0, acc);
}

// Copies rows of any length that begin anywhere to rows of whole units, filled up with zeros. A
// block copies a row.
__global__ void align_rows(const Input* __restrict__ from, int64_t ld, int cols,
                           Input* __restrict__ to, int to_ld) {
  from += blockIdx.x * ld;
  to += blockIdx.x * int64_t(to_ld);
#pragma unroll 8
  for (int c = threadIdx.x; c < to_ld; c += NUM_THREADS) to[c] = c < cols ? from[c] : Input(0);
}

// Asynchronous copies of 16 bytes need whole units, at multiples of 16 bytes. Replaces a matrix
// that has others by a copy, which lives as long as what is returned.
StreamMemory<Input> align(const Input*& matrix, int64_t& ld, int rows, int cols) {
  if (uintptr_t(matrix) % 16 == 0 && (ld | cols) % UNIT == 0) return nullptr;
  if (rows == 0 || cols == 0) {  // nothing is read; but all addresses must be aligned
    matrix = nullptr;
    ld = 0;
    return nullptr;
  }
  const int copy_ld = ceil_div(cols, UNIT) * UNIT;
  auto copy = allocate_async<Input>(int64_t(rows) * copy_ld);
  align_rows<<<rows, NUM_THREADS>>>(matrix, ld, cols, copy.get(), copy_ld);
  CUDA_CHECK(cudaGetLastError());
  matrix = copy.get();
  ld = copy_ld;
  return copy;
}

void gemm(const Problem& problem) {
  if (problem.M == 0 || problem.N == 0) return;
  Problem p = problem;
  const StreamMemory<Input> copies[] = {align(p.A, p.lda, p.M, p.K), align(p.B, p.ldb, p.K, p.N)};
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  const bool aligned = uintptr_t(p.C) % sizeof(float2) == 0 && (p.ldc | p.N) % 2 == 0;
  int device, room;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  constexpr int MOST = MOST_STAGES, LESS = MOST - 1;
  const int stages = MOST * int(sizeof(Tiles)) <= room ? MOST : LESS,
            bytes = stages * sizeof(Tiles);
  static_assert(LESS * sizeof(Tiles) <= 99 * 1024, "consumer GPUs have no more");
  auto kernel = aligned ? gemm_kernel<float2, LESS> : gemm_kernel<Acc, LESS>;
  if (stages == MOST) kernel = aligned ? gemm_kernel<float2, MOST> : gemm_kernel<Acc, MOST>;
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<grid, NUM_THREADS, bytes>>>(p);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
