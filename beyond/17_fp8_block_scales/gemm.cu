// 17_fp8_block_scales: FP8 inputs with a scale for each 128 of K; the sums of each 128 are promoted to FP32.
//
// Changed from 15_fp32_on_tensor_cores: Shared, multiply_step(), promote(), store_tile(), update_tile(),
// load_tiles(), multiply_tiles(), CONFIGS, cost(), gemm(); B is N x K; no pieces, no turns, two tiles.
// Needs: sm_90a
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I../.. gemm.cu
//   ../../common/harness/*/*.cu -o gemm -lcublas
#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "common/hopper.h"
#include "common/lesson.h"

using Input = e4m3;  // element type of A and B
using Acc = float;  // type of alpha and beta, of scales, and of every product and sum
using Output = float;  // element type of C: float or bf16
using Problem = Gemm<Input, Acc, Output>;

constexpr int BK = 128;  // depth of a shared tile, whose rows have 128 bytes and one scale
constexpr int MMA = 32;  // depth of one wgmma
constexpr int WM = 64;  // rows of C per wgmma
constexpr int CONSUMERS = 2;  // warpgroups that multiply; one more copies
constexpr int NUM_THREADS = (CONSUMERS + 1) * WARPGROUP;
constexpr int GROUP = 2048;  // rows of C that neighbouring blocks work on
constexpr int BOX = 4;  // scales of B that TMA brings at once: boxes begin at multiples of 16 bytes
constexpr int UNIT = 16 / sizeof(Output);  // elements that the swizzle keeps together
constexpr int SLICE = 8 * UNIT;  // columns of C that leave shared memory together: a swizzled row
constexpr int SLICES = 128 / SLICE;  // of a warp: 128 columns
using Slice = Output[16][SLICE];
struct alignas(2 * sizeof(Output)) Pair {  // two neighbours in C
  Output elements[2];
};
constexpr int PRODUCER_REGISTERS = 24;  // of a thread that copies
constexpr int CONSUMER_REGISTERS = 240;  // of a thread that multiplies
static_assert((PRODUCER_REGISTERS + CONSUMERS * CONSUMER_REGISTERS) * WARPGROUP <= 65536,
              "a multiprocessor has no more");
static_assert(BK == SCALED && sizeof(Input) == 1, "a step has one scale; a row has 128 bytes");

// Of a thread: its part of one wgmma, 64 x BN elements, and of TM of them.
template <int BN>
using Products = Acc[WM * BN / WARPGROUP];
template <int TM, int BN>
using Sums = Products<BN>[TM];

template <int TM, int BN>
struct alignas(1024) Shared {  // the swizzle repeats every 8 rows, from such an address on
  static constexpr int BM = CONSUMERS * TM * WM, WARPS = CONSUMERS * WARPGROUP / 32;
  static constexpr int STEP_BYTES = (BM + BN) * BK + (BM + 32) * int(sizeof(Acc));
  static constexpr int STAGES = (226 * 1024 - sizeof(Slice[WARPS][SLICES])) / STEP_BYTES;
  Input As[STAGES][BM][BK], Bs[STAGES][BN][BK];
  Slice slices[WARPS][SLICES];
  alignas(128) Acc scales_A[STAGES][BM], scales_B[STAGES][32];  // a box needs such an address
  __mbarrier_t full[STAGES], empty[STAGES];
  using Ring = RingPosition<STAGES>;
};

struct Maps {
  CUtensorMap A, B, C, scales_A, scales_B;
};

// Starts the products of a step for 64 rows. Their sum starts at 0. Rows of A and of B lie along K, so the
// next 32 of K begin 32 bytes further; a descriptor counts in units of 16.
template <int COUNT>
__device__ void multiply_step(uint64_t a, uint64_t b, Acc (&acc)[COUNT]) {
  wgmma_hold(acc);
  wgmma_fence();
#pragma unroll
  for (int k = 0; k < BK; k += MMA) wgmma_mma_async_e4m3(a + k / 16, b + k / 16, acc, k > 0);
  wgmma_commit_group();
}

// Of a sum, from a thread's first row and column.
__device__ int row_of(int i) {
  return i / 2 % 2 * 8;
}

__device__ int col_of(int i) {
  return i / 4 * 8 + i % 2;
}

// sums += scales * acc in FP32, rounded to nearest. Tensor cores keep only 14 bits of a sum of FP8 products,
// so a sum over all of K would lose its later terms. Each of the thread's two rows has a scale.
template <int COUNT>
__device__ void promote(const Acc (&scales)[2], const Acc (&acc)[COUNT], Acc (&sums)[COUNT]) {
#pragma unroll
  for (int i = 0; i < COUNT; ++i) sums[i] += scales[row_of(i) / 8] * acc[i];
}

