// 09_any_shape: tiles that do not fill a whole wave of blocks are shared among all blocks along K.
//
// Changed from 07_double_buffer: GROUP, SPLIT, Plan, gemm_kernel(), whose former body is
// multiply_tile(), add_partials(), gemm().
// Build: nvcc -O3 -std=c++17 -arch=native -I../.. gemm.cu ../../common/*.cu -o gemm -lcublas
#include <cuda_pipeline.h>

#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 64;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 16;  // depth of a shared tile
constexpr int PAD = 4;  // unused elements at the end of a shared row
constexpr int PATCH = 8;  // columns of A that a warp copies at a time
constexpr int STAGES = 3;  // pairs of tiles: one is multiplied while two are on their way
constexpr int COPY_STEP = 2;  // k in a tile, amid multiply-adds, at which the next copies start
constexpr int WM = 32;  // rows of C per warp
constexpr int WN = 64;  // columns of C per warp
constexpr int TM = 8;  // rows of C per thread
constexpr int TN = 8;  // columns of C per thread
constexpr int NUM_THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int MIN_BLOCKS = 4;  // resident per multiprocessor: leaves 128 registers to a thread
constexpr int GROUP = 8;  // rows of tiles that neighbouring blocks work on
constexpr int SPLIT = 4;  // tiles along K that are never parted: the least that a block is given
static_assert(SPLIT >= STAGES, "a block's share fills all buffers");

// A warp is a grid of (WM / TM) x (WN / TN) lanes. Each of them owns blocks of 4 x 4 elements, one
// whole grid of 4 x 4 blocks apart, so that neighbouring lanes read neighbouring shared addresses.
constexpr int STEP_M = WM / TM * 4;
constexpr int STEP_N = WN / TN * 4;
static_assert((WM / TM) * (WN / TN) == 32, "a warp has 32 lanes");

template <typename Vector>
constexpr bool WHOLE = sizeof(Vector) > sizeof(Input);  // of float4, no tile sticks out of a matrix

// Who computes what. A step is SPLIT tiles along K for one tile of C, its last step takes the rest.
struct Plan {
  int rows, cols;  // tiles of C, down and across
  int steps;  // of each of them
  int whole;  // so many blocks compute one tile each
  int shares;  // so many blocks share the steps of the other tiles evenly

  // The first step of a block, over all tiles. Its last one is before the first of the next block.
  __host__ __device__ int64_t first_step(int block) const {
    if (block <= whole) return int64_t(block) * steps;
    const int64_t shared = (int64_t(rows) * cols - whole) * steps;
    return int64_t(whole) * steps + shared * (block - whole) / shares;
  }

  // The block whose share has a step of a tile that is shared.
  __host__ __device__ int block_of(int64_t step) const {
    const int64_t before = int64_t(whole) * steps, shared = int64_t(rows) * cols * steps - before;
    return whole + ((step - before + 1) * shares - 1) / shared;
  }

  // Tiles are numbered down GROUP rows, then on to the next column: blocks that run at the same
  // time work on a compact part of C, and find each other's rows of A and columns of B in L2.
  __device__ int height(int tile) const { return min(GROUP, rows - tile / (GROUP * cols) * GROUP); }
  __device__ int row0(int tile) const {
    return (tile / (GROUP * cols) * GROUP + tile % (GROUP * cols) % height(tile)) * BM;
  }
  __device__ int col0(int tile) const { return tile % (GROUP * cols) / height(tile) * BN; }
};

// Global to shared memory, asynchronous. Only rows x cols elements of the tile exist; the others
// become zeros, which add nothing.
template <typename Vector, int ROWS, int COLS>
__device__ void load_tile(const Input* global, int64_t ld, int rows, int cols,
                          Input (&shared)[ROWS][COLS]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input), LANES = COLS / COUNT;
  static_assert(ROWS % (NUM_THREADS / LANES) == 0, "all threads copy equally much");
  const int r0 = threadIdx.x / LANES, c = threadIdx.x % LANES * COUNT;
  global += r0 * ld + c;
#pragma unroll
  for (int i = 0; i < ROWS; i += NUM_THREADS / LANES) {
    const int r = r0 + i;
    const int zeros = WHOLE<Vector> || (r < rows && c < cols) ? 0 : sizeof(Vector);
    __pipeline_memcpy_async(&shared[r][c], global, sizeof(Vector), zeros);
    global += NUM_THREADS / LANES * ld;
  }
}

