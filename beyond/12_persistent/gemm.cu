// 12_persistent: each block computes many tiles, pairs of blocks share loads, the shape decides the tile size.
//
// Changed from 11_wgmma: tiles as template arguments, Shared, add_shares(), Work, load_tiles(),
// multiply_tiles(), gemm_kernel(), CONFIGS, cycles(), gemm().
// Needs: sm_90a
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I../.. gemm.cu
//   ../../common/harness/*/*.cu -o gemm -lcublas
#include "common/hopper.h"
#include "common/lesson.h"

using Input = half;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BK = 64;  // depth of a shared tile
constexpr int MMA = 16;  // depth of one wgmma
constexpr int WM = 64;  // rows of one wgmma
constexpr int ATOM = 64;  // elements of 16 bits in a swizzled row of 128 bytes
constexpr int PATTERN = 8 * ATOM * sizeof(Input);  // bytes of 8 swizzled rows
constexpr int GROUP = 2048;  // rows of C that neighbouring clusters work on
constexpr int BOTH = 0b11;  // the blocks of a pair, a bit each
constexpr int CONSUMER_BARRIER = 3;  // named barrier of add_shares(); 1 and 2 are for turns
static_assert(CONSUMER_BARRIER > TURN_BARRIERS + 1, "a barrier has one purpose");
constexpr int PRODUCER_REGISTERS = 24;  // of a thread that copies
constexpr int CONSUMER_REGISTERS = 240;  // of a thread that multiplies
static_assert((PRODUCER_REGISTERS + 2 * CONSUMER_REGISTERS) * WARPGROUP <= 65536,
              "a multiprocessor has no more");
static_assert(BK == ATOM, "a row of As is one swizzled row");

template <int BM, int BN>
struct alignas(PATTERN) Shared {  // the swizzle needs this alignment
  static constexpr int STAGES = 200 * 1024 / ((BM + BN) * BK * int(sizeof(Input)));
  Input As[STAGES][BM][ATOM], Bs[STAGES][BN / ATOM][BK][ATOM];
  __mbarrier_t full[STAGES], empty[STAGES];
};
template <int BM, int BN>
using Ring = RingPosition<Shared<BM, BN>::STAGES>;

// Starts the products of one pair of tiles. Their descriptors count in units of 16 bytes: the next 16 of K lie
// 2 units further in a row of As, 16 rows further in Bs.
template <int N>
__device__ void outer_product(uint64_t a, uint64_t b, Acc (&acc)[N]) {
  constexpr int ROW = ATOM * sizeof(Input) / 16;
  wgmma_hold(acc);
  wgmma_fence();
#pragma unroll
  for (int k = 0; k < BK; k += MMA) {
    wgmma_mma_async_f16(a + k * sizeof(Input) / 16, b + k * ROW, acc);
  }
  wgmma_commit_group();
}

// Writes the accumulators to C. With beta == 0, C is not read, because a NaN in it would spread.
template <typename Vector, int N>
__device__ void store_tile(const Problem& p, int row0, int col0, Acc (&sums)[N]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
  const auto for_each_vector = [&](auto use) {
#pragma unroll
    for (int i = 0; i < N; i += COUNT) {
      const int row = row0 + i / 4 % 2 * 8, col = col0 + i / 8 * 16 + i % 4;
      if (row < p.M && col < p.N) use(&sums[i], &p.C[row * p.ldc + col]);
    }
  };
  for_each_vector([&](Acc* sum, const Acc* c) {
    const Vector old = p.beta == 0 ? Vector{} : *reinterpret_cast<const Vector*>(c);
    const Acc* o = reinterpret_cast<const Acc*>(&old);
    for (int j = 0; j < COUNT; ++j) sum[j] = p.alpha * sum[j] + p.beta * o[j];
  });
  for_each_vector([&](const Acc* sum, Acc* c) {  // all is read by now: no read waits for a write
    *reinterpret_cast<Vector*>(c) = *reinterpret_cast<const Vector*>(sum);
  });
}

