// 09_any_shape: the tile by the shape, parts along K, and less waiting between warps and kernels.
//
// Changed from 07_double_buffer: BlockSize, Plan, what is copied at the end of a matrix, wait(), where
// gemm_kernel() begins and stores, add_parts(), CONFIGS, make_plan(), launch(), gemm().
// Build: nvcc -O3 -std=c++17 -arch=native -I../.. gemm.cu ../../common/harness/*/*.cu -o gemm -lcublas
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BK = 16;  // depth of a shared tile
constexpr int PAD = 4;  // unused elements at the end of a shared row
constexpr int PATCH = 8;  // columns of A that a warp copies at a time
constexpr int STAGES = 4;  // pairs of tiles: two are on their way, one or two are multiplied
constexpr int AHEAD = STAGES - 2;  // a tile is copied so many tiles before it is multiplied
constexpr int LANES_M = 4;  // lanes of a warp, down
constexpr int LANES_N = 8;  // and across
constexpr int GROUP = 16;  // rows of tiles that neighbouring blocks work on
constexpr int DEPTH = 4 * BK;  // of a part along K, at least
constexpr int ADD_ROWS = 8;  // rows of a tile that a block of add_parts() adds
constexpr int ADD_COLS = 64;  // and columns
static_assert(DEPTH >= STAGES * BK, "a part fills all buffers");

// A warp is a grid of LANES_M x LANES_N lanes. Each of them owns blocks of 4 x 4 elements, one
// whole grid of 4 x 4 blocks apart, so that neighbouring lanes read neighbouring shared addresses.
constexpr int STEP_M = LANES_M * 4;
constexpr int STEP_N = LANES_N * 4;
static_assert(LANES_M * LANES_N == 32, "a warp has 32 lanes");

#if __CUDA_ARCH__ == 1200
constexpr int FULL = 256;  // resident threads: 100 KB of shared memory have room for no more
#else
constexpr int FULL = 512;  // resident threads: leaves 128 registers to each
#endif

// WARPS_M x WARPS_N warps, and SIDE x SIDE elements of C for each thread.
template <int SIDE_, int WARPS_M, int WARPS_N_>
struct BlockSize {
  static constexpr int SIDE = SIDE_, WARPS_N = WARPS_N_;
  static constexpr int WM = LANES_M * SIDE, WN = LANES_N * SIDE;  // rows and columns of C per warp
  static constexpr int BM = WARPS_M * WM, BN = WARPS_N * WN;  // and per block
  static constexpr int THREADS = WARPS_M * WARPS_N * 32;
  static constexpr int RESIDENT = (SIDE == 4 ? 768 : FULL) / THREADS;  // blocks per multiprocessor
  struct Tiles {
    alignas(16) Input A[BK][BM + PAD], B[BK][BN];
  };
};

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
template <typename Vector, bool WHOLE, int THREADS, typename Column, int COLS>
__device__ void load_tile(const Input* global, int64_t ld, int zeros, Column column,
                          Input (&shared)[BK][COLS]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input);
  constexpr int LANES = WHOLE ? THREADS / BK : COLS / COUNT;  // of a row
  const int r0 = threadIdx.x / LANES, c0 = threadIdx.x % LANES * COUNT;
  global += r0 * ld;
#pragma unroll
  for (int r = r0; r < r0 + BK; r += THREADS / LANES) {
#pragma unroll
    for (int c = c0; c < c0 + COLS; c += LANES * COUNT) {
      const int size = sizeof(Vector);
      __pipeline_memcpy_async(&shared[r][c], &global[column(c)], size, r < zeros ? size : 0);
    }
    global += THREADS / LANES * ld;
  }
}

