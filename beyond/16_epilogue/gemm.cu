// 16_epilogue: bias and GELU while the sums are in registers, and half of C's bytes.
//
// Changed from 14_overlap: Output, Slice, gelu(), store_slices(), store_pairs(), add_shares().
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
constexpr int WM = 64;  // rows of C per warpgroup, as wgmma has it
constexpr int ATOM = 64;  // halves in a swizzled row of 128 bytes
constexpr int WARPGROUP = 128;  // threads that multiply together
constexpr int GROUP = 8;  // rows of clusters that neighbouring clusters work on
constexpr int SLICE = 64;  // columns of C that leave at once: a swizzled row
constexpr int SLICES = 2;  // of a warp: one is filled while one leaves
using Slice = Output[16][SLICE];
static_assert(BK == ATOM, "a row of As is one swizzled row");

template <int BM, int BN>
struct alignas(1024) Shared {  // 8 swizzled rows are a pattern, which begins at such an address
  static constexpr int ATOMS = ceil_div(BN, ATOM);  // across a tile of B
  static constexpr int WARPS = BM / 16;  // that multiply
  static constexpr int STAGES = (226 * 1024 - WARPS * int(sizeof(Slice[SLICES]))) /
                                ((BM + ATOMS * ATOM) * BK * int(sizeof(Input)));
  Input As[STAGES][BM][ATOM], Bs[STAGES][ATOMS][BK][ATOM];
  Slice slices[WARPS][SLICES];
  __mbarrier_t full[STAGES], empty[STAGES];
};

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

// PTX: mapa, mbarrier.arrive. Arrives at the barrier that a block of the cluster has at this place.
// Relaxed: whoever waits there need not see what this thread wrote: nothing. With release.cluster,
// it would first wait until the whole chip sees that.
__device__ void arrive(__mbarrier_t& barrier, int block) {
  asm volatile(
      "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
      "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [there]; }" ::"r"(
          shared_address(&barrier)),
      "r"(block)
      : "memory");
}

// PTX: mbarrier.arrive.expect_tx. Arrives, and lets the phase last until so many bytes have, too.
__device__ void arrive_and_expect(__mbarrier_t& barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
               "r"(bytes)
               : "memory");
}

// PTX: cp.async.bulk.tensor. Global to shared memory: a box of the matrix, swizzled, as the map says.
// One thread asks; the copy engine computes all addresses, turns what lies outside of the matrix
// into zeros, and adds the box's bytes to the barrier when they have arrived.
__device__ void load_tile(const CUtensorMap& map, int row, int col, Input* shared,
                          __mbarrier_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(shared)),
      "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier))
      : "memory");
}

// PTX: the same with .multicast::cluster. Blocks 0 and 1 of the cluster get the box, each at the same
// place of its own shared memory, and the same barrier of each gets the bytes.
__device__ void load_tile_twice(const CUtensorMap& map, int row, int col, Input* shared,
                                __mbarrier_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3}], [%4], 3;" ::"r"(shared_address(shared)),
      "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier))
      : "memory");
}

// PTX: "Matrix Descriptor Format" of wgmma. As in 11_wgmma, but here the mask matters: above 18 bits
// an address has the block's rank in its cluster.
__device__ uint64_t descriptor(const Input* shared, int leading, int stride) {
  const uint64_t start = (shared_address(shared) & 0x3ffff) / 16;
  return start | uint64_t(leading / 16) << 16 | uint64_t(stride / 16) << 32 | uint64_t(1) << 62;
}

// PTX: wgmma.mma_async. acc += A * B for 64 x BN elements of C and 16 of K. The last four numbers: A
// and B are not negated, neighbours in memory are neighbours along K in A, across K in B. An asm
// statement knows no arrays, so the registers of a thread are named one by one: up to 128.
#define ACC2(n, i, m) "+f"(acc[n][i][m][0]), "+f"(acc[n][i][m][1])
#define ACC8(n) ACC2(n, 0, 0), ACC2(n, 0, 1), ACC2(n, 1, 0), ACC2(n, 1, 1)
#define ACC32(n) ACC8(n), ACC8(n + 1), ACC8(n + 2), ACC8(n + 3)
#define TEN(i) \
  "%" #i "0,%" #i "1,%" #i "2,%" #i "3,%" #i "4,%" #i "5,%" #i "6,%" #i "7,%" #i "8,%" #i "9,"
