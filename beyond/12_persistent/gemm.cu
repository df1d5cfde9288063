// 12_persistent: blocks stay for many tiles, pairs share their loads, the shape decides on the tile.
//
// Changed from 11_wgmma: tiles as template arguments, MULTIPLY(), load_tile_twice(), arrive(),
// for_each_tile(), store_row(), add_shares(), CONFIGS, cycles(), gemm().
// Needs: sm_90a
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I../.. gemm.cu
//   ../../common/harness/*/*.cu -o gemm -lcublas
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>

#include "common/lesson.h"
#include "common/tensor_map.h"

using Input = half;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BK = 64;  // depth of a shared tile
constexpr int MMA = 16;  // depth of one wgmma
constexpr int WM = 64;  // rows of C per warpgroup, as wgmma has it
constexpr int ATOM = 64;  // halves in a swizzled row of 128 bytes
constexpr int WARPGROUP = 128;  // threads that multiply together
constexpr int GROUP = 8;  // rows of clusters that neighbouring clusters work on
static_assert(BK == ATOM, "a row of As is one swizzled row");

template <int BM, int BN>
struct alignas(1024) Shared {  // 8 swizzled rows are a pattern, which begins at such an address
  static constexpr int ATOMS = ceil_div(BN, ATOM);  // across a tile of B
  static constexpr int STAGES = 200 * 1024 / ((BM + ATOMS * ATOM) * BK * sizeof(Input));
  Input As[STAGES][BM][ATOM], Bs[STAGES][ATOMS][BK][ATOM];
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

// PTX: mapa, mbarrier.arrive. Arrives at the barrier that a block of the cluster has at this place. Unless
// more is said it releases to the own block only; with .release.cluster it would first wait until the
// whole chip sees what this thread wrote: nothing. That the other block's producer comes after this
// block's reads is the hardware's doing: wgmma made them, and wait_products() has seen them complete.
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

// PTX: "Matrix Descriptor Format" of wgmma. As in 11_wgmma, but here the mask matters: above 24 bits
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

// Names all of acc as changed, so that the compiler moves nothing that reads or writes it past this place.
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

// Of each 16 columns a thread has two neighbours and the two 8 columns further on, in its row and in
// the row 8 below (PTX: "Register Fragments" of wgmma). Lanes in pairs exchange one half. Then the
// even lane has four neighbours of the first 8 columns, the odd one four of the second 8.
template <int TN>
__device__ void exchange(const Acc (&acc)[TN][2][2][2], Acc (&rows)[2][TN * 4]) {
  const bool odd = threadIdx.x % 2 == 1;
#pragma unroll
  for (int i = 0; i < TN * 4; ++i) {
    const int n = i / 4, m = i / 2 % 2, j = i % 2;
    const Acc got = __shfl_xor_sync(~0u, odd ? acc[n][0][m][j] : acc[n][1][m][j], 1);
    rows[m][n * 4 + j] = odd ? got : acc[n][0][m][j];
    rows[m][n * 4 + 2 + j] = odd ? acc[n][1][m][j] : got;
  }
}

// Accumulators to C, a part of a row: four columns of each 16. With beta == 0, C is not read: a NaN in
// it must not spread. All is read before any is written, so that no read waits for a write.
template <typename Vector, int N>
__device__ void store_row(const Problem& p, int row, int col0, Acc (&sums)[N]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
  const int cols = p.N - col0;
  if (row >= p.M) return;
  Acc* c = &p.C[row * p.ldc + col0];
#pragma unroll
  for (int i = 0; i < N; i += COUNT) {
    const int col = i / 4 * 16 + i % 4;
    const bool read = p.beta != 0 && col < cols;
    const Vector old = read ? *reinterpret_cast<Vector*>(&c[col]) : Vector{};
    const Acc* o = reinterpret_cast<const Acc*>(&old);
    for (int j = 0; j < COUNT; ++j) sums[i + j] = p.alpha * sums[i + j] + p.beta * o[j];
  }
#pragma unroll
  for (int i = 0; i < N; i += COUNT) {
    const int col = i / 4 * 16 + i % 4;
    if (col < cols) *reinterpret_cast<Vector*>(&c[col]) = *reinterpret_cast<Vector*>(&sums[i]);
  }
}

template <int N>
__device__ void store_row(const Problem& p, bool aligned, int row, int col, Acc (&sums)[N]) {
  aligned ? store_row<float4>(p, row, col, sums) : store_row<Acc>(p, row, col, sums);
}

// Each block of a cluster has multiplied a share of K. Each puts its sums into its shared memory, and
// adds up a part of the tile from that of all blocks, in the same order each time.
template <int SPLIT, int THREADS, int N>
__device__ void add_shares(void* memory, int share, Acc (&sums)[2][N], Acc (&part)[2 * N / SPLIT]) {
  constexpr int COUNT = N / 2 / SPLIT;  // of float4 in a part
  const auto all = static_cast<float4(*)[THREADS]>(memory);
  const auto cluster = cooperative_groups::this_cluster();
  asm volatile("bar.sync 1, %0;" ::"n"(THREADS) : "memory");  // PTX: bar. All have read the tiles
#pragma unroll
  for (int i = 0; i < N / 2; ++i) all[i][threadIdx.x] = reinterpret_cast<float4*>(sums)[i];
  cluster.sync();  // all sums are there
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    float4 sum{};
    for (int from = 0; from < SPLIT; ++from) {
      const float4 add = *cluster.map_shared_rank(&all[share * COUNT + i][threadIdx.x], from);
      sum = {sum.x + add.x, sum.y + add.y, sum.z + add.z, sum.w + add.w};
    }
    reinterpret_cast<float4*>(part)[i] = sum;
  }
  cluster.sync();  // all have read: this block's memory may go
}

