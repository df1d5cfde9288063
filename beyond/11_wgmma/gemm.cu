// 11_wgmma: four warps together multiply tiles in shared memory that the TMA fills.
//
// Changed from 08_tensor_core_wmma: nearly everything but the problem. PTX instructions are in hopper.h.
// Needs: sm_90a
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I../.. gemm.cu
//   ../../common/harness/*/*.cu -o gemm -lcublas
#include "common/hopper.h"
#include "common/lesson.h"

using Input = half;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 256;  // columns of C per block
constexpr int BK = 64;  // depth of a shared tile
constexpr int STAGES = 4;  // pairs of tiles: one is multiplied while three are on their way
constexpr int MMA = 16;  // depth of one wgmma
constexpr int WM = 64;  // rows of one wgmma
constexpr int ATOM = 64;  // elements of 16 bits in a swizzled row of 128 bytes
constexpr int PATTERN = 8 * ATOM * sizeof(Input);  // bytes of 8 swizzled rows
constexpr int CONSUMERS = BM / WM;  // warpgroups that multiply; one more copies
constexpr int NUM_THREADS = (CONSUMERS + 1) * WARPGROUP;
constexpr int PRODUCER_REGISTERS = 24;  // of a thread that copies
constexpr int CONSUMER_REGISTERS = 240;  // of a thread that multiplies
static_assert((PRODUCER_REGISTERS + CONSUMERS * CONSUMER_REGISTERS) * WARPGROUP <= 65536,
              "a multiprocessor has no more");
static_assert(BK == ATOM, "a row of As is one swizzled row");

struct alignas(PATTERN) Shared {  // the swizzle needs this alignment
  Input As[STAGES][BM][ATOM], Bs[STAGES][BN / ATOM][BK][ATOM];
  __mbarrier_t full[STAGES], empty[STAGES];
};
using Ring = RingPosition<STAGES>;

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

struct Maps {
  CUtensorMap A, B;
};

// The producer: one thread, which runs ahead of the consumers.
__device__ void load_tiles(const Maps& maps, int steps, int row0, int col0, Shared& shared,
                           Ring& at) {
  for (int step = 0; step < steps; ++step, at.advance()) {
    const int k0 = step * BK;
    auto& full = shared.full[at.stage];
    mbarrier_wait_parity(shared.empty[at.stage], at.parity ^ 1);  // the consumers have read it
    mbarrier_arrive_expect_tx(full, (BM + BN) * BK * int(sizeof(Input)));
    cp_async_bulk_tensor_load(maps.A, row0, k0, shared.As[at.stage][0], full);
    for (int n = 0; n < BN / ATOM; ++n) {
      cp_async_bulk_tensor_load(maps.B, k0, col0 + n * ATOM, shared.Bs[at.stage][n][0], full);
    }
  }
}

// A consumer: it multiplies 64 rows of each tile of A.
__device__ void multiply_tiles(const Problem& p, bool aligned, int steps, int row0, int col0,
                               int warpgroup, Shared& shared, Ring& at) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Acc acc[BN / 2] = {};
  for (int step = 0; step < steps; ++step, at.advance()) {
    mbarrier_wait_parity(shared.full[at.stage], at.parity);
    // The swizzle repeats every 8 rows, so stride is PATTERN. Bs has boxes of 64 columns: its leading is a box.
    outer_product(matrix_descriptor(shared.As[at.stage][warpgroup * WM], 16, PATTERN),
                  matrix_descriptor(shared.Bs[at.stage], sizeof(shared.Bs[0][0]), PATTERN), acc);
    wgmma_wait_group<1>(acc);  // the step before has been multiplied: its stage is empty
    if (step > 0 && lane == 0) __mbarrier_arrive(&shared.empty[(at.stage + STAGES - 1) % STAGES]);
  }
  wgmma_wait_group<0>(acc);
  const int row = row0 + warp * 16 + lane / 4, col = col0 + lane % 2 * 8 + lane % 4 / 2 * 4;
  store_tile(p, aligned, row, col, acc);
}

__global__ void __launch_bounds__(NUM_THREADS, 1)
    gemm_kernel(Problem p, bool aligned, const __grid_constant__ Maps maps) {
  alignas(PATTERN) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared*>(memory);
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // the block's origin in C
  const int warpgroup = __shfl_sync(~0u, threadIdx.x / WARPGROUP, 0);  // uniform
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      __mbarrier_init(&shared.full[s], 1);  // the producer
      __mbarrier_init(&shared.empty[s], CONSUMERS * WARPGROUP / 32);  // warps that multiply
    }
    fence_proxy_async();  // TMA must see them
  }
  __syncthreads();  // all barriers exist before anyone arrives
  const int steps = ceil_div(p.K, BK);
  Ring at;
  if (warpgroup == CONSUMERS) {
    setmaxnreg_dec<PRODUCER_REGISTERS>();
    if (threadIdx.x != CONSUMERS * WARPGROUP) return;
    load_tiles(maps, steps, row0, col0, shared, at);
  } else {
    setmaxnreg_inc<CONSUMER_REGISTERS>();  // from the producer
    multiply_tiles(p, aligned, steps, row0, col0, warpgroup, shared, at);
  }
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  const TensorMap A(p.A, p.lda, p.M, p.K, BM, ATOM), B(p.B, p.ldb, p.K, p.N, BK, ATOM);
  const bool aligned = uintptr_t(p.C) % sizeof(float4) == 0 && (p.ldc | p.N) % 4 == 0;
  constexpr int BYTES = sizeof(Shared);
  CUDA_CHECK(cudaFuncSetAttribute(gemm_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  gemm_kernel<<<grid, NUM_THREADS, BYTES>>>(p, aligned, {A.map, B.map});
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
