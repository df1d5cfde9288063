// 16_epilogue: bias and GELU while the sums are in registers; C as half, in one trip to DRAM.
//
// Changed from 14_overlap: Output, Slice, gelu(), store_tile(), CONFIGS.
// Needs: sm_90a
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I../.. gemm.cu
//   ../../common/harness/*/*.cu -o gemm -lcublas
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>

#include "common/lesson.h"
#include "common/tensor_map.h"

using Input = half;  // element type of A and B
using Acc = float;  // type of alpha and beta, and of every product and sum
using Output = half;  // element type of C and of the bias
using Problem = Gemm<Input, Acc, Output>;

constexpr int BK = 64;  // depth of a shared tile
constexpr int MMA = 16;  // depth of one wgmma
constexpr int WM = 64;  // rows of one wgmma
constexpr int ATOM = 64;  // halves in a swizzled row of 128 bytes
constexpr int WARPGROUP = 128;  // threads that multiply together
constexpr int CONSUMERS = 2;  // warpgroups that multiply: in turn, a tile each, or together
constexpr int GROUP = 2048;  // rows of C that neighbouring clusters work on
constexpr int SLICE = 64;  // columns of C that leave shared memory at once: a swizzled row
constexpr int SLICES = 2;  // of a warp: sent off together, or one by one if the other multiplies
using Slice = Output[16][SLICE];
constexpr int FEW = 24, MANY = 240;  // registers of a thread that copies, of one that multiplies
static_assert((FEW + CONSUMERS * MANY) * WARPGROUP <= 65536, "a multiprocessor has no more");
static_assert(BK == ATOM, "a row of As is one swizzled row");

// Of a thread (PTX: "Register Fragments" of wgmma): in 64 rows and 8 columns two pairs, 8 rows apart.
template <int TM, int TN>
using Sums = Acc[TM][TN][2][2];

constexpr int WARPS = CONSUMERS * WARPGROUP / 32;  // that multiply
// TEAM: consumers that share a tile. Where they take turns, slices lie behind all else: bytes of these.
template <int TEAM>
constexpr int BEHIND = TEAM == 1 ? sizeof(Slice[WARPS][SLICES]) : 0;

template <int BM, int BN, int TEAM>
struct alignas(1024) Shared {  // 8 swizzled rows are a pattern, which begins at such an address
  static constexpr int ATOMS = ceil_div(BN, ATOM);  // across a tile of B
  static constexpr int STAGES =
      (226 * 1024 - BEHIND<TEAM>) / ((BM + ATOMS * ATOM) * BK * int(sizeof(Input)));
  Input As[STAGES][BM][ATOM], Bs[STAGES][ATOMS][BK][ATOM];
  __mbarrier_t full[STAGES], empty[STAGES], arrived[WARPS][SLICES];
};
template <int BM, int BN, int TEAM>
constexpr int BYTES = sizeof(Shared<BM, BN, TEAM>) + BEHIND<TEAM>;

__device__ unsigned shared_address(const void* pointer) {
  return __cvta_generic_to_shared(pointer);
}

// PTX: mbarrier.try_wait. Returns when the phase of this parity has ended: 0 for the first, third ...
// phase, 1 for the second, fourth ... and for one before the first, which counts as ended.
__device__ void wait(__mbarrier_t& barrier, int parity) {
  for (int ended = 0; ended == 0;) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(shared_address(&barrier)), "r"(parity)
        : "memory");
  }
}

// PTX: mapa, mbarrier.arrive. Arrives at the barrier that a block of the cluster has at this place. This
// releases to the own block only: the thread has written nothing that the other block needs, and its
// reads, which wgmma made, are complete, as wait_products() has seen.
__device__ void arrive(__mbarrier_t& barrier, int block) {
  asm volatile(
      "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
      "mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(shared_address(&barrier)),
      "r"(block)
      : "memory");
}

// PTX: mbarrier.arrive.expect_tx. Arrives, and lets the phase last until so many bytes have, too.
__device__ void arrive_and_expect(__mbarrier_t& barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
               "r"(bytes)
               : "memory");
}