// A cluster: PAIR blocks with one tile of C each, below each other, which share the tiles of B, or
// SPLIT blocks with a share of K each of the same tile of C. The latter take one tile only: their sums
// lie where its tiles of A and B were.
template <int BM, int BN, int PAIR, int SPLIT>
__global__ void __cluster_dims__(PAIR* SPLIT) __launch_bounds__((BM / WM + 1) * WARPGROUP, 1)
    gemm_kernel(Problem p, bool aligned, const __grid_constant__ CUtensorMap A,
                const __grid_constant__ CUtensorMap B) {
  constexpr int STAGES = Shared<BM, BN>::STAGES, TN = BN / 16, CONSUMERS = BM / WM;
  constexpr int BLOCKS = PAIR * SPLIT;  // of a cluster
  static_assert(PAIR == 1 || SPLIT == 1, "a block has one rank");
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
  }
  cooperative_groups::this_cluster().sync();  // all barriers exist before anyone arrives
  // Tiles of a cluster are numbered down GROUP rows, then on to the next column: clusters that run at
  // the same time work on a compact part of C, and find each other's rows of A, columns of B in L2.
  const auto for_each_tile = [&](auto use) {
    const int rows = ceil_div(p.M, PAIR * BM), cols = ceil_div(p.N, BN);
    for (int tile = blockIdx.x / BLOCKS; tile < rows * cols; tile += gridDim.x / BLOCKS) {
      const int first = tile / (GROUP * cols) * GROUP, height = min(GROUP, rows - first);
      const int i = tile % (GROUP * cols);
      use(((first + i % height) * PAIR + rank % PAIR) * BM, i / height * BN);
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
        load_tile(A, row0, k0, shared.As[stage][0], shared.full[stage]);
        for (int n = rank % PAIR; n < Shared<BM, BN>::ATOMS; n += PAIR) {
          const auto load = PAIR == 1 ? load_tile : load_tile_twice;
          load(B, k0, col0 + n * ATOM, shared.Bs[stage][n][0], shared.full[stage]);
        }
      }
    });
  } else {
    if (CONSUMERS > 1) asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");  // from the producer
    // To the producers whose tiles of B come here, too: the own one, or both of the pair.
    const auto release = [&](int turn) {
      if (lane < PAIR) arrive(shared.empty[turn % STAGES], PAIR == 1 ? rank : lane);
    };
    for_each_tile([&](int row0, int col0) {
      Acc acc[TN][2][2][2] = {};
      for (int step = begin; step < end; ++step, ++turn) {
        const int stage = turn % STAGES, round = turn / STAGES;
        wait(shared.full[stage], round % 2);
        outer_product(&shared.As[stage][warpgroup * WM], shared.Bs[stage], acc);
        wait_products<1>(acc);  // the step before has been multiplied: its place is empty
        if (step > begin) release(turn - 1);
      }
      wait_products<0>(acc);
      if (end > begin) release(turn - 1);
      alignas(16) Acc sums[2][TN * 4];
      exchange(acc, sums);
      const int row = row0 + warp * 16 + lane / 4, col = col0 + lane % 2 * 8 + lane % 4 / 2 * 4;
      if constexpr (SPLIT == 1) {
        store_row(p, aligned, row, col, sums[0]);
        store_row(p, aligned, row + 8, col, sums[1]);
      } else {
        constexpr int COUNT = TN * 8 / SPLIT;  // of a thread's sums, which are two rows of TN * 4
        alignas(16) Acc part[COUNT];
        add_shares<SPLIT, CONSUMERS * WARPGROUP>(memory, share, sums, part);
        const int first = share * COUNT;
        store_row(p, aligned, row + first / (TN * 4) * 8, col + first % (TN * 4) * 4, part);
      }
    });
    if (PAIR > 1) cooperative_groups::this_cluster().sync();  // the other may still arrive here
  }
}