template <int N>
__device__ void store_tile(const Problem& p, bool aligned, int row, int col, const Acc (&acc)[N]) {
  alignas(16) Acc sums[N];
  exchange(acc, sums);
  aligned ? store_tile<float4>(p, row, col, sums) : store_tile<Acc>(p, row, col, sums);
}

// Two blocks have multiplied a share of K each. Each sends half of its sums to the other through shared memory.
// Block 0 adds up the first columns of the tile, block 1 the last.
template <int THREADS, int N>
__device__ void add_shares(void* memory, int share, const Acc (&acc)[N], Acc (&sums)[N / 2]) {
  const auto given = static_cast<float4(*)[THREADS]>(memory);
  const auto cluster = cooperative_groups::this_cluster();
  bar_sync<THREADS>(CONSUMER_BARRIER);  // all have read the tiles
#pragma unroll
  for (int i = 0; i < N / 2; i += 4) {
    const Acc* give = &acc[share == 0 ? N / 2 + i : i];
    given[i / 4][threadIdx.x] = {give[0], give[1], give[2], give[3]};
  }
  cluster.sync();  // all sums are there
#pragma unroll
  for (int i = 0; i < N / 2; i += 4) {
    const Acc* keep = &acc[share == 0 ? i : N / 2 + i];
    const float4 got = *cluster.map_shared_rank(&given[i / 4][threadIdx.x], 1 - share);
    sums[i] = keep[0] + got.x;
    sums[i + 1] = keep[1] + got.y;
    sums[i + 2] = keep[2] + got.z;
    sums[i + 3] = keep[3] + got.w;
  }
  cluster.sync();  // all have read: this block may exit
}

// A block's work. A cluster is PAIR blocks with vertically adjacent tiles of C, which share tiles of B, or
// SPLIT blocks that split K of one tile of C and take no second tile.
template <int BM, int BN, int PAIR, int SPLIT>
struct Work {
  static_assert(PAIR * SPLIT <= 2, "a cluster has one or two blocks");
  int M, N, rank, begin, steps;  // rank in the cluster; first step along K, and number of steps

  __device__ explicit Work(const Problem& p) : M(p.M), N(p.N), rank(blockIdx.x % (PAIR * SPLIT)) {
    const int64_t all = ceil_div(p.K, BK), share = rank % SPLIT;
    begin = all * share / SPLIT;
    steps = all * (share + 1) / SPLIT - begin;
  }

  // Tiles of a cluster are numbered down HEIGHT rows of tiles, then on to the next column: clusters that run
  // at the same time find each other's rows of A and columns of B in L2.
  template <typename Use>
  __device__ void for_each_tile(Use use) const {
    constexpr int HEIGHT = GROUP / (PAIR * BM);
    const int rows = ceil_div(M, PAIR * BM), cols = ceil_div(N, BN);
    const int cluster = blockIdx.x / (PAIR * SPLIT), clusters = gridDim.x / (PAIR * SPLIT);
    for (int tile = cluster; tile < rows * cols; tile += clusters) {
      const int first = tile / (HEIGHT * cols) * HEIGHT, height = min(HEIGHT, rows - first);
      const int j = tile % (HEIGHT * cols);
      const int col = j / height;
      use(((first + j % height) * PAIR + rank % PAIR) * BM, col * BN);
    }
  }
};

struct Maps {
  CUtensorMap A, B;
};

