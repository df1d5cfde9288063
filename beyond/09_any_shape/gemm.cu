// 09_any_shape: tiles of two sizes, and parts along K, so that every shape fills the chip.
//
// Changed from 07_double_buffer: tiles as template arguments, Plan, what is copied at the end of a
// matrix, where gemm_kernel() begins and stores, add_parts(), CONFIGS, make_plan(), gemm().
// Build: nvcc -O3 -std=c++17 -arch=native -I../.. gemm.cu ../../common/*.cu -o gemm -lcublas
#include <cuda_pipeline.h>

#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BK = 16;  // depth of a shared tile
constexpr int PAD = 4;  // unused elements at the end of a shared row
constexpr int PATCH = 8;  // columns of A that a warp copies at a time
constexpr int STAGES = 3;  // pairs of tiles: one is multiplied while two are on their way
constexpr int WARPS_M = 2;  // warps of a block, down
constexpr int WARPS_N = 2;  // and across
constexpr int LANES_M = 4;  // lanes of a warp, down
constexpr int LANES_N = 8;  // and across
constexpr int NUM_THREADS = WARPS_M * WARPS_N * 32;
constexpr int GROUP = 16;  // rows of tiles that neighbouring blocks work on
constexpr int DEPTH = 4 * BK;  // of a part along K, at least
static_assert(DEPTH >= STAGES * BK, "a part fills all buffers");

// A warp is a grid of LANES_M x LANES_N lanes. Each of them owns blocks of 4 x 4 elements, one
// whole grid of 4 x 4 blocks apart, so that neighbouring lanes read neighbouring shared addresses.
constexpr int STEP_M = LANES_M * 4;
constexpr int STEP_N = LANES_N * 4;
static_assert(LANES_M * LANES_N == 32, "a warp has 32 lanes");

// Who computes what: each of the first blocks one tile of C, each of the others a part along K of
// one of the tiles that are left.
struct Plan {
  int rows, cols;  // tiles of C, down and across
  int whole;  // number of tiles that have one block each
  int parts;  // blocks of each of the others
  int depth;  // K tiles, dealt evenly among the parts
  int wide;  // columns of B to read instead of those that do not exist: a power of two
  double time;  // estimated

  __host__ __device__ int shared() const { return rows * cols - whole; }
  __device__ int tile(int block) const {
    return block < whole ? block : whole + (block - whole) / parts;
  }
  __device__ int k0(int block) const {
    return block < whole ? 0 : int64_t((block - whole) % parts) * depth / parts * BK;
  }
  // Tiles are numbered down GROUP rows, then on to the next column: blocks that run at the same
  // time work on a compact part of C, and find each other's rows of A and columns of B in L2.
  __device__ int height(int tile) const { return min(GROUP, rows - tile / (GROUP * cols) * GROUP); }
  __device__ int row(int tile) const {
    return tile / (GROUP * cols) * GROUP + tile % (GROUP * cols) % height(tile);
  }
  __device__ int col(int tile) const { return tile % (GROUP * cols) / height(tile); }
};

// Global to shared memory, asynchronous. The first rows, as many as `zeros` says, are not read but
// become zeros, which add nothing. column() says which column is read for one of the tile.
template <typename Vector, typename Column, int ROWS, int COLS>
__device__ void load_tile(const Input* global, int64_t ld, int zeros, Column column,
                          Input (&shared)[ROWS][COLS]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input), LANES = COLS / COUNT;
  static_assert(ROWS % (NUM_THREADS / LANES) == 0, "all threads copy equally much");
  const int r0 = threadIdx.x / LANES, c = threadIdx.x % LANES * COUNT;
  global += r0 * ld + column(c);
#pragma unroll
  for (int i = 0; i < ROWS; i += NUM_THREADS / LANES) {
    const int r = r0 + i;
    __pipeline_memcpy_async(&shared[r][c], global, sizeof(Vector), r < zeros ? sizeof(Vector) : 0);
    global += NUM_THREADS / LANES * ld;
  }
}

