// 13_split_barrier: warps and kernels wait as late as they can: split barrier, early launch.
//
// Changed from 09_any_shape: STAGES, AHEAD, UNROLLED, larger blocks, cut(), float4, wait(), gemm_kernel(), launch().
// Build: nvcc -O3 -std=c++17 -arch=native -I../.. gemm.cu ../../common/harness/*/*.cu -o gemm -lcublas
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include "common/lesson.h"
#include "common/stream_memory.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BK = 16;  // depth of a shared tile
constexpr int PAD = 4;  // unused elements at the end of each row in shared memory
constexpr int PATCH = 8;  // columns of A that a warp copies per iteration
constexpr int STAGES = 4;  // pairs of tiles: the block multiplies one or two while it copies two
constexpr int AHEAD = STAGES - 2;  // a tile is copied so many tiles before it is multiplied
constexpr int UNROLLED = 1024;  // multiply-adds in a loop: 18 KB of instructions, more are slower
constexpr int LANES_M = 4;  // lanes of a warp, down
constexpr int LANES_N = 8;  // and across
constexpr int GROUP = 16;  // rows of tiles that neighbouring blocks work on
constexpr int DEPTH = 4 * BK;  // of a part along K, at least: it fills all buffers
// A warp has LANES_M x LANES_N lanes. Steps between the 4 x 4 pieces that a lane computes:
constexpr int STEP_M = LANES_M * 4;
constexpr int STEP_N = LANES_N * 4;
static_assert(LANES_M * LANES_N == 32, "a warp has 32 lanes");

// Who computes what. The first `uncut` blocks have a tile of C each. The other tiles are cut
// along K, and each later block has a part of one.
struct Plan {
  int rows, cols;  // tiles of C, down and across
  int uncut;  // tiles that have one block
  int parts;  // blocks of each of the others
  double time;  // estimated

  __device__ int tile(int block) const {
    return block < uncut ? block : uncut + (block - uncut) / parts;
  }
  // Leaves a part along K, which begins where the one before ends: a smaller problem of the same kind.
  __device__ void cut(Problem& p, int part) const {
    const int64_t steps = ceil_div(p.K, BK), begin = part * steps / parts * BK;
    p.K = min(int64_t(p.K), (part + 1) * steps / parts * BK) - begin;
    p.A += begin;
    p.B += begin * p.ldb;
  }
  // Tiles are numbered down GROUP rows, then on to the next column: blocks that run at the same
  // time work on a compact part of C, and find each other's rows of A and columns of B in L2.
  __device__ int height(int tile) const { return min(GROUP, rows - tile / (GROUP * cols) * GROUP); }
  __device__ int row(int tile) const {
    return tile / (GROUP * cols) * GROUP + tile % (GROUP * cols) % height(tile);
  }
  __device__ int col(int tile) const { return tile % (GROUP * cols) / height(tile); }
};

// Copies a tile to shared memory. Only its first rows x cols elements exist; the others become
// zeros, which add nothing. WHOLE: all of them exist, so the loop checks none.
template <int NUM_THREADS, typename Vector, bool WHOLE, int ROWS, int COLS>
__device__ void load_tile(const Input* global, int64_t ld, int rows, int cols,
                          Input (&shared)[ROWS][COLS]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input), LANES = COLS / COUNT;
  static_assert(ROWS % (NUM_THREADS / LANES) == 0, "all threads copy equally much");
  const int r0 = threadIdx.x / LANES, c = threadIdx.x % LANES * COUNT;
  global += r0 * ld + c;
#pragma unroll 16
  for (int i = 0; i < ROWS; i += NUM_THREADS / LANES) {
    const int r = r0 + i;
    const int zeros = WHOLE || (r < rows && c < cols) ? 0 : sizeof(Vector);
    __pipeline_memcpy_async(&shared[r][c], global, sizeof(Vector), zeros);
    global += NUM_THREADS / LANES * ld;
  }
}