// The same, transposed, element by element. Thanks to PAD, a warp's patch goes to 32 banks.
template <bool WHOLE, int THREADS, typename Row, int WIDTH>
__device__ void load_transposed(const Input* global, int64_t ld, int zeros, Row row,
                                Input (&shared)[BK][WIDTH]) {
  constexpr int COUNT = 1, LANES = PATCH / COUNT;
  const int r0 = threadIdx.x / LANES, c0 = threadIdx.x % LANES * COUNT;
  global += c0;
  if (WHOLE) global += r0 * ld;
#pragma unroll
  for (int i = 0; i < WIDTH - PAD; i += THREADS / LANES) {
    const int r = r0 + i;
    const Input* from = WHOLE ? global : &global[row(r) * ld];
#pragma unroll
    for (int c = c0; c < c0 + BK; c += PATCH) {
      const int size = sizeof(Input);
      __pipeline_memcpy_async(&shared[c][r], &from[c - c0], size, c < zeros ? size : 0);
    }
    if (WHOLE) global += THREADS / LANES * ld;
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

// PTX: mbarrier.test_wait. Returns when the phase of this parity has ended, that is, when all warps
// have arrived once more: 0 for the first, third ... phase, 1 for the second, fourth ...
__device__ void wait(__mbarrier_t& barrier, int parity) {
  for (int ended = 0; ended == 0;) {
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(unsigned(__cvta_generic_to_shared(&barrier))), "r"(parity)
        : "memory");
  }
}

// Returns when the kernel in front of this one in the stream has ended: see launch().
__device__ void wait_for_kernel() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

template <typename Vector, bool WHOLE, typename Size>
__global__ void __launch_bounds__(Size::THREADS, Size::RESIDENT)
    gemm_kernel(Problem p, Plan plan, Acc* sums) {
  constexpr int SIDE = Size::SIDE, BM = Size::BM, BN = Size::BN, THREADS = Size::THREADS;
  extern __shared__ float4 memory[];
  auto* const tiles = reinterpret_cast<typename Size::Tiles*>(memory);
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, THREADS / 32);
  const int tile = plan.tile(blockIdx.x), first = plan.k0(blockIdx.x);
  const int row0 = plan.row(tile) * BM, col0 = plan.col(tile) * BN;  // this block's corner of C
  // This thread's corner of the block tile: its warp's corner, and its lane's place in the warp.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int m0 = warp / Size::WARPS_N * Size::WM + lane / LANES_N * 4;
  const int n0 = warp % Size::WARPS_N * Size::WN + lane % LANES_N * 4;
  // For a row or a column beyond the matrix another one is read: what it adds to is not stored. Any
  // row will do. Columns should differ from lane to lane: one element for all lanes is a slow copy.
  const auto row = [&](int r) { return WHOLE ? r : min(r, p.M - row0 - 1); };
  const auto column = [&](int c) {
    return WHOLE || c < p.N - col0 ? c : (c & (plan.wide - 1)) - col0;
  };
  const auto load_tiles = [&](int k0, auto& to, int zeros) {
    if (k0 < p.K || zeros > 0) {
      load_transposed<WHOLE, THREADS>(p.A, p.lda, zeros, row, to.A);
      load_tile<Vector, WHOLE, THREADS>(p.B, p.ldb, zeros, column, to.B);
    }
    __pipeline_commit();
    p.A += BK;  // move on with k0: an index costs more instructions
    p.B += BK * p.ldb;
  };
  // This block's part is a smaller problem of the same kind: A and B start further in, K is less.
  // What K lacks to whole tiles are zeros in front, so that no tile in the loop has to be checked.
  const int lacking = WHOLE ? 0 : plan.depth * BK - p.K;
  p.A += row0 * p.lda + first - lacking;
  p.B += (first - lacking) * p.ldb + col0;
  // A part ends where the next one of the same tile begins; the last one takes the rest.
  p.K = (plan.tile(blockIdx.x + 1) == tile ? plan.k0(blockIdx.x + 1) : plan.depth * BK) - first;
  wait_for_kernel();
  Acc acc[SIDE][SIDE] = {};
  alignas(16) Acc a[2][SIDE], b[2][SIDE];  // fragments of this step and of the next
  const auto zeros = [&](int s) {
    return WHOLE ? 0 : p.K <= s * BK ? BK : first + s == 0 ? lacking : 0;
  };
  // The first tile of the first part has the zeros in front of K. With less than STAGES tiles, the
  // buffers that are left become zeros, too: the loop reads ahead.
  const int ahead = !WHOLE && p.K < STAGES * BK ? STAGES : AHEAD;
#pragma unroll 1
  for (int s = 0; s < ahead; ++s) load_tiles(s * BK, tiles[s], zeros(s));
  __pipeline_wait_prior(AHEAD - 1);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have all others
  const Input *from_a = &tiles[0].A[0][m0], *from_b = &tiles[0].B[0][n0];
  read_fragment(from_a, STEP_M, a[0]);
  read_fragment(from_b, STEP_N, b[0]);
  unsigned cur = 0;  // the pair of tiles that is multiplied
  int parity = 0;  // of its barrier's phase
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    load_tiles(k0 + ahead * BK, tiles[(cur + AHEAD) % STAGES], 0);
    __pipeline_wait_prior(AHEAD - 1);  // this thread's copies of the next tiles have arrived
    __syncwarp();  // and those of its warp, which has read all of the tiles before:
    if (lane == 0) __mbarrier_arrive(&barrier);  // says so, and goes on
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      if (k == BK - 1) {
        wait(barrier, parity);  // until all warps have said so: most have, long ago
        parity ^= 1;
        cur = (cur + 1) % STAGES;
        from_a = &tiles[cur].A[0][m0];
        from_b = &tiles[cur].B[0][n0];
      }
      read_fragment(&from_b[(k + 1) % BK * BN], STEP_N, b[(k + 1) % 2]);
      read_fragment(&from_a[(k + 1) % BK * (BM + PAD)], STEP_M, a[(k + 1) % 2]);
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

// C from the sums of the parts, always in the same order. A warp adds a piece of a row.
__global__ void add_parts(Problem p, Plan plan, const Acc* sums, int BM, int BN) {
  const int tile = plan.whole + blockIdx.x, m = blockIdx.y * ADD_ROWS + threadIdx.y;
  const int row = plan.row(tile) * BM + m, col0 = plan.col(tile) * BN;
  wait_for_kernel();
  if (row >= p.M) return;
  sums += (int64_t(blockIdx.x) * plan.parts * BM + m) * BN;
#pragma unroll
  for (int i = 0; i < ADD_COLS; i += 32) {
    const int n = blockIdx.z * ADD_COLS + threadIdx.x + i;
    if (col0 + n >= p.N) return;
    Acc sum = 0;
    for (int part = 0; part < plan.parts; ++part) sum += sums[part * BM * BN + n];
    Acc& c = p.C[row * p.ldc + col0 + n];
    c = p.alpha * sum + (p.beta == 0 ? 0 : p.beta * c);
  }
}

// A block to choose. The larger its tile and its threads' tiles, the fewer reads for each product,
// and the fewer blocks. The unit of time is that of a K tile of 64 x 128 on a multiprocessor that is
// full of blocks.
struct Config {
  int BM, BN, threads, resident, bytes;
  double products;  // time for a K tile
  double waiting;  // time in which a block waits in a K tile, where no other block fills it
  void (*kernels[3])(Problem, Plan, Acc*);  // for whole tiles; by float4; by single elements
};

template <typename Size>
constexpr Config config(double products, double waiting) {
  constexpr auto whole = gemm_kernel<float4, true, Size>;
  constexpr auto vectors = gemm_kernel<float4, false, Size>;
  constexpr auto elements = gemm_kernel<Input, false, Size>;
  constexpr int BYTES = STAGES * sizeof(typename Size::Tiles);
  static_assert(BYTES <= 99 * 1024, "consumer GPUs have no more");
  return {Size::BM, Size::BN, Size::THREADS, Size::RESIDENT,
          BYTES,    products, waiting,       {whole, vectors, elements}};
}

// The times are fitted to those of an H200.
const Config CONFIGS[] = {
    config<BlockSize<8, 2, 4>>(2, 0.05), config<BlockSize<8, 4, 2>>(2.04, 0.1),
    config<BlockSize<8, 2, 2>>(1.02, 0.18), config<BlockSize<4, 2, 2>>(0.41, 0.04)};

// Tiles that do not fill the chip get parts, as many as take the least time by this estimate: all
// tiles if they run at once, else those beyond a multiple of the multiprocessors. Of b blocks on a
// multiprocessor each fills the waiting of the others. Parts cost 12 units for all, to begin, end
// and add, and 1 for every 100 of 64 x 128. Whole tiles come on top, in rounds.
Plan make_plan(const Config& c, const Problem& p, int multiprocessors) {
  Plan plan{ceil_div(p.M, c.BM), ceil_div(p.N, c.BN), 0, 1, ceil_div(p.K, BK), 1, INFINITY};
  while (2 * plan.wide <= min(p.N, c.BN)) plan.wide *= 2;
  const int tiles = plan.rows * plan.cols, at_once = multiprocessors * c.resident;
  const int rest = tiles <= at_once ? tiles : tiles % multiprocessors;
  for (int parts = 1;
       parts == 1 || (parts <= p.K / DEPTH && rest * parts <= 2 * at_once && rest > 0); ++parts) {
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

// Launches a kernel that may be on its way before the one in front of it in the stream has ended.
template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, int bytes,
            Arguments... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  int device, major;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  cudaLaunchConfig_t config{grid, block, size_t(bytes), 0, &early, major >= 9 ? 1u : 0u};
  CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
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
  const bool whole = p.M % c.BM == 0 && p.N % c.BN == 0 && p.K % BK == 0 && p.K >= STAGES * BK;
  const auto kernel = c.kernels[!aligned ? 2 : !whole ? 1 : 0];
  const int64_t parts = int64_t(plan.shared()) * plan.parts;
  Acc* sums = parts == 0 ? nullptr : allocate(parts * c.BM * c.BN, device);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, c.bytes));
  launch(kernel, plan.whole + parts, c.threads, c.bytes, p, plan, sums);
  if (parts == 0) return;
  const dim3 grid(plan.shared(), c.BM / ADD_ROWS, c.BN / ADD_COLS);
  launch(add_parts, grid, dim3(32, ADD_ROWS), 0, p, plan, sums, c.BM, c.BN);
  CUDA_CHECK(cudaFreeAsync(sums, 0));
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