// The same, transposed, element by element. Thanks to PAD, a warp's patch goes to 32 banks.
template <bool WHOLE, typename Row, int WIDTH>
__device__ void load_transposed(const Input* global, int64_t ld, int zeros, Row row,
                                Input (&shared)[BK][WIDTH]) {
  constexpr int COUNT = 1, LANES = PATCH / COUNT;
  const int r0 = threadIdx.x / LANES, c0 = threadIdx.x % LANES * COUNT;
  global += c0;
  if (WHOLE) global += r0 * ld;
#pragma unroll
  for (int i = 0; i < WIDTH - PAD; i += NUM_THREADS / LANES) {
    const int r = r0 + i;
    const Input* from = WHOLE ? global : &global[row(r) * ld];
#pragma unroll
    for (int c = c0; c < c0 + BK; c += PATCH) {
      const int size = sizeof(Input);
      __pipeline_memcpy_async(&shared[c][r], &from[c - c0], size, c < zeros ? size : 0);
    }
    if (WHOLE) global += NUM_THREADS / LANES * ld;
  }
}

// Shared memory to registers: blocks of four elements, step apart.
template <int COUNT>
__device__ void read_fragment(const Input* shared, int step, Acc (&fragment)[COUNT]) {
  float4* to = reinterpret_cast<float4*>(fragment);
  for (int i = 0; i < COUNT / 4; ++i) to[i] = *reinterpret_cast<const float4*>(&shared[i * step]);
}

// Registers to accumulators. Unrolled loops make every index a constant, which registers need.
template <int TM, int TN>
__device__ void outer_product(const Acc (&a)[TM], const Acc (&b)[TN], Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int i = 0; i < TN; ++i) {
      const int n = m % 2 == 0 ? i : TN - 1 - i;  // back and forth: the turn reuses b[n]
      acc[m][n] += a[m] * b[n];
    }
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread.
template <typename Vector, bool WHOLE, int TM, int TN>
__device__ void store_tile(const Problem& p, int row0, int col0, const Acc (&acc)[TM][TN]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    const int row = row0 + m / 4 * STEP_M + m % 4;
    if (!WHOLE && row >= p.M) break;
#pragma unroll
    for (int n = 0; n < TN; n += COUNT) {
      const int col = col0 + n / 4 * STEP_N + n % 4;
      if (WHOLE || col < p.N) {
        Vector& c = *reinterpret_cast<Vector*>(&p.C[row * p.ldc + col]);
        Vector sum = p.beta == 0 ? Vector{} : c;
        Acc* s = reinterpret_cast<Acc*>(&sum);
        for (int i = 0; i < COUNT; ++i) s[i] = p.alpha * acc[m][n + i] + p.beta * s[i];
        c = sum;
      }
    }
  }
}