#define MULTIPLY(BN, REGISTERS, A, B, ...)                                                       \
  __device__ void multiply(uint64_t a, uint64_t b, Acc(&acc)[BN / 16][2][2][2]) {                \
    asm volatile(                                                                                \
        "{ .reg .pred add; setp.eq.u32 add, 0, 0; "                                              \
        "wgmma.mma_async.sync.aligned.m64n" #BN "k16.f32.f16.f16 {" REGISTERS "}, %" #A ", %" #B \
        ", add, 1, 1, 0, 1; }"                                                                   \
        : __VA_ARGS__                                                                            \
        : "l"(a), "l"(b));                                                                       \
  }
#define SIXTY TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5)
#define NINETY SIXTY TEN(6) TEN(7) TEN(8)
#define HUNDRED_TEN NINETY TEN(9) TEN(10)
MULTIPLY(128, SIXTY "%60,%61,%62,%63", 64, 65, ACC32(0), ACC32(4))
MULTIPLY(192, NINETY "%90,%91,%92,%93,%94,%95", 96, 97, ACC32(0), ACC32(4), ACC32(8))
MULTIPLY(224, HUNDRED_TEN "%110,%111", 112, 113, ACC32(0), ACC32(4), ACC32(8), ACC8(12), ACC8(13))
MULTIPLY(256, HUNDRED_TEN TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127", 128, 129, ACC32(0),
         ACC32(4), ACC32(8), ACC32(12))

// Says that acc is read and written here, so that the compiler moves nothing of it past this place.
template <int TN>
__device__ void hold(Acc (&acc)[TN][2][2][2]) {
#pragma unroll
  for (int n = 0; n < TN; ++n) asm volatile("" : ACC8(n)::"memory");
}

// Starts the products of one pair of tiles, which lie as in 11_wgmma.
// PTX: wgmma.fence lets wgmma use registers that were written before; wgmma.commit_group makes one
// group of what was started.
template <int TN>
__device__ void outer_product(const Input (*As)[ATOM], const Input (*Bs)[BK][ATOM],
                              Acc (&acc)[TN][2][2][2]) {
  constexpr int PATTERN = 8 * ATOM * sizeof(Input);
  hold(acc);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int k = 0; k < BK; k += MMA) {
    multiply(descriptor(&As[0][k], 16, PATTERN), descriptor(Bs[0][k], sizeof(Bs[0]), PATTERN), acc);
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// PTX: wgmma.wait_group. Returns when all but the latest groups, so many, are complete.
template <int LATEST, int TN>
__device__ void wait_products(Acc (&acc)[TN][2][2][2]) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LATEST) : "memory");
  hold(acc);
}

// x / 2 * (1 + tanh(u)), with u as in common/gemm.h, is x / (1 + exp(-2u)): nothing cancels where tanh(u)
// is next to -1. exp(-2u) as a power of 2, which the hardware has.
// PTX: ex2.approx, rcp.approx.
__device__ Acc gelu(Acc x) {
  constexpr Acc SCALE = -2 * 0.7978845608 * 1.4426950409;  // -2 sqrt(2 / pi) / ln(2)
  Acc power, inverse;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * (SCALE + SCALE * 0.044715f * (x * x))));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(1 + power));
  return x * inverse;
}

// The bias of the columns that a warp works on, of each SLICE two neighbours a lane.
template <int TN>
__device__ void load_bias(const Problem& p, int col0, half2 (&bias)[TN * 16 / SLICE]) {
#pragma unroll
  for (int i = 0; i < TN * 16 / SLICE; ++i) {
    const int col = col0 + i * SLICE + threadIdx.x % 32 * 2;
    bias[i].x = col < p.N ? p.bias[col] : Output(0);
    bias[i].y = col + 1 < p.N ? p.bias[col + 1] : Output(0);
  }
}

// Accumulators to C by way of shared memory: a warp's 16 rows, SLICE columns at a time. The copy engine
// takes a slice to where it belongs, less what lies outside of C, while the warp goes on.
// PTX: cp.async.bulk.tensor, cp.async.bulk.commit_group, cp.async.bulk.wait_group.read.
template <int TN>
__device__ void store_slices(const CUtensorMap& C, Acc alpha, const half2 (&bias)[TN * 16 / SLICE],
                             int row, int col0, const Acc (&acc)[TN][2][2][2],
                             Slice (&slices)[SLICES], int& used) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < TN * 16 / SLICE; ++i) {
    Slice& to = slices[used++ % SLICES];
    if (lane == 0) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(SLICES - 1) : "memory");
    __syncwarp();  // the copy engine has read what was here