struct Config {
  int BM, BN, PAIR, SPLIT, bytes;
  void (*kernel)(Problem, bool, CUtensorMap, CUtensorMap);
};
template <int BM, int BN, int PAIR, int SPLIT>
constexpr Config CONFIG{
    BM, BN, PAIR, SPLIT, sizeof(Shared<BM, BN>), gemm_kernel<BM, BN, PAIR, SPLIT>};
const Config CONFIGS[] = {CONFIG<128, 256, 2, 1>, CONFIG<128, 224, 2, 1>, CONFIG<128, 192, 2, 1>,
                          CONFIG<128, 256, 1, 1>, CONFIG<128, 128, 1, 1>, CONFIG<64, 128, 1, 1>,
                          CONFIG<128, 128, 1, 2>, CONFIG<64, 128, 1, 2>};

// About how many clock cycles it takes. A step takes as long as its products, 2048 multiply-adds a
// cycle, or as its loads, 44 bytes a cycle, and 64 cycles more; a tile as its steps, its start and its
// end, which take longer where blocks of a cluster wait for each other. (Fitted on an H200. As many
// clusters as multiprocessors allow run at once: true of two blocks, not of four.)
int64_t cycles(const Config& c, const Problem& p, int multiprocessors) {
  const int64_t tiles = int64_t(ceil_div(p.M, c.PAIR * c.BM)) * ceil_div(p.N, c.BN);
  const int at_once = multiprocessors / (c.PAIR * c.SPLIT);
  if (at_once == 0) return INT64_MAX;
  const int steps = ceil_div(ceil_div(p.K, BK), c.SPLIT);
  const int step = max(c.BM * c.BN * BK / 2048, (c.BM + c.BN / c.PAIR) * BK * 2 / 44) + 64;
  const int ends = c.PAIR * c.SPLIT == 1 ? 4000 : 9000;
  return (tiles + at_once - 1) / at_once * (int64_t(steps) * step + ends);
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
  const TensorMap A(p.A, p.lda, p.M, p.K, c.BM, ATOM), B(p.B, p.ldb, p.K, p.N, BK, ATOM);
  const bool aligned = uintptr_t(p.C) % 16 == 0 && (p.ldc | p.N) % 4 == 0;
  const int tiles = ceil_div(p.M, c.PAIR * c.BM) * ceil_div(p.N, c.BN);
  const int clusters = c.SPLIT == 1 ? min(tiles, multiprocessors / c.PAIR) : tiles;
  CUDA_CHECK(cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, c.bytes));
  const int blocks = clusters * c.PAIR * c.SPLIT, threads = (c.BM / WM + 1) * WARPGROUP;
  c.kernel<<<blocks, threads, c.bytes>>>(p, aligned, A.map, B.map);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