// The same, but transposed. PAD spreads the 32 elements that a warp stores over 32 banks.
template <int NUM_THREADS, bool WHOLE, int WIDTH>
__device__ void load_transposed(const Input* global, int64_t ld, int rows, int cols,
                                Input (&shared)[BK][WIDTH]) {
  const int r0 = threadIdx.x / PATCH, c0 = threadIdx.x % PATCH;
  global += r0 * ld + c0;
#pragma unroll 16
  for (int i = 0; i < WIDTH - PAD; i += NUM_THREADS / PATCH) {
    for (int c = c0; c < c0 + BK; c += PATCH) {
      const int zeros = WHOLE || (r0 + i < rows && c < cols) ? 0 : sizeof(Input);
      __pipeline_memcpy_async(&shared[c][r0 + i], &global[c - c0], sizeof(Input), zeros);
    }
    global += NUM_THREADS / PATCH * ld;
  }
}

// Reads groups of four elements, step apart, from shared memory to registers.
template <int COUNT>
__device__ void read_fragment(const Input* shared, int step, Acc (&fragment)[COUNT]) {
  float4* to = reinterpret_cast<float4*>(fragment);
  for (int i = 0; i < COUNT / 4; ++i) to[i] = *reinterpret_cast<const float4*>(&shared[i * step]);
}

// Adds the outer product of a and b to acc. Unrolled loops keep all three in registers.
template <int TM, int TN>
__device__ void outer_product(const Acc (&a)[TM], const Acc (&b)[TN], Acc (&acc)[TM][TN]) {
#pragma unroll
  for (int m = 0; m < TM; ++m) {
#pragma unroll
    for (int i = 0; i < TN; ++i) {
      const int n = m % 2 == 0 ? i : TN - 1 - i;  // snake order: reuses b[n] at each turn
      acc[m][n] += a[m] * b[n];
    }
  }
}

// Writes the accumulators to C. With beta == 0, C is not read, because a NaN in it would spread.
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

// Returns when the kernel ahead of this one in the stream has ended. See launch().
__device__ void wait_for_kernel() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

template <int BM, int BN>
struct Tiles {
  alignas(16) Input A[BK][BM + PAD], B[BK][BN];
};

template <typename Vector, bool WHOLE, int TM, int TN, int WARPS_M, int WARPS_N, int MIN_BLOCKS>
__global__ void __launch_bounds__(WARPS_M* WARPS_N * 32, MIN_BLOCKS)
    gemm_kernel(Problem p, Plan plan, Acc* sums) {
  constexpr int WM = LANES_M * TM, WN = LANES_N * TN, BM = WARPS_M * WM, BN = WARPS_N * WN;
  constexpr int NUM_THREADS = WARPS_M * WARPS_N * 32;
  // Aligned: behind the barrier, rows of B would begin within a sector, and L2 would send it twice.
  alignas(128) extern __shared__ char memory[];
  auto* const tiles = reinterpret_cast<Tiles<BM, BN>*>(memory);
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, NUM_THREADS / 32);
  const int tile = plan.tile(blockIdx.x), block = blockIdx.x - plan.uncut;
  const int row0 = plan.row(tile) * BM, col0 = plan.col(tile) * BN;  // the block's origin in C
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int m0 = warp / (BN / WN) * WM + lane / (WN / TN) * 4;
  const int n0 = warp % (BN / WN) * WN + lane % (WN / TN) * 4;
  if (block >= 0) plan.cut(p, block % plan.parts);
  const auto load_tiles = [&](int k0, auto& to) {
    if (k0 < p.K || !WHOLE) {
      load_tile<NUM_THREADS, Vector, WHOLE>(p.B, p.ldb, p.K - k0, p.N - col0, to.B);
      load_transposed<NUM_THREADS, WHOLE>(p.A, p.lda, p.M - row0, p.K - k0, to.A);
    }
    __pipeline_commit();
    p.A += BK;  // follow k0; computing them anew would cost 64-bit multiplications per tile
    p.B += BK * p.ldb;
  };
  p.A += row0 * p.lda;
  p.B += col0;
  wait_for_kernel();
  Acc acc[TM][TN] = {};
  alignas(16) Acc a[2][TM], b[2][TN];  // fragments of this step and of the next