#pragma unroll
    for (int unit = 0; unit < SLICE / 8; ++unit) {  // 8 columns, 16 bytes
      const float2 add = __half22float2(__shfl_sync(~0u, bias[i], unit * 4 + lane % 4));
#pragma unroll
      for (int m = 0; m < 2; ++m) {
        const Acc* sums = acc[i * SLICE / 16 + unit / 2][unit % 2][m];
        // Swizzled: the 8 rows of a unit lie in different banks.
        *reinterpret_cast<half2*>(&to[m * 8 + lane / 4][(unit ^ lane / 4) * 8 + lane % 4 * 2]) =
            __floats2half2_rn(gelu(alpha * sums[0] + add.x), gelu(alpha * sums[1] + add.y));
      }
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy engine must see it
    __syncwarp();
    if (lane == 0) {
      asm volatile(
          "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
          "cp.async.bulk.commit_group;" ::"l"(&C),
          "r"(col0 + i * SLICE), "r"(row), "r"(shared_address(to))
          : "memory");
    }
  }
}

// Accumulators to C where the copy engine cannot write, or C counts: of each 8 columns a thread has two
// neighbours, in its row and in the row 8 below (PTX: "Register Fragments" of wgmma). With beta == 0, C is
// not read: a NaN in it must not spread. All is read before any is written, so that no read waits for a
// write.
template <typename Vector, int TN>
__device__ void store_pairs(const Problem& p, int row0, int col0, Acc (&acc)[TN][2][2][2]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Output);
  const auto for_each_pair = [&](auto use) {
#pragma unroll
    for (int i = 0; i < TN * 4; ++i) {
      const int row = row0 + i % 2 * 8, col = col0 + i / 2 * 8;
#pragma unroll
      for (int j = 0; j < 2; j += COUNT) {
        if (row < p.M && col + j < p.N)
          use(&p.C[row * p.ldc + col + j], &p.bias[col + j], &acc[i / 4][i / 2 % 2][i % 2][j]);
      }
    }
  };
  for_each_pair([&](const Output* c, const Output* bias, Acc* sums) {
    const Vector old = p.beta != 0 ? *reinterpret_cast<const Vector*>(c) : Vector{};
    const Output* o = reinterpret_cast<const Output*>(&old);
    for (int j = 0; j < COUNT; ++j) sums[j] = p.alpha * sums[j] + p.beta * Acc(o[j]) + Acc(bias[j]);
  });
  for_each_pair([&](Output* c, const Output*, const Acc* sums) {
    Vector result;
    for (int j = 0; j < COUNT; ++j) reinterpret_cast<Output*>(&result)[j] = Output(gelu(sums[j]));
    *reinterpret_cast<Vector*>(c) = result;
  });
}

template <int TN>
__device__ void store_pairs(const Problem& p, bool aligned, int row, int col,
                            Acc (&acc)[TN][2][2][2]) {
  aligned ? store_pairs<half2>(p, row, col, acc) : store_pairs<Output>(p, row, col, acc);
}

// Each block of a cluster has multiplied a share of K. Each puts its sums into its shared memory, and
// adds up a part of the tile from that of all blocks, in the same order each time.
template <int SPLIT, int THREADS, int TN>
__device__ void add_shares(void* memory, int share, const Acc (&acc)[TN][2][2][2],
                           Acc (&part)[TN / SPLIT][2][2][2]) {
  constexpr int COUNT = TN * 2 / SPLIT;  // of float4 in a part
  const auto all = static_cast<float4(*)[THREADS]>(memory);
  const auto cluster = cooperative_groups::this_cluster();
  asm volatile("bar.sync 1, %0;" ::"n"(THREADS) : "memory");  // PTX: bar. All have read the tiles
#pragma unroll
  for (int i = 0; i < TN * 2; ++i) {
    const auto& four = acc[i / 2][i % 2];
    all[i][threadIdx.x] = {four[0][0], four[0][1], four[1][0], four[1][1]};
  }
  cluster.sync();  // all sums are there
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    float4 sum{};
    for (int from = 0; from < SPLIT; ++from) {
      const float4 add = *cluster.map_shared_rank(&all[share * COUNT + i][threadIdx.x], from);
      sum = {sum.x + add.x, sum.y + add.y, sum.z + add.z, sum.w + add.w};
    }
    auto& four = part[i / 2][i % 2];
    four[0][0] = sum.x, four[0][1] = sum.y, four[1][0] = sum.z, four[1][1] = sum.w;
  }
  cluster.sync();  // all have read: this block's memory may go
}