// PTX: cp.async.bulk.tensor. Global to shared memory: a box of the matrix, swizzled, as the map says. What
// lies outside of the matrix becomes zeros. The box's bytes go to the barrier when they have arrived.
__device__ void load_tile(const CUtensorMap& map, int row, int col, void* shared,
                          __mbarrier_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(shared)),
      "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier))
      : "memory");
}

// PTX: the same with .multicast::cluster: blocks 0 and 1 of the cluster get box and bytes at the same places.
__device__ void load_tile_twice(const CUtensorMap& map, int row, int col, void* shared,
                                __mbarrier_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3}], [%4], 3;" ::"r"(shared_address(shared)),
      "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier))
      : "memory");
}

// PTX: "Matrix Descriptor Format" of wgmma. As in 11_wgmma, but here the mask matters: above 24 bits
// an address has the block's rank in its cluster. Adding n moves its start by 16 n bytes.
__device__ uint64_t descriptor(const Input* shared, int leading) {
  constexpr int STRIDE = 8 * ATOM * sizeof(Input);  // from pattern to pattern
  const uint64_t start = (shared_address(shared) & 0x3ffff) / 16;
  return start | uint64_t(leading / 16) << 16 | uint64_t(STRIDE / 16) << 32 | uint64_t(1) << 62;
}

// PTX: wgmma.mma_async. acc += A * B for 64 x BN elements of C and 16 of K. The last four numbers: A
// and B are not negated, neighbours in memory are neighbours along K in A, across K in B. An asm
// statement knows no arrays: the registers of a thread are named one by one.
#define ACC4(n) "+f"(acc[n][0][0]), "+f"(acc[n][0][1]), "+f"(acc[n][1][0]), "+f"(acc[n][1][1])
#define ACC12(n) ACC4(n), ACC4(n + 1), ACC4(n + 2)
#define ACC32(n) ACC12(n), ACC12(n + 3), ACC4(n + 6), ACC4(n + 7)
#define TEN(i) \
  "%" #i "0,%" #i "1,%" #i "2,%" #i "3,%" #i "4,%" #i "5,%" #i "6,%" #i "7,%" #i "8,%" #i "9,"
#define MULTIPLY(BN, REGISTERS, A, B, ...)                                                       \
  __device__ void multiply(uint64_t a, uint64_t b, Acc(&acc)[BN / 8][2][2]) {                    \
    asm volatile(                                                                                \
        "{ .reg .pred add; setp.eq.u32 add, 0, 0; "                                              \
        "wgmma.mma_async.sync.aligned.m64n" #BN "k16.f32.f16.f16 {" REGISTERS "}, %" #A ", %" #B \
        ", add, 1, 1, 0, 1; }"                                                                   \
        : __VA_ARGS__                                                                            \
        : "l"(a), "l"(b));                                                                       \
  }
#define SIXTY TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5)
MULTIPLY(64, TEN() TEN(1) TEN(2) "%30,%31", 32, 33, ACC32(0))
MULTIPLY(128, SIXTY "%60,%61,%62,%63", 64, 65, ACC32(0), ACC32(8))
MULTIPLY(152, SIXTY TEN(6) "%70,%71,%72,%73,%74,%75", 76, 77, ACC32(0), ACC32(8), ACC12(16))
MULTIPLY(192, SIXTY TEN(6) TEN(7) TEN(8) "%90,%91,%92,%93,%94,%95", 96, 97, ACC32(0), ACC32(8),
         ACC32(16))

// Names all of acc as changed, so that the compiler moves nothing that reads or writes it past this place.
template <int TM, int TN>
__device__ void hold(Sums<TM, TN>& acc) {
#pragma unroll
  for (int i = 0; i < TM * TN; ++i) {
    const int m = i / TN, n = i % TN;
    asm volatile(""
                 : "+f"(acc[m][n][0][0]), "+f"(acc[m][n][0][1]), "+f"(acc[m][n][1][0]),
                   "+f"(acc[m][n][1][1])::"memory");
  }
}