#pragma unroll 1
  for (int s = 0; s < AHEAD; ++s) load_tiles(s * BK, tiles[s]);
  __pipeline_wait_prior(AHEAD - 1);  // this thread's copies of the first tiles have arrived
  __syncthreads();  // and so have the copies of all other threads
  const Input *from_a = &tiles[0].A[0][m0], *from_b = &tiles[0].B[0][n0];
  read_fragment(from_a, STEP_M, a[0]);
  read_fragment(from_b, STEP_N, b[0]);
  unsigned cur = 0, parity = 0;  // the buffers to multiply; the phase's parity
  for (int k0 = 0; k0 < p.K; k0 += BK) {
    load_tiles(k0 + AHEAD * BK, tiles[(cur + AHEAD) % STAGES]);
    __pipeline_wait_prior(AHEAD - 1);  // this thread's copies of the next tiles have arrived
    __syncwarp();  // the same holds for its warp, which has also read the previous tiles
    if (lane == 0) __mbarrier_arrive(&barrier);  // reports both and does not wait
#pragma unroll(UNROLLED / (TM * TN))
    for (int k = 1; k <= BK; ++k) {
      from_a += BM + PAD;
      from_b += BN;
      if (k == BK) {
        wait(barrier, parity);  // until all warps have arrived: most did long ago
        parity ^= 1;
        cur = (cur + 1) % STAGES;
        from_a = &tiles[cur].A[0][m0];
        from_b = &tiles[cur].B[0][n0];
      }
      read_fragment(from_b, STEP_N, b[k % 2]);
      read_fragment(from_a, STEP_M, a[k % 2]);
      outer_product(a[(k + 1) % 2], b[(k + 1) % 2], acc);
    }
  }
  if (blockIdx.x < plan.uncut) {  // recomputed: keeping `block` costs a register
    return store_tile<Vector, WHOLE>(p, row0 + m0, col0 + n0, acc);
  }
  Acc* to = &sums[int64_t(blockIdx.x - plan.uncut) * BM * BN];  // of a part, as they are
  store_tile<Vector, WHOLE>({BM, BN, p.K, 1, p.A, p.lda, p.B, p.ldb, 0, to, BN}, m0, n0, acc);
}

// C from the sums of the parts, always in the same order. A block adds 16 x 64, a thread four.
template <typename Vector>
__global__ void add_parts(Problem p, Plan plan, const Acc* sums, int BM, int BN) {
  const int m = blockIdx.y * 16 + threadIdx.y, n = blockIdx.z * 64 + threadIdx.x * 4;
  const int tile = plan.uncut + blockIdx.x;
  wait_for_kernel();
  sums += (int64_t(blockIdx.x) * plan.parts * BM + m) * BN + n;
  Acc sum[1][4] = {};
  for (int part = 0; part < plan.parts; ++part) {
    const float4 add = *reinterpret_cast<const float4*>(&sums[part * BM * BN]);
    sum[0][0] += add.x, sum[0][1] += add.y, sum[0][2] += add.z, sum[0][3] += add.w;
  }
  store_tile<Vector, false>(p, plan.row(tile) * BM + m, plan.col(tile) * BN + n, sum);
}

// A tile to choose. Unit of time: a K tile of 64 x 128 on a multiprocessor (H200) full of blocks.
struct Config {
  int BM, BN, resident;  // rows and columns, and blocks of a multiprocessor
  int threads, bytes;  // of a block
  double products;  // time for a K tile
  double waiting;  // stall time of a block in a K tile that no other block hides
  void (*kernels[3])(Problem, Plan, Acc*);  // for whole tiles; by float4; by single elements
};

template <int TM, int TN, int WARPS_M, int WARPS_N, int MIN_BLOCKS>
constexpr Config config(double products, double waiting) {
  constexpr int BM = WARPS_M * LANES_M * TM, BN = WARPS_N * LANES_N * TN;
  constexpr int THREADS = WARPS_M * WARPS_N * 32, BYTES = STAGES * sizeof(Tiles<BM, BN>);
  static_assert(BYTES + 128 <= 99 * 1024, "consumer GPUs have no more");
  constexpr auto whole = gemm_kernel<float4, true, TM, TN, WARPS_M, WARPS_N, MIN_BLOCKS>;
  constexpr auto vectors = gemm_kernel<float4, false, TM, TN, WARPS_M, WARPS_N, MIN_BLOCKS>;
  constexpr auto elements = gemm_kernel<Input, false, TM, TN, WARPS_M, WARPS_N, MIN_BLOCKS>;
  return {BM, BN, MIN_BLOCKS, THREADS, BYTES, products, waiting, {whole, vectors, elements}};
}