// A cluster: DOWN blocks with one tile of C each, below each other, which share the tiles of B; or
// ACROSS blocks, beside each other, which share those of A; or SPLIT blocks with a share of K each of
// the same tile of C. The latter take one tile only: their sums lie where its tiles of A and B were.
template <int BM, int BN, int DOWN, int ACROSS, int SPLIT>
__global__ void __cluster_dims__(DOWN* ACROSS* SPLIT)
    __launch_bounds__((BM / WM + 1) * WARPGROUP, 1)
        gemm_kernel(Problem p, bool aligned, bool slices, const __grid_constant__ CUtensorMap A,
                    const __grid_constant__ CUtensorMap B, const __grid_constant__ CUtensorMap C) {
  constexpr int STAGES = Shared<BM, BN>::STAGES, TN = BN / 16, CONSUMERS = BM / WM;
  constexpr int PAIR = DOWN * ACROSS, BLOCKS = PAIR * SPLIT;  // of a cluster
  static_assert((DOWN == 1) + (ACROSS == 1) + (SPLIT == 1) >= 2, "a block has one rank");
  alignas(1024) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared<BM, BN>*>(memory);
  const int warpgroup = threadIdx.x / WARPGROUP, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int rank = blockIdx.x % BLOCKS;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      __mbarrier_init(&shared.full[s], 1);  // the producer
      __mbarrier_init(&shared.empty[s], PAIR * CONSUMERS * WARPGROUP / 32);  // warps that multiply
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy engine must see them
    for (const CUtensorMap* map : {&A, &B, &C}) asm volatile("prefetch.tensormap [%0];" ::"l"(map));
  }
  cooperative_groups::this_cluster().sync();  // all barriers exist before anyone arrives
  cudaGridDependencySynchronize();  // the kernel in front of this one in the stream has ended
  // Tiles of a cluster are numbered down GROUP rows, then on to the next column: clusters that run at
  // the same time work on a compact part of C, and find each other's rows of A, columns of B in L2.
  const auto for_each_tile = [&](auto use) {
    const int rows = ceil_div(p.M, DOWN * BM), cols = ceil_div(p.N, ACROSS * BN);
    for (int tile = blockIdx.x / BLOCKS; tile < rows * cols; tile += gridDim.x / BLOCKS) {
      const int first = tile / (GROUP * cols) * GROUP, height = min(GROUP, rows - first);
      const int i = tile % (GROUP * cols);
      use(((first + i % height) * DOWN + rank % DOWN) * BM,
          (i / height * ACROSS + rank % ACROSS) * BN);
    }
  };
  const int64_t steps = ceil_div(p.K, BK), share = rank % SPLIT;
  const int begin = steps * share / SPLIT, end = steps * (share + 1) / SPLIT;
  int turn = 0;  // of the stages, over all tiles: the producer runs ahead into the next one
  if (warpgroup == CONSUMERS) {
    if (CONSUMERS > 1) asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");  // PTX: setmaxnreg
    if (threadIdx.x != CONSUMERS * WARPGROUP) return;
    for_each_tile([&](int row0, int col0) {
      for (int step = begin; step < end; ++step, ++turn) {
        const int stage = turn % STAGES, round = turn / STAGES, k0 = step * BK;
        wait(shared.empty[stage], (round + 1) % 2);  // both of a pair have read what was there
        arrive_and_expect(shared.full[stage], sizeof(shared.As[0]) + sizeof(shared.Bs[0]));
        const int m = rank % ACROSS * BM / ACROSS;
        const auto load_A = ACROSS == 1 ? load_tile : load_tile_twice;
        load_A(A, row0 + m, k0, shared.As[stage][m], shared.full[stage]);
        for (int n = rank % DOWN; n < Shared<BM, BN>::ATOMS; n += DOWN) {
          const auto load_B = DOWN == 1 ? load_tile : load_tile_twice;
          load_B(B, k0, col0 + n * ATOM, shared.Bs[stage][n][0], shared.full[stage]);
        }
      }
    });
  } else {
    if (CONSUMERS > 1) asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");  // from the producer
    // To the producers whose tiles of B come here, too: the own one, or both of the pair.
    const auto release = [&](int turn) {
      if (lane < PAIR) arrive(shared.empty[turn % STAGES], PAIR == 1 ? rank : lane);
    };
    int used = 0;  // slices, over all tiles
    for_each_tile([&](int row0, int col0) {
      Acc acc[TN][2][2][2] = {};
      half2 bias[TN * 16 / SLICE];
      load_bias<TN>(p, col0, bias);  // arrives while the tile is multiplied
      for (int step = begin; step < end; ++step, ++turn) {
        const int stage = turn % STAGES, round = turn / STAGES;
        wait(shared.full[stage], round % 2);
        outer_product(&shared.As[stage][warpgroup * WM], shared.Bs[stage], acc);
        wait_products<1>(acc);  // the step before has been multiplied: its place is empty
        if (step > begin) release(turn - 1);
      }
      wait_products<0>(acc);
      if (end > begin) release(turn - 1);
      const int row = row0 + warp * 16, col = col0;
      if constexpr (SPLIT == 1) {
        if (slices) {
          store_slices(C, p.alpha, bias, row, col, acc, shared.slices[warp], used);
        } else {
          store_pairs(p, aligned, row + lane / 4, col + lane % 4 * 2, acc);
        }
      } else {
        Acc part[TN / SPLIT][2][2][2];
        add_shares<SPLIT, CONSUMERS * WARPGROUP>(memory, share, acc, part);
        store_pairs(p, aligned, row + lane / 4, col + share * BN / SPLIT + lane % 4 * 2, part);
      }
    });
    if (lane == 0)
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");  // slices are gone
    if (PAIR > 1) cooperative_groups::this_cluster().sync();  // the other may still arrive here
  }
}