template <typename Vector, bool WHOLE, int SIDE, int MIN_BLOCKS>
__global__ void __launch_bounds__(NUM_THREADS, MIN_BLOCKS)
    gemm_kernel(Problem p, Plan plan, Acc* sums) {
  constexpr int WM = LANES_M * SIDE, WN = LANES_N * SIDE, BM = WARPS_M * WM, BN = WARPS_N * WN;
  alignas(16) __shared__ Input As[STAGES][BK][BM + PAD], Bs[STAGES][BK][BN];
  const int tile = plan.tile(blockIdx.x), first = plan.k0(blockIdx.x);
  const int row0 = plan.row(tile) * BM, col0 = plan.col(tile) * BN;  // this block's corner of C
  // This thread's corner of the block tile: its warp's corner, and its lane's place in the warp.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int m0 = warp / WARPS_N * WM + lane / LANES_N * 4;
  const int n0 = warp % WARPS_N * WN + lane % LANES_N * 4;
  // For a row or a column beyond the matrix another one is read: what it adds to is not stored. Any
  // row will do. Columns should differ from lane to lane: one element for all lanes is a slow copy.
  const auto row = [&](int r) { return WHOLE ? r : min(r, p.M - row0 - 1); };
  const auto column = [&](int c) {
    return WHOLE || c < p.N - col0 ? c : (c & (plan.wide - 1)) - col0;
  };
  const auto load_tiles = [&](int k0, int buffer, int zeros) {
    if (k0 < p.K || zeros > 0) {
      load_tile<Vector>(p.B, p.ldb, zeros, column, Bs[buffer]);
      load_transposed<WHOLE>(&p.A[WHOLE ? k0 : 0], p.lda, zeros, row, As[buffer]);
    }
    __pipeline_commit();
    if (!WHOLE) p.A += BK;  // faster than an index here, and slower if WHOLE: nvcc, measured
    p.B += BK * p.ldb;  // moves on with k0: found anew in each tile, it costs a 64-bit product
  };
  // This block's part is a smaller problem of the same kind: A and B start further in, K is less.
  // What K lacks to whole tiles are zeros in front, so that no tile in the loop has to be checked.
  const int lacking = WHOLE ? 0 : plan.depth * BK - p.K;
  p.A += row0 * p.lda + first - lacking;
  p.B += (first - lacking) * p.ldb + col0;
  // A part ends where the next one of the same tile begins; the last one takes the rest.
  p.K = (plan.tile(blockIdx.x + 1) == tile ? plan.k0(blockIdx.x + 1) : plan.depth * BK) - first;
  Acc acc[SIDE][SIDE] = {};
  alignas(16) Acc a[2][SIDE], b[2][SIDE];  // fragments of this step and of the next
  const auto zeros = [&](int s) {
    return WHOLE ? 0 : p.K <= s * BK ? BK : first + s == 0 ? lacking : 0;
  };
  // The first tile of the first part has the zeros in front of K. With less than STAGES tiles, the
  // buffers that are left become zeros, too: the loop reads ahead.
#pragma unroll 1
  for (int s = 0; s < (!WHOLE && p.K < STAGES * BK ? STAGES : STAGES - 1); ++s) {
    load_tiles(s * BK, s, zeros(s));
  }
  __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have all others
  read_fragment(&As[0][0][m0], STEP_M, a[0]);
  read_fragment(&Bs[0][0][n0], STEP_N, b[0]);
  int cur = 0, free = STAGES - 1;  // buffers: being multiplied, to be filled next
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    load_tiles(k0 + (STAGES - 1) * BK, free, 0);
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      if (k == BK - 1) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies of the next tiles have arrived
        __syncthreads();  // and all others; and all threads have read this tile
        free = cur;
        cur = (cur + 1) % STAGES;
      }
      read_fragment(&Bs[cur][(k + 1) % BK][n0], STEP_N, b[(k + 1) % 2]);
      read_fragment(&As[cur][(k + 1) % BK][m0], STEP_M, a[(k + 1) % 2]);
      outer_product(a[k % 2], b[k % 2], acc);
    }
  }
  const int again = plan.tile(blockIdx.x);  // `tile`, kept through the loop, would cost a register
  if (again < plan.whole) {
    store_tile<Vector, WHOLE>(p, plan.row(again) * BM + m0, plan.col(again) * BN + n0, acc);
  } else {  // the sums of a part, as they are, to a tile of their own
    Problem part = p;
    part.M = BM;
    part.N = part.ldc = BN;
    part.alpha = 1;
    part.beta = 0;
    part.C = &sums[(blockIdx.x - plan.whole) * int64_t(BM * BN)];
    store_tile<Vector, WHOLE>(part, m0, n0, acc);
  }
}

// C from the sums of the parts, always in the same order. A block computes a row of a tile.
__global__ void add_parts(Problem p, Plan plan, const Acc* sums) {
  const int tile = plan.whole + blockIdx.x, BM = gridDim.y, BN = blockDim.x;
  const int row = plan.row(tile) * BM + blockIdx.y, col = plan.col(tile) * BN + threadIdx.x;
  if (row >= p.M || col >= p.N) return;
  Acc sum = 0;
  for (int part = 0; part < plan.parts; ++part) {
    const int64_t block = int64_t(blockIdx.x) * plan.parts + part;
    sum += sums[(block * BM + blockIdx.y) * BN + threadIdx.x];
  }
  Acc& c = p.C[row * p.ldc + col];
  c = p.alpha * sum + (p.beta == 0 ? 0 : p.beta * c);
}

// A size of tiles to choose. A thread has SIDE x SIDE elements of C: the larger SIDE, the fewer
// reads for each product, and the fewer blocks. The unit of time is that of a K tile of 64 x 128 on
// a multiprocessor that is full of blocks.
struct Config {
  int SIDE;
  int MIN_BLOCKS;  // resident per multiprocessor: limits the registers of a thread
  double products;  // time for a K tile
  double waiting;  // time in which a block waits in a K tile, where no other block fills it
  void (*kernels[3])(Problem, Plan, Acc*);  // for whole tiles; by float4; by single elements