// The producer: one thread, which runs ahead of the consumers, into the next tiles of C, too.
template <int BM, int BN, int PAIR, int SPLIT>
__device__ void load_tiles(const Work<BM, BN, PAIR, SPLIT>& work, const Maps& maps, int row0,
                           int col0, Shared<BM, BN>& shared, Ring<BM, BN>& at) {
  for (int step = 0; step < work.steps; ++step, at.advance()) {
    const int k0 = (work.begin + step) * BK;
    auto& full = shared.full[at.stage];
    mbarrier_wait_parity_cluster(shared.empty[at.stage], at.parity ^ 1);  // both have read it
    mbarrier_arrive_expect_tx(full, (BM + BN) * BK * int(sizeof(Input)));
    cp_async_bulk_tensor_load(maps.A, row0, k0, shared.As[at.stage][0], full);
    const int k = work.rank % PAIR * (BK / PAIR);  // each of a pair brings its rows of B's tile
    for (int n = 0; n < BN / ATOM; ++n) {
      const auto load =
          PAIR == 1 ? cp_async_bulk_tensor_load : cp_async_bulk_tensor_load_multicast<BOTH>;
      load(maps.B, k0 + k, col0 + n * ATOM, shared.Bs[at.stage][n][k], full);
    }
  }
}

// A consumer: it multiplies 64 rows of each tile of A.
template <int BM, int BN, int PAIR, int SPLIT>
__device__ void multiply_tiles(const Work<BM, BN, PAIR, SPLIT>& work, const Problem& p,
                               bool aligned, int row0, int col0, int warpgroup,
                               Shared<BM, BN>& shared, Ring<BM, BN>& at) {
  const int warp = __shfl_sync(~0u, threadIdx.x / 32, 0);  // uniform
  const int lane = threadIdx.x % 32, share = work.rank % SPLIT;
  // Arrives at `empty` of each producer that fills this stage: its own block's, or both of the pair.
  const auto release = [&](int stage) {
    if (lane < PAIR) mbarrier_arrive_cluster(shared.empty[stage], PAIR == 1 ? work.rank : lane);
  };
  Acc acc[BN / 2] = {};
  int before = 0;  // the stage of the step before
  for (int step = 0; step < work.steps; ++step, at.advance()) {
    mbarrier_wait_parity(shared.full[at.stage], at.parity);
    // The swizzle repeats every 8 rows, so stride is PATTERN. Bs has boxes of 64 columns: its leading is a box.
    outer_product(matrix_descriptor(shared.As[at.stage][warpgroup * WM], 16, PATTERN),
                  matrix_descriptor(shared.Bs[at.stage], sizeof(shared.Bs[0][0]), PATTERN), acc);
    wgmma_wait_group<1>(acc);  // the step before has been multiplied: its stage is empty
    if (step > 0) release(before);
    before = at.stage;
  }
  wgmma_wait_group<0>(acc);
  if (work.steps > 0) release(before);
  const int row = row0 + warp * 16 + lane / 4, col = col0 + lane % 2 * 8 + lane % 4 / 2 * 4;
  if constexpr (SPLIT == 1) {
    store_tile(p, aligned, row, col, acc);
  } else {
    Acc sums[BN / 4];
    add_shares<BM / WM * WARPGROUP>(&shared, share, acc, sums);
    store_tile(p, aligned, row, col + share * (BN / 2), sums);
  }
}