struct Config {
  int BM, BN, DOWN, ACROSS, SPLIT, bytes;
  void (*kernel)(Problem, bool, bool, CUtensorMap, CUtensorMap, CUtensorMap);
};
template <int BM, int BN, int DOWN, int ACROSS, int SPLIT>
constexpr Config CONFIG{
    BM, BN, DOWN, ACROSS, SPLIT, sizeof(Shared<BM, BN>), gemm_kernel<BM, BN, DOWN, ACROSS, SPLIT>};
const Config CONFIGS[] = {CONFIG<128, 256, 2, 1, 1>, CONFIG<128, 192, 2, 1, 1>,
                          CONFIG<128, 256, 1, 1, 1>, CONFIG<128, 128, 1, 1, 1>,
                          CONFIG<64, 128, 1, 1, 1>,  CONFIG<128, 128, 1, 1, 2>,
                          CONFIG<64, 128, 1, 1, 2>};

// About how many clock cycles it takes. A step takes as long as its products, 2048 multiply-adds a
// cycle, or as its loads, 44 bytes a cycle, and 64 cycles more; a tile as its steps, its start and its
// end, which take longer where blocks of a cluster wait for each other. (Fitted on an H200. As many
// clusters as multiprocessors allow run at once: true of two blocks, not of four.)
int64_t cycles(const Config& c, const Problem& p, int multiprocessors) {
  const int64_t tiles = int64_t(ceil_div(p.M, c.DOWN * c.BM)) * ceil_div(p.N, c.ACROSS * c.BN);
  const int blocks = c.DOWN * c.ACROSS * c.SPLIT, at_once = multiprocessors / blocks;
  if (at_once == 0) return INT64_MAX;
  const int steps = ceil_div(ceil_div(p.K, BK), c.SPLIT);
  const int loads = (c.BM / c.ACROSS + c.BN / c.DOWN) * BK * 2 / 44;
  const int step = max(c.BM * c.BN * BK / 2048, loads) + 64;
  const int ends = blocks == 1 ? 4000 : 9000;
  return (tiles + at_once - 1) / at_once * (int64_t(steps) * step + ends);
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
  const bool slices = TensorMap::fits(p.C, p.ldc) && p.beta == 0;
  const bool aligned = (uintptr_t(p.C) % 4 | p.ldc % 2 | p.N % 2) == 0;
  const TensorMap A(p.A, p.lda, p.M, p.K, c.BM / c.ACROSS, ATOM), B(p.B, p.ldb, p.K, p.N, BK, ATOM);
  const TensorMap C(p.C, p.ldc, slices ? p.M : 0, p.N, 16, SLICE);
  const int tiles = ceil_div(p.M, c.DOWN * c.BM) * ceil_div(p.N, c.ACROSS * c.BN);
  const int blocks = c.DOWN * c.ACROSS * c.SPLIT, threads = (c.BM / WM + 1) * WARPGROUP;
  const int clusters = c.SPLIT == 1 ? min(tiles, multiprocessors / blocks) : tiles;
  launch(c.kernel, clusters * blocks, threads, c.bytes, p, aligned, slices, A.map, B.map, C.map);
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
