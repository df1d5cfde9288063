// 17_fp8_block_scales: FP8 inputs with a scale for each 128 of K; the sums of each 128 are promoted to FP32.
//
// Changed from 11_wgmma: Shared, outer_product(), promote(), store_tile(), load_tiles(), multiply_tiles(),
// gemm_kernel(), Config, gemm(). B is N x K. Blocks are persistent as in 12.
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
constexpr int WM = 64;  // rows of one wgmma
constexpr int PATTERN = 8 * BK;  // bytes of 8 swizzled rows
constexpr int CONSUMERS = 2;  // warpgroups that multiply; one more copies
constexpr int NUM_THREADS = (CONSUMERS + 1) * WARPGROUP;
constexpr int GROUP = 2048;  // rows of C that neighbouring blocks work on
constexpr int BOX = 4;  // scales of B that TMA brings at once: boxes begin at multiples of 16 bytes
struct alignas(4 * sizeof(Output)) Four {
  Output elements[4];
};
constexpr int PRODUCER_REGISTERS = 24;  // of a thread that copies
constexpr int CONSUMER_REGISTERS = 240;  // of a thread that multiplies
static_assert((PRODUCER_REGISTERS + CONSUMERS * CONSUMER_REGISTERS) * WARPGROUP <= 65536,
              "a multiprocessor has no more");
static_assert(BK == SCALED && sizeof(Input) == 1, "a step has one scale; a row has 128 bytes");

template <int BM, int BN>
struct alignas(PATTERN) Shared {  // the swizzle needs this alignment
  static constexpr int STEP_BYTES = (BM + BN) * BK + (BM + 32) * int(sizeof(Acc));
  static constexpr int STAGES = 226 * 1024 / STEP_BYTES;
  Input As[STAGES][BM][BK], Bs[STAGES][BN][BK];
  alignas(128) Acc scales_A[STAGES][BM], scales_B[STAGES][32];  // for boxes: multiples of 128 bytes
  __mbarrier_t full[STAGES], empty[STAGES];
};
template <int BM, int BN>
using Ring = RingPosition<Shared<BM, BN>::STAGES>;

// Starts the products of a step for 64 rows. Their sum starts at 0. Rows of A and of B lie along K, so the
// next 32 of K begin 32 bytes further; a descriptor counts in units of 16.
template <int N>
__device__ void outer_product(uint64_t a, uint64_t b, Acc (&acc)[N]) {
  wgmma_hold(acc);
  wgmma_fence();
#pragma unroll
  for (int k = 0; k < BK; k += MMA) wgmma_mma_async_e4m3(a + k / 16, b + k / 16, acc, k > 0);
  wgmma_commit_group();
}

// sums += scales * acc in FP32, rounded to nearest. Tensor cores keep only 14 bits of a sum of FP8 products,
// so a sum over all of K would lose its later terms. Each of the thread's two rows has a scale.
template <int N>
__device__ void promote(const Acc (&scales)[2], const Acc (&acc)[N], Acc (&sums)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) sums[i] += scales[row_of(i) / 8] * acc[i];
}

// Writes the accumulators to C. With beta == 0, C is not read, because a NaN in it would spread.
template <typename Vector, int N>
__device__ void store_tile(const Problem& p, int row0, int col0, Acc (&sums)[N]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Output);
  const auto for_each_vector = [&](auto use) {
#pragma unroll
    for (int i = 0; i < N; i += COUNT) {
      const int row = row0 + i / 4 % 2 * 8, col = col0 + i / 8 * 16 + i % 4;
      if (row < p.M && col < p.N) use(&sums[i], &p.C[row * p.ldc + col]);
    }
  };
  for_each_vector([&](Acc* sum, const Output* c) {
    const Vector old = p.beta == 0 ? Vector{} : *reinterpret_cast<const Vector*>(c);
    const Output* o = reinterpret_cast<const Output*>(&old);
    for (int j = 0; j < COUNT; ++j) sum[j] = p.alpha * sum[j] + p.beta * Acc(o[j]);
  });
  for_each_vector([&](const Acc* sum, Output* c) {  // all is read by now: no read waits for a write
    Vector rounded;
    for (int j = 0; j < COUNT; ++j) reinterpret_cast<Output*>(&rounded)[j] = Output(sum[j]);
    *reinterpret_cast<Vector*>(c) = rounded;
  });
}

template <int N>
__device__ void store_tile(const Problem& p, bool aligned, int row, int col, const Acc (&acc)[N]) {
  Acc sums[N];
  exchange(acc, sums);
  aligned ? store_tile<Four>(p, row, col, sums) : store_tile<Output>(p, row, col, sums);
}

struct Maps {
  CUtensorMap A, B, scales_A, scales_B;
};