// Starts the products of one pair of tiles, which lie as in 11_wgmma and have these descriptors. A
// step only adds to them: what a warp does between two wgmma costs time and power.
// PTX: wgmma.fence (registers that were written before), wgmma.commit_group (of what was started).
template <int TM, int TN>
__device__ void outer_product(uint64_t a, uint64_t b, Sums<TM, TN>& acc) {
  constexpr int ROW = ATOM * sizeof(Input) / 16;
  hold(acc);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int k = 0; k < BK; k += MMA) {
#pragma unroll
    for (int m = 0; m < TM; ++m) {
      multiply(a + m * WM * ROW + k * sizeof(Input) / 16, b + k * ROW, acc[m]);
    }
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// PTX: wgmma.wait_group. Returns when all but the latest groups, so many, are complete.
template <int LATEST, int TM, int TN>
__device__ void wait_products(Sums<TM, TN>& acc) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LATEST) : "memory");
  hold(acc);
}

// PTX: bar. The consumers multiply in turn. Each waits at a barrier of its own, 1 or 2, until the other has
// started the last products of its tile.
__device__ void wait_for_turn(int warpgroup) {
  asm volatile("bar.sync %0, %1;" ::"r"(1 + warpgroup), "n"(CONSUMERS * WARPGROUP) : "memory");
}
__device__ void pass_turn(int warpgroup) {
  asm volatile("bar.arrive %0, %1;" ::"r"(2 - warpgroup), "n"(CONSUMERS * WARPGROUP) : "memory");
}

// x / 2 * (1 + tanh(u)), with u as in common/gemm.h, is x / (1 + exp(-2 * u)): so nothing cancels where
// tanh(u) is next to -1. PTX: ex2.approx (a power of 2), rcp.approx.
__device__ Acc gelu(Acc x) {
  constexpr Acc SCALE = -2 * 0.7978845608 * 1.4426950409;  // -2 * sqrt(2 / pi) / ln(2)
  Acc power, inverse;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * (SCALE + SCALE * 0.044715f * (x * x))));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(1 + power));
  return x * inverse;
}