const Config CONFIGS[] = {config<8, 8, 2, 4, 2>(2, 0.05), config<8, 8, 4, 2, 2>(2.02, 0.1),
                          config<8, 16, 4, 2, 1>(3.94, 0.5), config<8, 8, 2, 2, 4>(1.03, 0.18),
                          config<4, 4, 2, 2, 6>(0.41, 0.04)};

// Tiles that do not fill the chip get parts, as many as take the least time by this estimate: all
// tiles if they run at once, else those beyond a multiple of the multiprocessors. The b blocks of a
// multiprocessor hide each other's stalls. Splitting costs 12 units to begin, end and add, and 1
// for every 100 parts of 64 x 128. Tiles that are not cut add rounds.
Plan make_plan(const Config& c, const Problem& p, int multiprocessors) {
  Plan plan{ceil_div(p.M, c.BM), ceil_div(p.N, c.BN), 0, 1, INFINITY};
  const int tiles = plan.rows * plan.cols, at_once = multiprocessors * c.resident;
  const int rest = tiles <= at_once ? tiles : tiles % multiprocessors, steps = ceil_div(p.K, BK);
  const int most = rest == 0 ? 1 : max(1, min(p.K / DEPTH, 2 * at_once / rest));
  for (int parts = 1; parts <= most; ++parts) {
    const double b = ceil_div(rest * parts, multiprocessors);
    const double time = ceil_div(steps, parts) * (b * c.products + c.waiting / max(b, 1.0)) +
                        (parts == 1 ? 0 : 12 + rest * parts * c.products / 100);
    if (time < plan.time) plan.parts = parts;
    plan.time = min(plan.time, time);
  }
  plan.uncut = plan.parts == 1 ? tiles : tiles - rest;
  plan.time += (tiles - rest) / multiprocessors * steps * c.products;
  return plan;
}

// Launches a kernel, with PDL if it was compiled with the wait (sm_90).
template <typename Kernel, typename... Arguments>
void launch(Kernel* kernel, dim3 grid, dim3 block, int bytes, Arguments... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaFuncAttributes compiled;
  CUDA_CHECK(cudaFuncGetAttributes(&compiled, kernel));
  cudaLaunchConfig_t config{grid, block, size_t(bytes), 0, &early, compiled.ptxVersion >= 90};
  CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  int device, multiprocessors;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const auto time = [&](const Config& c) { return make_plan(c, p, multiprocessors).time; };
  const Config* c = CONFIGS;
  for (const Config& other : CONFIGS) c = time(other) < time(*c) ? &other : c;
  const Plan plan = make_plan(*c, p, multiprocessors);
  const bool aligned =
      (uintptr_t(p.B) | uintptr_t(p.C)) % 16 == 0 && (p.ldb | p.ldc | p.N) % 4 == 0;
  const bool whole = p.M % c->BM == 0 && p.N % c->BN == 0 && p.K % BK == 0 && p.K >= STAGES * BK;
  const auto kernel = c->kernels[!aligned ? 2 : !whole ? 1 : 0];
  const int cut = plan.rows * plan.cols - plan.uncut, parts = cut * plan.parts;
  StreamMemory<Acc> sums;  // freed when gemm() returns, in stream order
  if (parts > 0) sums = allocate_async<Acc>(int64_t(parts) * c->BM * c->BN);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, c->bytes));
  launch(kernel, plan.uncut + parts, c->threads, c->bytes, p, plan, sums.get());
  if (parts == 0) return;
  const auto add = aligned ? add_parts<float4> : add_parts<Acc>;
  const dim3 grid(cut, c->BM / 16, c->BN / 64);
  launch(add, grid, dim3(16, 16), 0, p, plan, sums.get(), c->BM, c->BN);
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