template <int BM, int BN, int PAIR, int SPLIT>
__global__ void __cluster_dims__(PAIR* SPLIT) __launch_bounds__((BM / WM + 1) * WARPGROUP, 1)
    gemm_kernel(Problem p, bool aligned, const __grid_constant__ Maps maps) {
  constexpr int CONSUMERS = BM / WM;  // warpgroups that multiply; one more copies
  alignas(PATTERN) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared<BM, BN>*>(memory);
  const int warpgroup = __shfl_sync(~0u, threadIdx.x / WARPGROUP, 0);  // uniform
  if (threadIdx.x == 0) {
    for (int s = 0; s < Shared<BM, BN>::STAGES; ++s) {
      __mbarrier_init(&shared.full[s], 1);  // the producer
      __mbarrier_init(&shared.empty[s], PAIR * CONSUMERS * WARPGROUP / 32);  // warps that multiply
    }
    fence_proxy_async();  // TMA must see them
  }
  sync_cluster<PAIR * SPLIT>();  // all barriers exist before anyone arrives
  const Work<BM, BN, PAIR, SPLIT> work(p);
  Ring<BM, BN> at;
  if (warpgroup == CONSUMERS) {
    if (CONSUMERS > 1) setmaxnreg_dec<PRODUCER_REGISTERS>();  // 256 threads have enough
    if (threadIdx.x != CONSUMERS * WARPGROUP) return;
    work.for_each_tile([&](int row0, int col0) { load_tiles(work, maps, row0, col0, shared, at); });
  } else {
    if (CONSUMERS > 1) setmaxnreg_inc<CONSUMER_REGISTERS>();  // from the producer
    work.for_each_tile([&](int row0, int col0) {
      multiply_tiles(work, p, aligned, row0, col0, warpgroup, shared, at);
    });
    if (PAIR > 1) sync_cluster<PAIR>();  // the other may still arrive here
  }
}

struct Config {
  int BM, BN, PAIR, SPLIT, bytes;
  void (*kernel)(Problem, bool, Maps);
};
template <int BM, int BN, int PAIR, int SPLIT>
constexpr Config CONFIG{
    BM, BN, PAIR, SPLIT, sizeof(Shared<BM, BN>), gemm_kernel<BM, BN, PAIR, SPLIT>};
const Config CONFIGS[] = {CONFIG<128, 256, 2, 1>, CONFIG<128, 192, 2, 1>, CONFIG<128, 256, 1, 1>,
                          CONFIG<128, 128, 1, 1>, CONFIG<64, 128, 1, 1>,  CONFIG<128, 128, 1, 2>,
                          CONFIG<64, 128, 1, 2>};

// About how many clock cycles a problem takes (fitted to runs on Hopper). A step takes as many as its products
// (2048 multiply-adds a cycle) or its loads (44 bytes a cycle), and 64 more. The ends of a tile take longer
// where blocks of a cluster wait for each other. Assumes multiprocessors / 2 pairs at once.
int64_t cycles(const Config& c, const Problem& p, int multiprocessors) {
  const int rows = ceil_div(p.M, c.PAIR * c.BM), cols = ceil_div(p.N, c.BN);
  const int at_once = multiprocessors / (c.PAIR * c.SPLIT);
  if (at_once == 0) return INT64_MAX;
  const int64_t steps = ceil_div(ceil_div(p.K, BK), c.SPLIT);
  const int bytes = (c.BM + c.BN / c.PAIR) * BK * 2;
  const int step = max(c.BM * c.BN * BK / 2048, bytes / 44) + 64;
  const int ends = c.PAIR * c.SPLIT == 1 ? 4000 : 9000;
  return (int64_t(rows) * cols + at_once - 1) / at_once * (steps * step + ends);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const int multiprocessors = count_multiprocessors();
  Config c = CONFIGS[0];
  for (const Config& each : CONFIGS) {
    if (cycles(each, p, multiprocessors) < cycles(c, p, multiprocessors)) c = each;
  }
  const TensorMap A(p.A, p.lda, p.M, p.K, c.BM, ATOM), B(p.B, p.ldb, p.K, p.N, BK / c.PAIR, ATOM);
  const bool aligned = uintptr_t(p.C) % sizeof(float4) == 0 && (p.ldc | p.N) % 4 == 0;
  const int tiles = ceil_div(p.M, c.PAIR * c.BM) * ceil_div(p.N, c.BN);
  const int clusters = c.SPLIT == 1 ? min(tiles, multiprocessors / c.PAIR) : tiles;
  CUDA_CHECK(cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, c.bytes));
  const int blocks = clusters * c.PAIR * c.SPLIT, threads = (c.BM / WM + 1) * WARPGROUP;
  c.kernel<<<blocks, threads, c.bytes>>>(p, aligned, {A.map, B.map});
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
