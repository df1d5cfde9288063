// 16_epilogue: bias and GELU while the sums are in registers; C as half, in one trip to DRAM.
//
// Changed from 14_overlap: Output, Slice, gelu(), load_bias(), store_tile(), CONFIGS.
// Needs: sm_90a
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I../.. gemm.cu
//   ../../common/harness/*/*.cu -o gemm -lcublas
#include "common/hopper.h"
#include "common/lesson.h"

using Input = half;  // element type of A and B
using Acc = float;  // type of alpha and beta, and of every product and sum
using Output = half;  // element type of C and of the bias
using Problem = Gemm<Input, Acc, Output>;

constexpr int BK = 64;  // depth of a shared tile
constexpr int MMA = 16;  // depth of one wgmma
constexpr int WM = 64;  // rows of one wgmma
constexpr int ATOM = 64;  // elements of 16 bits in a swizzled row of 128 bytes
constexpr int PATTERN = 8 * ATOM * sizeof(Input);  // bytes of 8 swizzled rows
constexpr int GROUP = 1024;  // rows of C that neighbouring clusters work on
constexpr int BOTH = 0b11;  // the blocks of a pair, a bit each
constexpr int CONSUMERS = 2;  // warpgroups that multiply in turn, a tile each
constexpr int WARPS = CONSUMERS * WARPGROUP / 32;  // that multiply
constexpr int SLICE = 64;  // columns of C that leave shared memory at once: a swizzled row
constexpr int SLICES = 2;  // of a warp: one at a time while the other consumer multiplies
constexpr int CONSUMER_BARRIER = 3;  // named barrier of add_shares(); 1 and 2 are for turns
static_assert(CONSUMER_BARRIER > TURN_BARRIERS + 1, "a barrier has one purpose");
constexpr int PRODUCER_REGISTERS = 24;  // of a thread that copies
constexpr int CONSUMER_REGISTERS = 240;  // of a thread that multiplies
static_assert((PRODUCER_REGISTERS + 2 * CONSUMER_REGISTERS) * WARPGROUP <= 65536,
              "a multiprocessor has no more");
static_assert(BK == ATOM, "a row of As is one swizzled row");

using Slice = Output[16][SLICE];

template <int BM, int BN>
struct alignas(PATTERN) Shared {  // the swizzle needs this alignment
  static constexpr int FREE = 226 * 1024 - sizeof(Slice[WARPS][SLICES]);
  static constexpr int STAGES = FREE / ((BM + BN) * BK * int(sizeof(Input)));
  Input As[STAGES][BM][ATOM], Bs[STAGES][BN / ATOM][BK][ATOM];
  Slice slices[WARPS][SLICES];
  __mbarrier_t full[STAGES], empty[STAGES], arrived[WARPS * SLICES];
};
template <int BM, int BN>
using Ring = RingPosition<Shared<BM, BN>::STAGES>;

// Starts the products of one pair of tiles. Their descriptors count in units of 16 bytes: the next 16 of K lie
// 2 units further in a row of As, 16 rows further in Bs.
template <int TM, int N>
__device__ void outer_product(uint64_t a, uint64_t b, Acc (&acc)[TM][N]) {
  constexpr int ROW = ATOM * sizeof(Input) / 16;
  wgmma_hold(acc);
  wgmma_fence();
#pragma unroll
  for (int k = 0; k < BK; k += MMA) {
#pragma unroll
    for (int m = 0; m < TM; ++m) {
      wgmma_mma_async_f16(a + m * WM * ROW + k * sizeof(Input) / 16, b + k * ROW, acc[m]);
    }
  }
  wgmma_commit_group();
}

// x / 2 * (1 + tanh(u)), with u as in common/gemm.h, is x / (1 + exp(-2 * u)). That form does not cancel
// where tanh(u) is near -1. PTX: ex2.approx (a power of 2), rcp.approx.
__device__ Acc gelu(Acc x) {
  constexpr Acc SCALE = -2 * 0.7978845608 * 1.4426950409;  // -2 * sqrt(2 / pi) / ln(2)
  Acc power, inverse;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * (SCALE + SCALE * 0.044715f * (x * x))));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(1 + power));
  return x * inverse;
}

// Loads the bias of a tile's columns from col0 on. A lane has two columns of each slice.
template <int ACROSS>
__device__ void load_bias(const Problem& p, int col0, half2 (&bias)[ACROSS]) {
#pragma unroll
  for (int i = 0; i < ACROSS; ++i) {
    const int col = col0 + i * SLICE + threadIdx.x % 32 * 2;
    bias[i] = {col < p.N ? p.bias[col] : Output(0), col + 1 < p.N ? p.bias[col + 1] : Output(0)};
  }
}