// Accumulators to C where beta is 0, through shared memory: 16 rows of a warp, SLICE columns at a time. TMA
// takes a slice on to C while the warp continues.
template <int COUNT>
__device__ void store_tile(Acc alpha, const CUtensorMap& C, int row0, int col0,
                           const Acc (&sums)[COUNT], Slice (&slices)[SLICES]) {
  constexpr int PART = SLICE / 2, ALL = COUNT / PART;  // sums of a thread in a slice; slices
  static_assert(ALL <= SLICES, "each slice has a place");
  const int lane = threadIdx.x % 32;
  const bool odd = lane / 4 % 2 == 1;
#pragma unroll
  for (int s = 0; s < ALL; ++s) {
    Slice& slice = slices[s];
    if (lane == 0) cp_async_bulk_wait_group_read<ALL - 1>();
    __syncwarp();  // TMA has read the slice's previous content
#pragma unroll
    for (int i = 0; i < PART; i += 2) {
      // Odd rows take the columns 16 further or back, so that 16 lanes write to 32 banks.
      const Acc *even_from = &sums[s * PART + i], *odd_from = &sums[s * PART + (i ^ 8)];
      const int row = row_of(i) + lane / 4, col = col_of(odd ? i ^ 8 : i) + lane % 4 * 2;
      const int unit = col / UNIT ^ row % 8;  // swizzled
      *reinterpret_cast<Pair*>(&slice[row][unit * UNIT + col % UNIT]) = {
          Output(alpha * (odd ? odd_from[0] : even_from[0])),
          Output(alpha * (odd ? odd_from[1] : even_from[1]))};
    }
    fence_proxy_async();
    __syncwarp();  // the slice is complete
    if (lane == 0) {
      cp_async_bulk_tensor_store(C, row0, col0 + s * SLICE, slice);
      cp_async_bulk_commit_group();
    }
  }
}

// Accumulators to C where beta is not 0. Threads read and write C directly.
template <typename Vector, int COUNT>
__device__ void update_tile(const Problem& p, int row0, int col0, const Acc (&sums)[COUNT]) {
  constexpr int STEP = sizeof(Vector) / sizeof(Output);
  const int cols = p.N - col0;
#pragma unroll
  for (int i = 0; i < COUNT; i += STEP) {
    const int row = row0 + row_of(i);
    if (row >= p.M || col_of(i) >= cols) continue;
    Output* const c = &p.C[row * p.ldc + col0 + col_of(i)];
    Vector vector = *reinterpret_cast<Vector*>(c);
    Output* elements = reinterpret_cast<Output*>(&vector);
    for (int j = 0; j < STEP; ++j) {
      elements[j] = Output(p.alpha * sums[i + j] + p.beta * Acc(elements[j]));
    }
    *reinterpret_cast<Vector*>(c) = vector;
  }
}

// The producer: one thread, which runs ahead of the consumers, into the next tiles of C, too. A step's scales
// arrive with its tiles.
template <int TM, int BN>
__device__ void load_tiles(const Maps& maps, int steps, int row0, int col0, Shared<TM, BN>& shared,
                           typename Shared<TM, BN>::Ring& at) {
  constexpr int BM = Shared<TM, BN>::BM;
  for (int step = 0; step < steps; ++step, at.advance()) {
    auto& full = shared.full[at.stage];
    mbarrier_wait_parity(shared.empty[at.stage], at.parity ^ 1);  // the consumers have read it
    mbarrier_arrive_expect_tx(full, (BM + BN) * BK + (BM + BOX) * int(sizeof(Acc)));
    cp_async_bulk_tensor_load(maps.A, row0, step * BK, shared.As[at.stage], full);
    cp_async_bulk_tensor_load(maps.B, col0, step * BK, shared.Bs[at.stage], full);
    cp_async_bulk_tensor_load(maps.scales_A, step, row0, shared.scales_A[at.stage], full);
    cp_async_bulk_tensor_load(maps.scales_B, col0 / SCALED, step / BOX * BOX,
                              shared.scales_B[at.stage], full);
  }
}

// A consumer: it multiplies its half of each tile's rows, 64 at a time. While it promotes, the tensor cores
// work for the other consumer.
template <int TM, int BN>
__device__ void multiply_tiles(const Problem& p, bool aligned, const Maps& maps, int steps,
                               int row0, int col0, Shared<TM, BN>& shared,
                               typename Shared<TM, BN>::Ring& at) {
  constexpr int PATTERN = 8 * BK;  // bytes
  const int warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  const int m0 = warp / 4 * TM * WM, warp_row = warp % 4 * 16;
  Sums<TM, BN> sums = {};
  for (int step = 0; step < steps; ++step, at.advance()) {
    mbarrier_wait_parity(shared.full[at.stage], at.parity);
#pragma unroll
    for (int m = 0; m < TM; ++m) {
      const int row = m0 + m * WM;
      Products<BN> acc;
      multiply_step(matrix_descriptor(shared.As[at.stage][row], 0, PATTERN),
                    matrix_descriptor(shared.Bs[at.stage], 0, PATTERN), acc);
      const Acc* const a = &shared.scales_A[at.stage][row + warp_row + lane / 4];
      const Acc b = shared.scales_B[at.stage][step % BOX], scales[] = {a[0] * b, a[8] * b};
      wgmma_wait_group<0>(acc);
      if (m == TM - 1) __syncwarp();  // all lanes have read their scales
      if (m == TM - 1 && lane == 0) __mbarrier_arrive(&shared.empty[at.stage]);
      promote(scales, acc, sums[m]);
    }
  }
#pragma unroll
  for (int m = 0; m < TM; ++m) {
    const int row = row0 + m0 + m * WM + warp_row, col = col0 + lane % 4 * 2;
    if (p.beta == 0) {
      store_tile(p.alpha, maps.C, row, col0, sums[m], shared.slices[warp]);
    } else {
      aligned ? update_tile<Pair>(p, row + lane / 4, col, sums[m])
              : update_tile<Output>(p, row + lane / 4, col, sums[m]);
    }
  }
}