// Accumulators to C by way of shared memory: 16 rows of a warp, SLICE columns at a time, with the epilogue
// on the way, in FP32. The copy engine takes a slice on to C; with beta it has brought that part of C before.
// With beta == 0, C is not read: a NaN in it must not spread. parities: a bit for each of `arrived`. more: the
// other consumer multiplies a further tile, which slices that leave side by side would delay; so one by one.
// PTX: cp.async.bulk.tensor, cp.async.bulk.commit_group, cp.async.bulk.wait_group.read.
template <int TM, int TN>
__device__ void store_tile(const Problem& p, const CUtensorMap& C, int row0, int col0,
                           const Sums<TM, TN>& acc, Slice (&slices)[SLICES],
                           __mbarrier_t (&arrived)[SLICES], unsigned& parities, bool more) {
  constexpr int GROUPS = SLICE / 8, ACROSS = ceil_div(TN, GROUPS);  // of 8 columns; slices across
  constexpr int ALL = TM * ACROSS;
  const int lane = threadIdx.x % 32;
  const bool adds = p.beta != 0;
  half2 bias[ACROSS];  // of each slice two columns a lane
#pragma unroll
  for (int i = 0; i < ACROSS; ++i) {
    const int col = col0 + min(i * SLICE, TN * 8 - SLICE) + lane * 2;
    bias[i] = {col < p.N ? p.bias[col] : Output(0), col + 1 < p.N ? p.bias[col + 1] : Output(0)};
  }
  const auto fetch = [&](int i) {
    arrive_and_expect(arrived[i % SLICES], sizeof(Slice));
    load_tile(C, row0 + i / ACROSS * WM, col0 + i % ACROSS * SLICE, slices[i % SLICES],
              arrived[i % SLICES]);
  };
  if (lane == 0) {
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");  // the tile before has left
    for (int i = 0; adds && i < min(SLICES, ALL); ++i) fetch(i);
  }
#pragma unroll
  for (int i = 0; i < ALL; ++i) {
    // Where slices do not divide a tile, the last one has some columns of that before once more.
    const int m = i / ACROSS, n = min(i % ACROSS * GROUPS, TN - GROUPS);
    Slice& slice = slices[i % SLICES];
    if (lane == 0) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(SLICES - 1) : "memory");
    if (lane == 0 && more) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    __syncwarp();  // what was here has been read
    if (adds) wait(arrived[i % SLICES], parities >> i % SLICES & 1);
    parities ^= 1 << i % SLICES;
#pragma unroll
    for (int j = 0; j < GROUPS * 2; ++j) {
      const int below = j % 2, group = j / 2;  // the 8 rows of a group lie in different banks
      const int row = below * 8 + lane / 4, unit = group ^ lane / 4;  // of 16 bytes, swizzled
      half2& to = *reinterpret_cast<half2*>(&slice[row][unit * 8 + lane % 4 * 2]);
      const float2 old = adds ? __half22float2(to) : float2{};
      const float2 add = __half22float2(__shfl_sync(~0u, bias[i % ACROSS], group * 4 + lane % 4));
      const Acc* sums = acc[m][n + group][below];
      to = __floats2half2_rn(gelu(p.alpha * sums[0] + p.beta * old.x + add.x),
                             gelu(p.alpha * sums[1] + p.beta * old.y + add.y));
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();  // all of it is here
    if (lane == 0) {
      asm volatile(
          "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
          "cp.async.bulk.commit_group;" ::"l"(&C),
          "r"(col0 + n * 8), "r"(row0 + m * WM), "r"(shared_address(slice))
          : "memory");
      if (adds && i > 0 && i - 1 + SLICES < ALL) {
        asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");  // the slice before has left
        fetch(i - 1 + SLICES);
      }
    }
  }
}

// Two blocks have multiplied a share of K each. Each gives the other one half of its sums, by way of
// shared memory, and adds what it gets to the other half: the first or the last columns of the tile.
template <int TN>
__device__ void add_shares(void* memory, int share, const Sums<1, TN * 2>& acc, Sums<1, TN>& sums) {
  const auto given = static_cast<float4(*)[WARPGROUP]>(memory);
  const auto cluster = cooperative_groups::this_cluster();
  asm volatile("bar.sync 3, %0;" ::"n"(WARPGROUP) : "memory");  // PTX: bar. All have read the tiles
#pragma unroll
  for (int n = 0; n < TN; ++n) {
    const auto& give = acc[0][share == 0 ? TN + n : n];
    given[n][threadIdx.x] = {give[0][0], give[0][1], give[1][0], give[1][1]};
  }
  cluster.sync();  // all sums are there
#pragma unroll
  for (int n = 0; n < TN; ++n) {
    const auto& keep = acc[0][share == 0 ? n : TN + n];
    const float4 got = *cluster.map_shared_rank(&given[n][threadIdx.x], 1 - share);
    sums[0][n][0][0] = keep[0][0] + got.x;
    sums[0][n][0][1] = keep[0][1] + got.y;
    sums[0][n][1][0] = keep[1][0] + got.z;
    sums[0][n][1][1] = keep[1][1] + got.w;
  }
  cluster.sync();  // all have read: this block's memory may go
}

// What a block has to do. A cluster is PAIR blocks with one tile of C each, below each other, which share
// the tiles of B, or SPLIT blocks with a share of K each of one tile of C, and no second tile.
template <int BM, int BN, int PAIR, int SPLIT, int TEAM>
struct Work {
  static_assert(PAIR == 1 || SPLIT == 1, "a block has one rank");
  int M, N, rank, begin, steps;  // rank in the cluster; first step along K, and number of steps