// The same, transposed, element by element. Thanks to PAD, a warp's patch goes to 32 banks.
template <typename Vector>
__device__ void load_transposed(const Input* global, int64_t ld, int rows, int cols,
                                Input (&shared)[BK][BM + PAD]) {
  constexpr int COUNT = 1, LANES = PATCH / COUNT;
  const int r0 = threadIdx.x / LANES, c0 = threadIdx.x % LANES * COUNT;
  global += r0 * ld + c0;
#pragma unroll
  for (int i = 0; i < BM; i += NUM_THREADS / LANES) {
    const int r = r0 + i;
#pragma unroll
    for (int c = c0; c < c0 + BK; c += PATCH) {
      const int zeros = WHOLE<Vector> || (r < rows && c < cols) ? 0 : sizeof(Input);
      __pipeline_memcpy_async(&shared[c][r], &global[c - c0], sizeof(Input), zeros);
    }
    global += NUM_THREADS / LANES * ld;
  }
}

// Shared memory to registers: blocks of four elements, step apart.
template <int COUNT>
__device__ void read_fragment(const Input* shared, int step, Acc (&fragment)[COUNT]) {
  float4* to = reinterpret_cast<float4*>(fragment);
  for (int i = 0; i < COUNT / 4; ++i) to[i] = *reinterpret_cast<const float4*>(&shared[i * step]);
}

// Registers to accumulators. Unrolled loops make every index a constant, which registers need.
__device__ void outer_product(const Acc (&a)[TM], const Acc (&b)[TN], Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int i = 0; i < TN; ++i) {
      const int j = m % 2 == 0 ? i : TN - 1 - i;  // back and forth: the turn reuses b[n]
      const int n = j % 2 * (TN / 2) + j / 2;  // and between the two float4 of b
      acc[m][n] += a[m] * b[n];
    }
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread.
template <typename Vector>
__device__ void store_tile(const Problem& p, int row0, int col0, const Acc (&acc)[TM][TN]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    const int row = row0 + m / 4 * STEP_M + m % 4;
    if (!WHOLE<Vector> && row >= p.M) break;
#pragma unroll
    for (int n = 0; n < TN; n += COUNT) {
      const int col = col0 + n / 4 * STEP_N + n % 4;
      if (WHOLE<Vector> || col < p.N) {
        Vector& c = *reinterpret_cast<Vector*>(&p.C[row * p.ldc + col]);
        Vector sum = p.beta == 0 ? Vector{} : c;
        Acc* s = reinterpret_cast<Acc*>(&sum);
        for (int i = 0; i < COUNT; ++i) s[i] = p.alpha * acc[m][n + i] + p.beta * s[i];
        c = sum;
      }
    }
  }
}

// One tile of C, that of a problem of at most BM x BN.
template <typename Vector>
__device__ void multiply_tile(const Problem& p) {
  alignas(16) __shared__ Input As[STAGES][BK][BM + PAD], Bs[STAGES][BK][BN];
  // This thread's corner of the block tile: its warp's corner, and its lane's place in the warp.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int m0 = warp / (BN / WN) * WM + lane / (WN / TN) * 4;
  const int n0 = warp % (BN / WN) * WN + lane % (WN / TN) * 4;
  const auto load_tiles = [&](int k0, int buffer) {
    if (!WHOLE<Vector> || k0 < p.K) {
      load_transposed<Vector>(&p.A[k0], p.lda, p.M, p.K - k0, As[buffer]);
      load_tile<Vector>(&p.B[k0 * p.ldb], p.ldb, p.K - k0, p.N, Bs[buffer]);
    }
    __pipeline_commit();
  };
  Acc acc[TM][TN] = {};
  alignas(16) Acc a[2][TM], b[2][TN];  // fragments of this step and of the next
#pragma unroll 1
  for (int s = 0; s < STAGES - 1; ++s) load_tiles(s * BK, s);
  __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have all others
  read_fragment(&As[0][0][m0], STEP_M, a[0]);
  read_fragment(&Bs[0][0][n0], STEP_N, b[0]);
  int cur = 0, free = STAGES - 1;  // buffers: being multiplied, to be filled next
  for (int k0 = 0; k0 < p.K; k0 += BK) {
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      if (k == COPY_STEP) load_tiles(k0 + (STAGES - 1) * BK, free);
      if (k == BK - 1) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next tiles have arrived
        __syncthreads();  // and all others; and all threads have read this tile
        free = cur;
        cur = (cur + 1) % STAGES;
      }
      read_fragment(&As[cur][(k + 1) % BK][m0], STEP_M, a[(k + 1) % 2]);
      read_fragment(&Bs[cur][(k + 1) % BK][n0], STEP_N, b[(k + 1) % 2]);
      outer_product(a[k % 2], b[k % 2], acc);
    }
  }
  store_tile<Vector>(p, m0, n0, acc);
}