// Stores accumulators to C by TMA, through shared memory: 16 rows of a warp, SLICE columns at a time. With beta, TMA
// first loads that part of C. With beta == 0, C is not read: a NaN in it must not spread. parities has a bit for
// each of `arrived`. more: the other consumer is multiplying. Two slices in flight slow it, so one leaves at a time.
template <int TM, int N, int ACROSS>
__device__ void store_tile(const Problem& p, const CUtensorMap& C, int row0, int col0,
                           const Acc (&acc)[TM][N], const half2 (&bias)[ACROSS],
                           Slice (&slices)[SLICES], __mbarrier_t* arrived, unsigned& parities,
                           bool more) {
  constexpr int GROUPS = SLICE / 8;  // of 8 columns: a thread has two sums in each of two rows
  constexpr int ALL = TM * ACROSS;  // slices
  static_assert(ACROSS == N / 4 / GROUPS, "the bias of each column");
  const int lane = threadIdx.x % 32;
  const bool adds = p.beta != 0;
  const auto fetch = [&](int i) {
    mbarrier_arrive_expect_tx(arrived[i % SLICES], sizeof(Slice));
    cp_async_bulk_tensor_load(C, row0 + i / ACROSS * WM, col0 + i % ACROSS * SLICE,
                              slices[i % SLICES], arrived[i % SLICES]);
  };
  if (lane == 0) {
    cp_async_bulk_wait_group_read<0>();  // the tile before has left
    for (int i = 0; adds && i < min(SLICES, ALL); ++i) fetch(i);
  }
#pragma unroll
  for (int i = 0; i < ALL; ++i) {
    const int m = i / ACROSS, n = i % ACROSS * GROUPS;
    Slice& slice = slices[i % SLICES];
    if (lane == 0) cp_async_bulk_wait_group_read<SLICES - 1>();
    if (lane == 0 && more) cp_async_bulk_wait_group_read<0>();
    __syncwarp();  // what was here has been read
    if (adds) mbarrier_wait_parity(arrived[i % SLICES], parities >> i % SLICES & 1);
    parities ^= 1 << i % SLICES;
#pragma unroll
    for (int j = 0; j < GROUPS * 2; ++j) {
      const int below = j % 2, group = j / 2;  // the 8 rows of a group lie in different banks
      const int row = below * 8 + lane / 4, unit = group ^ lane / 4;  // of 16 bytes, swizzled
      half2& to = *reinterpret_cast<half2*>(&slice[row][unit * 8 + lane % 4 * 2]);
      const float2 old = adds ? __half22float2(to) : float2{};
      const float2 add = __half22float2(__shfl_sync(~0u, bias[i % ACROSS], group * 4 + lane % 4));
      const Acc* sums = &acc[m][(n + group) * 4 + below * 2];
      to = __floats2half2_rn(gelu(p.alpha * sums[0] + p.beta * old.x + add.x),
                             gelu(p.alpha * sums[1] + p.beta * old.y + add.y));
    }
    fence_proxy_async();
    __syncwarp();  // all of it is here
    if (lane == 0) {
      cp_async_bulk_tensor_store(C, row0 + m * WM, col0 + n * 8, slice);
      cp_async_bulk_commit_group();
      if (adds && i > 0 && i - 1 + SLICES < ALL) {
        cp_async_bulk_wait_group_read<1>();  // the slice before has left
        fetch(i - 1 + SLICES);
      }
    }
  }
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
  // Every second group of rows goes backwards. use() gets a tile's number in its block, and whether one follows.
  template <typename Use>
  __device__ void for_each_tile(Use use) const {
    constexpr int HEIGHT = GROUP / (PAIR * BM);
    const int rows = ceil_div(M, PAIR * BM), cols = ceil_div(N, BN);
    const int cluster = blockIdx.x / (PAIR * SPLIT), clusters = gridDim.x / (PAIR * SPLIT);
    for (int tile = cluster, i = 0; tile < rows * cols; tile += clusters, ++i) {
      const int first = tile / (HEIGHT * cols) * HEIGHT, height = min(HEIGHT, rows - first);
      const int j = tile % (HEIGHT * cols);
      const int col = first / HEIGHT % 2 == 0 ? j / height : cols - 1 - j / height;
      use(i, tile + clusters < rows * cols, ((first + j % height) * PAIR + rank % PAIR) * BM,
          col * BN);
    }
  }
};