template <int TM, int BN>
__global__ void __launch_bounds__(NUM_THREADS, 1)
    gemm_kernel(Problem p, bool aligned, const __grid_constant__ Maps maps) {
  alignas(1024) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared<TM, BN>*>(memory);
  const int warpgroup = __shfl_sync(~0u, threadIdx.x / WARPGROUP, 0);  // uniform
  if (threadIdx.x == 0) {
    for (int s = 0; s < Shared<TM, BN>::STAGES; ++s) {
      __mbarrier_init(&shared.full[s], 1);  // the producer
      __mbarrier_init(&shared.empty[s], CONSUMERS * WARPGROUP / 32);  // warps that multiply
    }
    fence_proxy_async();  // TMA must see them
  }
  __syncthreads();  // all barriers exist before anyone arrives
  cudaGridDependencySynchronize();  // the previous kernel in the stream has ended
  // Tiles are numbered down GROUP rows, then on to the next column: blocks that run at the same time
  // find each other's rows of A and B in L2.
  const auto for_each_tile = [&](auto use) {
    constexpr int BM = Shared<TM, BN>::BM, HEIGHT = GROUP / BM;
    const int rows = ceil_div(p.M, BM), cols = ceil_div(p.N, BN);
    for (int tile = blockIdx.x; tile < rows * cols; tile += gridDim.x) {
      const int first = tile / (HEIGHT * cols) * HEIGHT, height = min(HEIGHT, rows - first);
      const int j = tile % (HEIGHT * cols), col = j / height;
      use((first + j % height) * BM, col * BN);
    }
  };
  const int steps = ceil_div(p.K, BK);
  typename Shared<TM, BN>::Ring at;
  if (warpgroup == CONSUMERS) {
    setmaxnreg_dec<PRODUCER_REGISTERS>();
    if (threadIdx.x != CONSUMERS * WARPGROUP) return;
    for_each_tile([&](int row0, int col0) { load_tiles(maps, steps, row0, col0, shared, at); });
  } else {
    setmaxnreg_inc<CONSUMER_REGISTERS>();  // from the producer
    for_each_tile([&](int row0, int col0) {
      multiply_tiles(p, aligned, maps, steps, row0, col0, shared, at);
    });
    if (threadIdx.x % 32 == 0) cp_async_bulk_wait_group_read<0>();  // TMA has read the last slices
  }
}

struct Config {
  int BM, BN, bytes;
  void (*kernel)(Problem, bool, Maps);
};
template <int TM, int BN>
constexpr Config CONFIG{Shared<TM, BN>::BM, BN, sizeof(Shared<TM, BN>), gemm_kernel<TM, BN>};
const Config CONFIGS[] = {CONFIG<2, 128>, CONFIG<1, 64>};

// An estimate of the time: tiles of a block times the rows of a step, whose loads take longer than its products.
int64_t cost(const Config& c, const Problem& p, int multiprocessors) {
  const int64_t tiles = int64_t(ceil_div(p.M, c.BM)) * ceil_div(p.N, c.BN);
  return (tiles + multiprocessors - 1) / multiprocessors * (c.BM + c.BN);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  int device, multiprocessors;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  Config c = CONFIGS[0];
  for (const Config& each : CONFIGS) {
    if (cost(each, p, multiprocessors) < cost(c, p, multiprocessors)) c = each;
  }
  const int scales = ceil_div(p.K, SCALED);  // of each row of A
  const TensorMap A(p.A, p.lda, p.M, p.K, c.BM, BK), B(p.B, p.ldb, p.N, p.K, c.BN, BK),
      C(p.C, p.ldc, p.beta == 0 ? p.M : 0, p.N, 16, SLICE, TensorMap::Use::WRITE),
      scales_A(p.scales_A, p.M, scales, p.M, 1, c.BM),
      scales_B(p.scales_B, scales, ceil_div(p.N, SCALED), scales, 1, BOX);
  const bool aligned = uintptr_t(p.C) % sizeof(Pair) == 0 && (p.ldc | p.N) % 2 == 0;
  const int blocks = min(ceil_div(p.M, c.BM) * ceil_div(p.N, c.BN), multiprocessors);
  const Maps maps{A.map, B.map, C.map, scales_A.map, scales_B.map};
  launch_early(c.kernel, blocks, NUM_THREADS, c.bytes, p, aligned, maps);
  C.copy_back(p.C, p.ldc, p.M, p.N);
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