// A block's work: a tile, or a share with steps of one or two tiles. Each tile's part of it is a
// smaller problem of the same kind. Sums of a share go to partials, which has two tiles for each.
template <typename Vector>
__global__ void __launch_bounds__(NUM_THREADS, MIN_BLOCKS)
    gemm_kernel(Problem p, Plan plan, Acc* partials) {
  const int64_t begin = plan.first_step(blockIdx.x);
  int tile = begin / plan.steps, first = begin % plan.steps;
  int left = plan.first_step(blockIdx.x + 1) - begin;
  for (int i = 0; left > 0; ++i) {
    const int count = min(left, plan.steps - first);
    const int row0 = plan.row0(tile), col0 = plan.col0(tile), k0 = first * SPLIT * BK;
    const int share = blockIdx.x - plan.whole;
    Problem part = p;
    part.M -= row0;
    part.N -= col0;
    part.K = first + count == plan.steps ? p.K - k0 : count * SPLIT * BK;
    part.A += row0 * p.lda + k0;
    part.B += k0 * p.ldb + col0;
    part.C += row0 * p.ldc + col0;
    if (share >= 0) {
      part.alpha = 1;
      part.beta = 0;
      part.C = &partials[(share * 2 + i) * int64_t(BM * BN)];
      part.ldc = BN;
    }
    multiply_tile<Vector>(part);
    __pipeline_wait_prior(0);
    __syncthreads();  // all buffers are free for the next part
    left -= count;
    first = 0;
    ++tile;
  }
}

// C from the sums of the shares, always in the same order. A block computes a row of a tile.
__global__ void add_partials(Problem p, Plan plan, const Acc* partials) {
  const int tile = plan.whole + blockIdx.x;
  const int row = plan.row0(tile) + blockIdx.y, col = plan.col0(tile) + threadIdx.x;
  if (row >= p.M || col >= p.N) return;
  const int64_t first = int64_t(tile) * plan.steps;
  Acc sum = 0;
  for (int block = plan.block_of(first); plan.first_step(block) < first + plan.steps; ++block) {
    const int slot = (block - plan.whole) * 2 + (plan.first_step(block) < first);
    sum += partials[(int64_t(slot) * BM + blockIdx.y) * BN + threadIdx.x];
  }
  Acc& c = p.C[row * p.ldc + col];
  c = p.alpha * sum + (p.beta == 0 ? 0 : p.beta * c);
}

// blocks: so many run at the same time.
Plan make_plan(const Problem& p, int blocks) {
  Plan plan{ceil_div(p.M, BM), ceil_div(p.N, BN), max(1, ceil_div(p.K, BK) / SPLIT), 0, 0};
  const int64_t tiles = int64_t(plan.rows) * plan.cols, rest = tiles % blocks;
  plan.shares = min(int64_t(blocks), rest * plan.steps);
  if (plan.shares <= rest) plan.shares = 0;  // a share would be a tile
  plan.whole = plan.shares == 0 ? tiles : tiles - rest;
  return plan;
}

// Room for so many tiles, in the order of the stream. The pool keeps it for the next call.
Acc* allocate(int tiles, int device) {
  cudaMemPool_t pool;
  uint64_t keep = UINT64_MAX;
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  Acc* partials = nullptr;
  CUDA_CHECK(cudaMallocAsync(&partials, sizeof(Acc) * BM * BN * tiles, 0));
  return partials;
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const bool aligned = (uintptr_t(p.A) | uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0 &&
                       (p.lda | p.ldb | p.ldc | p.K | p.N) % 4 == 0;
  const bool whole = p.M % BM == 0 && p.N % BN == 0 && p.K % BK == 0 && p.K >= STAGES * BK;
  const auto kernel = aligned && whole ? gemm_kernel<float4> : gemm_kernel<Input>;
  int device, multiprocessors;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const Plan plan = make_plan(p, multiprocessors * MIN_BLOCKS);
  Acc* partials = plan.shares == 0 ? nullptr : allocate(plan.shares * 2, device);
  kernel<<<plan.whole + plan.shares, NUM_THREADS>>>(p, plan, partials);
  CUDA_CHECK(cudaGetLastError());
  if (plan.shares == 0) return;
  add_partials<<<dim3(plan.rows * plan.cols - plan.whole, BM), BN>>>(p, plan, partials);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaFreeAsync(partials, 0));
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