  __device__ explicit Work(const Problem& p) : M(p.M), N(p.N), rank(blockIdx.x % (PAIR * SPLIT)) {
    const int64_t all = ceil_div(p.K, BK), share = rank % SPLIT;
    begin = all * share / SPLIT;
    steps = all * (share + 1) / SPLIT - begin;
  }

  // Tiles of a cluster are numbered down HEIGHT rows of tiles, then on to the next column, in every second
  // group of rows from the last column to the first: clusters that run at the same time find each other's
  // rows of A, columns of B in L2. use() gets a tile's number in its block, and whether another follows.
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

// B_rest: of B in narrower boxes, for the columns of a tile that fill no ATOM (152: 24).
struct Maps {
  CUtensorMap A, B, B_rest, C;
};

// Where a warpgroup is in the ring of stages, and the parity of the barriers' phases in this round.
template <int STAGES>
struct Place {
  int stage = 0, parity = 0;
  __device__ void advance(int steps = 1) {
    stage += steps % STAGES;
    parity ^= steps / STAGES % 2;
    if (stage >= STAGES) stage -= STAGES, parity ^= 1;
  }
};

// The producer: one thread, which runs ahead into the next tiles. Every second tile goes back along K: the
// columns of A that the tiles before have needed last are still in L2.
template <int BM, int BN, int PAIR, int SPLIT, int TEAM>
__device__ void load_tiles(const Work<BM, BN, PAIR, SPLIT, TEAM>& work, const Maps& maps,
                           Shared<BM, BN, TEAM>& shared) {
  Place<Shared<BM, BN, TEAM>::STAGES> at;
  work.for_each_tile([&](int i, bool, int row0, int col0) {
    for (int step = 0; step < work.steps; ++step, at.advance()) {
      const int k0 = (work.begin + (i % 2 == 0 ? step : work.steps - 1 - step)) * BK;
      auto& full = shared.full[at.stage];
      wait(shared.empty[at.stage], at.parity ^ 1);  // both of a pair have read what was there
      arrive_and_expect(full, (BM + BN) * BK * int(sizeof(Input)));
      load_tile(maps.A, row0, k0, shared.As[at.stage][0], full);
      const int k = work.rank % PAIR * (BK / PAIR);  // each of a pair brings its rows of B's tile
      for (int n = 0; n < Shared<BM, BN, TEAM>::ATOMS; ++n) {
        const auto load = PAIR == 1 ? load_tile : load_tile_twice;
        const CUtensorMap& B = n < BN / ATOM ? maps.B : maps.B_rest;
        load(B, k0 + k, col0 + n * ATOM, shared.Bs[at.stage][n][k], full);
      }
    }
  });
}

// One of the two consumers: it multiplies every other tile, or (TEAM == 2) its rows of each.
template <int BM, int BN, int PAIR, int SPLIT, int TEAM>
__device__ void multiply_tiles(const Work<BM, BN, PAIR, SPLIT, TEAM>& work, const Problem& p,
                               const CUtensorMap& C, int warpgroup, Shared<BM, BN, TEAM>& shared) {
  constexpr int A_TILE = sizeof(shared.As[0]), B_TILE = sizeof(shared.Bs[0]);
  constexpr int TEAMS = CONSUMERS / TEAM;
  static_assert(TEAM == 1 || sizeof(Slice[WARPS][SLICES]) <= A_TILE, "slices lie in a tile of A");
  const int warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;  // uniform
  const int team = warpgroup / TEAM;
  const int m0 = warpgroup % TEAM * (BM / TEAM);  // this consumer's first row in a tile
  const uint64_t a = descriptor(shared.As[0][m0], 16);
  const uint64_t b = descriptor(shared.Bs[0][0][0], sizeof(shared.Bs[0][0]));
  // To the producers whose tiles of B come here, too: the own one, or both of the pair.
  const auto release = [&](int stage) {
    if (lane < PAIR) arrive(shared.empty[stage], PAIR == 1 ? work.rank : lane);
  };
  Place<Shared<BM, BN, TEAM>::STAGES> at;
  unsigned parities = 0;
  if (team == 1 && work.steps > 0) pass_turn(team);  // the first turn is consumer 0's
  work.for_each_tile([&](int i, bool more, int row0, int col0) {
    if (i % TEAMS != team) return at.advance(work.steps);  // the other's
    Sums<BM / TEAM / WM, BN / 8> acc = {};
    int before = 0;  // the stage of the step before
    for (int step = 0; step < work.steps; ++step, at.advance()) {
      if (TEAMS == 2 && step == 0) wait_for_turn(team);  // by now acc is zero
      wait(shared.full[at.stage], at.parity);
      outer_product(a + at.stage * (A_TILE / 16), b + at.stage * (B_TILE / 16), acc);
      wait_products<1>(acc);  // the step before has been multiplied: its stage is empty
      if (step > 0) release(before);
      before = at.stage;
    }
    if (TEAMS == 2 && work.steps > 0) pass_turn(team);
    wait_products<0>(acc);
    if (TEAM == 1 && work.steps > 0) release(before);
    // Consumers that share a tile put C where its last tile of A was: neither of them needs it any more.
    if (TEAM == 2) asm volatile("bar.sync 3, %0;" ::"n"(TEAM * WARPGROUP) : "memory");
    void* const place = TEAM == 1 ? static_cast<void*>(&shared + 1) : shared.As[before];
    auto& slices = static_cast<Slice(*)[SLICES]>(place)[warp];
    auto& arrived = shared.arrived[warp];
    const int row = row0 + m0 + warp % 4 * 16, share = work.rank % SPLIT;
    if constexpr (SPLIT == 1) {
      store_tile(p, C, row, col0, acc, slices, arrived, parities, TEAMS == 2 && more);
    } else {
      Sums<BM / TEAM / WM, BN / 16> sums;
      add_shares(&shared, share, acc, sums);
      store_tile(p, C, row, col0 + share * (BN / 2), sums, slices, arrived, parities, false);
    }
    if (TEAM == 2) {
      if (lane == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");  // C has left
      __syncwarp();
      if (work.steps > 0) release(before);
    }
  });
  if (lane == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");  // slices are gone
}

template <int BM, int BN, int PAIR, int SPLIT, int TEAM>
__global__ void __cluster_dims__(PAIR* SPLIT) __launch_bounds__((CONSUMERS + 1) * WARPGROUP, 1)
    gemm_kernel(Problem p, const __grid_constant__ Maps maps) {
  alignas(1024) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared<BM, BN, TEAM>*>(memory);
  // All threads of a warp are in the same warpgroup, but only the shuffle tells the compiler.
  const int warpgroup = __shfl_sync(~0u, threadIdx.x / WARPGROUP, 0);
  if (threadIdx.x == 0) {
    for (int s = 0; s < Shared<BM, BN, TEAM>::STAGES; ++s) {
      __mbarrier_init(&shared.full[s], 1);  // the producer
      __mbarrier_init(&shared.empty[s], PAIR * TEAM * WARPGROUP / 32);  // warps that multiply
    }
    for (auto& warp : shared.arrived) {
      for (__mbarrier_t& barrier : warp) __mbarrier_init(&barrier, 1);  // its lane 0
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy engine must see them
    for (auto* map : {&maps.A, &maps.B, &maps.B_rest, &maps.C}) {
      asm volatile("prefetch.tensormap [%0];" ::"l"(map));
    }
  }
  // All barriers exist before anyone arrives. __syncthreads() takes less time than sync().
  PAIR* SPLIT == 1 ? __syncthreads() : cooperative_groups::this_cluster().sync();
  cudaGridDependencySynchronize();  // the kernel in front of this one in the stream has ended
  const Work<BM, BN, PAIR, SPLIT, TEAM> work(p);
  if (warpgroup == CONSUMERS) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(FEW));  // PTX: setmaxnreg
    if (threadIdx.x == CONSUMERS * WARPGROUP) load_tiles(work, maps, shared);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(MANY));  // from the producer
    multiply_tiles(work, p, maps.C, warpgroup, shared);
    if (PAIR > 1) cooperative_groups::this_cluster().sync();  // the other may still arrive here
  }
}

struct Config {
  int BM, BN, PAIR, SPLIT, TEAM, bytes;
  void (*kernel)(Problem, Maps);
};
template <int BM, int BN, int PAIR, int SPLIT, int TEAM = 1>
constexpr Config CONFIG{
    BM, BN, PAIR, SPLIT, TEAM, BYTES<BM, BN, TEAM>, gemm_kernel<BM, BN, PAIR, SPLIT, TEAM>};
const Config CONFIGS[] = {CONFIG<256, 192, 2, 1, 2>, CONFIG<256, 152, 2, 1, 2>,
                          CONFIG<128, 192, 2, 1>,    CONFIG<128, 128, 2, 1>,
                          CONFIG<128, 192, 1, 1>,    CONFIG<128, 128, 1, 1>,
                          CONFIG<64, 128, 2, 1>,     CONFIG<64, 128, 1, 1>,
                          CONFIG<64, 64, 1, 1>,      CONFIG<64, 128, 1, 2>};

// About how many clock cycles a problem takes (fitted on an H200). A step takes as many as its products
// (2048 multiply-adds a cycle) or its loads (60 bytes a cycle; rows that lie in two lines of L2 count more,
// a B that all blocks want not at all), and some for power. store: of a tile, where nobody multiplies.
int64_t cycles(const Config& c, const Problem& p, int multiprocessors) {
  const int rows = ceil_div(p.M, c.PAIR * c.BM), cols = ceil_div(p.N, c.BN);
  const int at_once = multiprocessors / (c.PAIR * c.SPLIT);
  if (at_once == 0 || (c.BN % SLICE != 0 && p.beta != 0)) return INT64_MAX;  // beta * C once only
  const int64_t steps = ceil_div(ceil_div(p.K, BK), c.SPLIT);
  const int bytes = (c.BM + (cols == 1 ? 0 : c.BN / c.PAIR)) * BK * 2;
  const int loads = (p.lda | p.ldb) % 64 == 0 ? bytes : bytes / 10 * 17;
  const int step = max(c.BM * c.BN * BK / 2048, loads / 60) + loads / 600;
  const int ends = c.PAIR * c.SPLIT == 1 ? 4000 : 8000, store = c.TEAM == 1 ? 0 : 5600;
  return (int64_t(rows) * cols + at_once - 1) / at_once * (steps * step + store) + ends;
}

// Launches a kernel that may be on its way before the one in front of it in the stream has ended.
template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), int grid, int block, int bytes, Arguments... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  const cudaLaunchConfig_t config{grid, block, size_t(bytes), 0, &early, 1};
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  int device, multiprocessors;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  Config c = CONFIGS[0];
  for (const Config& each : CONFIGS) {
    if (cycles(each, p, multiprocessors) < cycles(c, p, multiprocessors)) c = each;
  }
  const TensorMap A(p.A, p.lda, p.M, p.K, c.BM, ATOM), B(p.B, p.ldb, p.K, p.N, BK / c.PAIR, ATOM);
  const auto use = p.beta == 0 ? TensorMap::Use::WRITE : TensorMap::Use::UPDATE;
  const TensorMap C(p.C, p.ldc, p.M, p.N, 16, SLICE, use);
  const auto B_rest = c.BN % ATOM == 0 ? B.map : B.with_box(BK / c.PAIR, c.BN % ATOM);
  const Maps maps{A.map, B.map, B_rest, C.map};
  const int tiles = ceil_div(p.M, c.PAIR * c.BM) * ceil_div(p.N, c.BN);
  const int clusters = c.SPLIT == 1 ? min(tiles, multiprocessors / c.PAIR) : tiles;
  launch(c.kernel, clusters * c.PAIR * c.SPLIT, (CONSUMERS + 1) * WARPGROUP, c.bytes, p, maps);
  C.copy_back(p.C, p.ldc, p.M, p.N);
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