  int BM() const { return WARPS_M * LANES_M * SIDE; }  // rows of C per block
  int BN() const { return WARPS_N * LANES_N * SIDE; }  // columns of C per block
};

template <int SIDE, int MIN_BLOCKS>
constexpr Config config(double products, double waiting) {
  constexpr auto whole = gemm_kernel<float4, true, SIDE, MIN_BLOCKS>;
  constexpr auto vectors = gemm_kernel<float4, false, SIDE, MIN_BLOCKS>;
  constexpr auto elements = gemm_kernel<Input, false, SIDE, MIN_BLOCKS>;
  return {SIDE, MIN_BLOCKS, products, waiting, {whole, vectors, elements}};
}

// The times are fitted to those of an H200.
const Config CONFIGS[] = {config<8, 4>(1, 0.25), config<4, 6>(0.41, 0.04)};

// Tiles that do not fill the chip get parts, as many as take the least time by this estimate: all
// tiles if they run at once, else those beyond a multiple of the multiprocessors. Of b blocks on a
// multiprocessor each fills the waiting of the others. Parts cost 12 units for all, to begin, end
// and add, and 1 for every 100 of 64 x 128. Whole tiles come on top, in rounds.
Plan make_plan(const Config& c, const Problem& p, int multiprocessors) {
  Plan plan{
      ceil_div(p.M, c.BM()), ceil_div(p.N, c.BN()), 0, 1, max(1, ceil_div(p.K, BK)), 1, INFINITY};
  while (2 * plan.wide <= min(p.N, c.BN())) plan.wide *= 2;
  const int tiles = plan.rows * plan.cols, at_once = multiprocessors * c.MIN_BLOCKS;
  const int rest = tiles <= at_once ? tiles : tiles % multiprocessors;
  for (int parts = 1; parts == 1 || (parts <= p.K / DEPTH && rest * parts <= at_once && rest > 0);
       ++parts) {
    const double b = ceil_div(rest * parts, multiprocessors), depth = ceil_div(plan.depth, parts);
    const double time = depth * (b * c.products + c.waiting / max(b, 1.0)) +
                        (parts == 1 ? 0 : 12 + rest * parts * c.products / 100.0);
    if (time < plan.time) plan.parts = parts;
    plan.time = min(plan.time, time);
  }
  plan.whole = plan.parts == 1 ? tiles : tiles - rest;
  plan.time += (tiles - rest) / multiprocessors * plan.depth * c.products;
  return plan;
}

// Memory in the order of the stream: nothing waits. The pool keeps it for the next call.
Acc* allocate(int64_t count, int device) {
  cudaMemPool_t pool;
  uint64_t keep = UINT64_MAX;
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  Acc* sums = nullptr;
  CUDA_CHECK(cudaMallocAsync(&sums, sizeof(Acc) * count, 0));
  return sums;
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  int device, multiprocessors;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  Config c = CONFIGS[0];
  Plan plan = make_plan(c, p, multiprocessors);
  for (const Config& other : CONFIGS) {
    const Plan another = make_plan(other, p, multiprocessors);
    if (another.time < plan.time) {
      c = other;
      plan = another;
    }
  }
  const bool aligned =
      (uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0 && (p.ldb | p.ldc | p.N) % 4 == 0;
  const bool whole = p.M % c.BM() == 0 && p.N % c.BN() == 0 && p.K % BK == 0 && p.K >= STAGES * BK;
  const auto kernel = c.kernels[!aligned ? 2 : !whole ? 1 : 0];
  const int64_t parts = int64_t(plan.shared()) * plan.parts;
  Acc* sums = parts == 0 ? nullptr : allocate(parts * c.BM() * c.BN(), device);
  kernel<<<plan.whole + parts, NUM_THREADS>>>(p, plan, sums);
  CUDA_CHECK(cudaGetLastError());
  if (parts == 0) return;
  add_parts<<<dim3(plan.shared(), c.BM()), c.BN()>>>(p, plan, sums);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaFreeAsync(sums, 0));
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