// The producer: one thread, which runs ahead of the consumers.
template <int BM, int BN>
__device__ void load_tiles(const Maps& maps, int steps, int row0, int col0, Shared<BM, BN>& shared,
                           Ring<BM, BN>& at) {
  for (int step = 0; step < steps; ++step, at.advance()) {
    const int k0 = step * BK;
    auto& full = shared.full[at.stage];
    mbarrier_wait_parity(shared.empty[at.stage], at.parity ^ 1);  // the consumers have read it
    mbarrier_arrive_expect_tx(full, (BM + BN) * BK + (BM + BOX) * int(sizeof(Acc)));
    cp_async_bulk_tensor_load(maps.A, row0, k0, shared.As[at.stage], full);
    cp_async_bulk_tensor_load(maps.B, col0, k0, shared.Bs[at.stage], full);
    cp_async_bulk_tensor_load(maps.scales_A, step, row0, shared.scales_A[at.stage], full);
    cp_async_bulk_tensor_load(maps.scales_B, col0 / SCALED, step / BOX * BOX,
                              shared.scales_B[at.stage], full);
  }
}

// A consumer: it multiplies its half of each tile's rows, 64 at a time. While it promotes, the tensor cores
// work for the other consumer.
template <int BM, int BN>
__device__ void multiply_tiles(const Problem& p, bool aligned, int steps, int row0, int col0,
                               Shared<BM, BN>& shared, Ring<BM, BN>& at) {
  const int warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  constexpr int TM = BM / CONSUMERS / WM;
  const int m0 = warp / 4 * TM * WM, warp_row = warp % 4 * 16;
  Acc sums[TM][BN / 2] = {};
  for (int step = 0; step < steps; ++step, at.advance()) {
    mbarrier_wait_parity(shared.full[at.stage], at.parity);
#pragma unroll
    for (int m = 0; m < TM; ++m) {
      const int row = m0 + m * WM;
      Acc acc[BN / 2];
      outer_product(matrix_descriptor(shared.As[at.stage][row], 16, PATTERN),
                    matrix_descriptor(shared.Bs[at.stage], 16, PATTERN), acc);
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
    const int row = row0 + m0 + m * WM + warp_row, col = col0 + lane % 2 * 8 + lane % 4 / 2 * 4;
    store_tile(p, aligned, row + lane / 4, col, sums[m]);
  }
}

template <int BM, int BN>
__global__ void __launch_bounds__(NUM_THREADS, 1)
    gemm_kernel(Problem p, bool aligned, const __grid_constant__ Maps maps) {
  alignas(PATTERN) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared<BM, BN>*>(memory);
  const int warpgroup = __shfl_sync(~0u, threadIdx.x / WARPGROUP, 0);  // uniform
  if (threadIdx.x == 0) {
    for (int s = 0; s < Shared<BM, BN>::STAGES; ++s) {
      __mbarrier_init(&shared.full[s], 1);  // the producer
      __mbarrier_init(&shared.empty[s], CONSUMERS * WARPGROUP / 32);  // warps that multiply
    }
    fence_proxy_async();  // TMA must see them
  }
  __syncthreads();  // all barriers exist before anyone arrives
  cudaGridDependencySynchronize();  // the kernel ahead of this one in the stream has ended
  const int steps = ceil_div(p.K, BK);
  Ring<BM, BN> at;
  if (warpgroup == CONSUMERS) {
    setmaxnreg_dec<PRODUCER_REGISTERS>();
    if (threadIdx.x != CONSUMERS * WARPGROUP) return;
    for_each_tile<BM, BN, GROUP / BM>(
        p.M, p.N, [&](int row0, int col0) { load_tiles(maps, steps, row0, col0, shared, at); });
  } else {
    setmaxnreg_inc<CONSUMER_REGISTERS>();  // from the producer
    for_each_tile<BM, BN, GROUP / BM>(p.M, p.N, [&](int row0, int col0) {
      multiply_tiles(p, aligned, steps, row0, col0, shared, at);
    });
  }
}

struct Config {
  int BM, BN, bytes;
  void (*kernel)(Problem, bool, Maps);
};
template <int BM, int BN>
constexpr Config CONFIG{BM, BN, sizeof(Shared<BM, BN>), gemm_kernel<BM, BN>};
const Config LARGE = CONFIG<256, 128>, SMALL = CONFIG<128, 64>;

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const auto tiles = [&](const Config& c) { return ceil_div(p.M, c.BM) * ceil_div(p.N, c.BN); };
  const int multiprocessors = count_multiprocessors();
  const Config c = tiles(SMALL) <= multiprocessors ? SMALL : LARGE;  // if all run at once
  const int scales = ceil_div(p.K, SCALED);  // of each row of A
  const TensorMap A(p.A, p.lda, p.M, p.K, c.BM, BK), B(p.B, p.ldb, p.N, p.K, c.BN, BK),
      scales_A(p.scales_A, p.M, scales, p.M, 1, c.BM),
      scales_B(p.scales_B, scales, ceil_div(p.N, SCALED), scales, 1, BOX);
  const bool aligned = uintptr_t(p.C) % sizeof(Four) == 0 && (p.ldc | p.N) % 4 == 0;
  const Maps maps{A.map, B.map, scales_A.map, scales_B.map};
  launch_early(c.kernel, min(tiles(c), multiprocessors), NUM_THREADS, c.bytes, p, aligned, maps);
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