struct Maps {
  CUtensorMap A, B, C;
};

// The producer: one thread, which runs ahead of the consumers, into the next tiles of C, too.
// Every second tile goes back along K: the columns of A that the tiles before have read last are still in L2.
template <int BM, int BN, int PAIR, int SPLIT>
__device__ void load_tiles(const Work<BM, BN, PAIR, SPLIT>& work, const Maps& maps, int i, int row0,
                           int col0, Shared<BM, BN>& shared, Ring<BM, BN>& at) {
  for (int step = 0; step < work.steps; ++step, at.advance()) {
    const int k0 = (work.begin + (i % 2 == 0 ? step : work.steps - 1 - step)) * BK;
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

// A consumer multiplies a tile when it has the turn. more: another tile follows in this block.
template <int BM, int BN, int PAIR, int SPLIT>
__device__ void multiply_tiles(const Work<BM, BN, PAIR, SPLIT>& work, const Problem& p,
                               const CUtensorMap& C, bool more, int row0, int col0, int warpgroup,
                               Shared<BM, BN>& shared, Ring<BM, BN>& at, unsigned& parities) {
  const int warp = __shfl_sync(~0u, threadIdx.x / 32, 0);  // uniform
  const int lane = threadIdx.x % 32, share = work.rank % SPLIT;
  // Arrives at `empty` of each producer that fills this stage: its own block's, or both of the pair.
  const auto release = [&](int stage) {
    if (lane < PAIR) mbarrier_arrive_cluster(shared.empty[stage], PAIR == 1 ? work.rank : lane);
  };
  constexpr int COLS = BN / SPLIT;  // of C that this block stores
  half2 bias[COLS / SLICE];
  load_bias(p, col0 + share * COLS, bias);  // they arrive while products run
  Acc acc[BM / WM][BN / 2] = {};
  int before = 0;  // the stage of the step before
  for (int step = 0; step < work.steps; ++step, at.advance()) {
    if (step == 0) wait_for_turn(warpgroup);  // here, so that nvcc zeroes acc before the wait
    mbarrier_wait_parity(shared.full[at.stage], at.parity);
    // The swizzle repeats every 8 rows, so stride is PATTERN. Bs has boxes of 64 columns: its leading is a box.
    outer_product(matrix_descriptor(shared.As[at.stage], 16, PATTERN),
                  matrix_descriptor(shared.Bs[at.stage], sizeof(shared.Bs[0][0]), PATTERN), acc);
    wgmma_wait_group<1>(acc);  // the step before has been multiplied: its stage is empty
    if (step > 0) release(before);
    before = at.stage;
  }
  if (work.steps > 0) pass_turn(warpgroup);
  wgmma_wait_group<0>(acc);
  if (work.steps > 0) release(before);
  const int row = row0 + warp % 4 * 16;
  auto& slices = shared.slices[warp];
  __mbarrier_t* const arrived = &shared.arrived[warp * SLICES];
  if constexpr (SPLIT == 1) {
    store_tile(p, C, row, col0, acc, bias, slices, arrived, parities, more);
  } else {
    Acc sums[1][BN / 4];
    add_shares<WARPGROUP>(&shared, share, acc[0], sums[0]);
    store_tile(p, C, row, col0 + share * COLS, sums, bias, slices, arrived, parities, false);
  }
}

template <int BM, int BN, int PAIR, int SPLIT>
__global__ void __cluster_dims__(PAIR* SPLIT) __launch_bounds__((CONSUMERS + 1) * WARPGROUP, 1)
    gemm_kernel(Problem p, const __grid_constant__ Maps maps) {
  alignas(PATTERN) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared<BM, BN>*>(memory);
  const int warpgroup = __shfl_sync(~0u, threadIdx.x / WARPGROUP, 0);  // uniform
  if (threadIdx.x == 0) {
    for (int s = 0; s < Shared<BM, BN>::STAGES; ++s) {
      __mbarrier_init(&shared.full[s], 1);  // the producer
      __mbarrier_init(&shared.empty[s], PAIR * WARPGROUP / 32);  // warps that multiply a tile
    }
    for (__mbarrier_t& each : shared.arrived) __mbarrier_init(&each, 1);  // lane 0 of its warp
    fence_proxy_async();  // TMA must see them
    for (const CUtensorMap* map : {&maps.A, &maps.B, &maps.C}) prefetch_tensormap(*map);
  }
  sync_cluster<PAIR * SPLIT>();  // all barriers exist before anyone arrives
  cudaGridDependencySynchronize();  // the kernel ahead of this one in the stream has ended
  const Work<BM, BN, PAIR, SPLIT> work(p);
  Ring<BM, BN> at;
  if (warpgroup == CONSUMERS) {
    setmaxnreg_dec<PRODUCER_REGISTERS>();
    if (threadIdx.x != CONSUMERS * WARPGROUP) return;
    work.for_each_tile([&](int i, bool, int row0, int col0) {
      load_tiles(work, maps, i, row0, col0, shared, at);
    });
  } else {
    setmaxnreg_inc<CONSUMER_REGISTERS>();  // from the producer
    unsigned parities = 0;
    if (warpgroup == 1 && work.steps > 0) pass_turn(warpgroup);  // consumer 0 is first
    work.for_each_tile([&](int i, bool more, int row0, int col0) {
      if (i % CONSUMERS != warpgroup) return at.advance(work.steps);  // the other's tile
      multiply_tiles(work, p, maps.C, more, row0, col0, warpgroup, shared, at, parities);
    });
    if (threadIdx.x % 32 == 0) cp_async_bulk_wait_group_read<0>();  // TMA has read all slices
    if (PAIR > 1) sync_cluster<PAIR>();  // the other may still arrive here
  }
}

struct Config {
  int BM, BN, PAIR, SPLIT, bytes;
  void (*kernel)(Problem, Maps);
};
template <int BM, int BN, int PAIR, int SPLIT>
constexpr Config CONFIG{
    BM, BN, PAIR, SPLIT, sizeof(Shared<BM, BN>), gemm_kernel<BM, BN, PAIR, SPLIT>};
const Config CONFIGS[] = {CONFIG<128, 192, 2, 1>, CONFIG<128, 128, 2, 1>, CONFIG<128, 192, 1, 1>,
                          CONFIG<128, 128, 1, 1>, CONFIG<64, 128, 2, 1>,  CONFIG<64, 128, 1, 1>,
                          CONFIG<64, 64, 1, 1>,   CONFIG<64, 128, 1, 2>};

// About how many clock cycles a problem takes (fitted to runs on Hopper). A step takes as many as its products
// (2048 multiply-adds a cycle) or its loads (50 bytes a cycle), and some for the power that loads draw. Rows that lie
// in two lines of L2 count 1.7 times. B counts nothing where all blocks share one column of tiles.
int64_t cycles(const Config& c, const Problem& p, int multiprocessors) {
  const int rows = ceil_div(p.M, c.PAIR * c.BM), cols = ceil_div(p.N, c.BN);
  const int at_once = multiprocessors / (c.PAIR * c.SPLIT);
  if (at_once == 0) return INT64_MAX;
  const int64_t steps = ceil_div(ceil_div(p.K, BK), c.SPLIT);
  const int bytes = (c.BM + (cols == 1 ? 0 : c.BN / c.PAIR)) * BK * 2;
  const int loads = (p.lda | p.ldb) % 64 == 0 ? bytes : bytes / 10 * 17;
  const int step = max(c.BM * c.BN * BK / 2048, loads / 50) + loads / 600;
  const int ends = c.PAIR * c.SPLIT == 1 ? 4000 : 8000;
  return (int64_t(rows) * cols + at_once - 1) / at_once * (steps * step) + ends;
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const int multiprocessors = count_multiprocessors();
  Config c = CONFIGS[0];
  for (const Config& each : CONFIGS) {
    if (cycles(each, p, multiprocessors) < cycles(c, p, multiprocessors)) c = each;
  }
  const TensorMap A(p.A, p.lda, p.M, p.K, c.BM, ATOM), B(p.B, p.ldb, p.K, p.N, BK / c.PAIR, ATOM);
  const auto use = p.beta == 0 ? TensorMap::Use::WRITE : TensorMap::Use::UPDATE;
  const TensorMap C(p.C, p.ldc, p.M, p.N, 16, SLICE, use);
  const int tiles = ceil_div(p.M, c.PAIR * c.BM) * ceil_div(p.N, c.BN);
  const int clusters = c.SPLIT == 1 ? min(tiles, multiprocessors / c.PAIR) : tiles;
  launch_early(c.kernel, clusters * c.PAIR * c.SPLIT, (CONSUMERS + 1) * WARPGROUP, c.bytes, p,
               Maps{A.map, B.map, C.map});
  C.copy_back(p.C, p.ldc, p.M, p.N);
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
