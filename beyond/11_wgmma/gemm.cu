// 11_wgmma: four warps together multiply tiles in shared memory that the TMA fills.
//
// Changed from 08_tensor_core_wmma: nearly everything but the problem. One thread asks for copies,
// eight warps multiply, and mbarriers stand between them.
// Needs: sm_90a
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I../.. gemm.cu
//   ../../common/harness/*/*.cu -o gemm -lcublas
#include <cuda_awbarrier_primitives.h>

#include "common/lesson.h"
#include "common/tensor_map.h"

using Input = half;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;

constexpr int BM = 128;  // rows of C per block
constexpr int BN = 256;  // columns of C per block
constexpr int BK = 64;  // depth of a shared tile
constexpr int STAGES = 4;  // pairs of tiles: one is multiplied while three are on their way
constexpr int MMA = 16;  // depth of one wgmma
constexpr int WM = 64;  // rows of one wgmma
constexpr int ATOM = 64;  // halves in a swizzled row of 128 bytes
constexpr int PATTERN = 8 * ATOM * sizeof(Input);  // bytes of 8 swizzled rows
constexpr int WARPGROUP = 128;  // threads that multiply together
constexpr int CONSUMERS = BM / WM;  // warpgroups that multiply; one more copies
constexpr int NUM_THREADS = (CONSUMERS + 1) * WARPGROUP;
constexpr int PRODUCER_REGISTERS = 24;  // of a thread that copies
constexpr int CONSUMER_REGISTERS = 240;  // of a thread that multiplies
static_assert((PRODUCER_REGISTERS + CONSUMERS * CONSUMER_REGISTERS) * WARPGROUP <= 65536,
              "a multiprocessor has no more");
static_assert(BK == ATOM, "a row of As is one swizzled row");

struct alignas(PATTERN) Shared {  // the swizzle's pattern begins at such an address
  Input As[STAGES][BM][ATOM], Bs[STAGES][BN / ATOM][BK][ATOM];
  __mbarrier_t full[STAGES], empty[STAGES];
};

__device__ unsigned shared_address(const void* pointer) {
  return __cvta_generic_to_shared(pointer);
}

// PTX: mbarrier.try_wait.parity. Returns when the phase of this parity has ended. The parity of the
// first, third ... phase is 0, of the second, fourth ... 1. The phase before the first has ended.
__device__ void mbarrier_wait_parity(__mbarrier_t& barrier, int parity) {
  for (int ended = 0; ended == 0;) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(shared_address(&barrier)), "r"(parity)
        : "memory");
  }
}

// PTX: mbarrier.arrive.expect_tx. Arrives. The phase also lasts until so many bytes have arrived.
__device__ void mbarrier_arrive_expect_tx(__mbarrier_t& barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
               "r"(bytes)
               : "memory");
}

// PTX: cp.async.bulk.tensor. Global to shared memory: a box of the matrix, swizzled, as the map says.
// One thread asks. TMA computes all addresses, turns elements outside the matrix into zeros, and adds
// the box's bytes to the barrier when they have arrived.
__device__ void cp_async_bulk_tensor_load(const CUtensorMap& map, int row, int col, void* shared,
                                          __mbarrier_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(shared)),
      "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier))
      : "memory");
}

// PTX: "Matrix Descriptor Format". Where an operand begins in shared memory, and its strides in bytes.
__device__ uint64_t matrix_descriptor(const void* shared, int leading, int stride) {
  const unsigned address = shared_address(shared) & 0x3ffff;  // 18 bits count
  uint64_t descriptor = address / 16;  // bits 0 to 13
  descriptor |= uint64_t(leading / 16) << 16;  // bits 16 to 29
  descriptor |= uint64_t(stride / 16) << 32;  // bits 32 to 45
  descriptor |= uint64_t(1) << 62;  // bits 62 and 63: swizzled by 128 bytes
  return descriptor;
}

// PTX: wgmma.mma_async. d += A * B for 64 x 256 elements of d and 16 of K. The last four numbers: A and
// B are not negated, neighbours in memory are neighbours along K in A, across K in B. An asm statement
// knows no arrays, so it names the registers of a thread one by one.
#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)
#define TEN(i) \
  "%" #i "0,%" #i "1,%" #i "2,%" #i "3,%" #i "4,%" #i "5,%" #i "6,%" #i "7,%" #i "8,%" #i "9,"
__device__ void wgmma_mma_async_f16(uint64_t a, uint64_t b, Acc (&d)[BN / 2]) {
  asm volatile(
      "{ .reg .pred add; setp.eq.u32 add, 0, 0; "
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" TEN() TEN(1) TEN(2) TEN(3) TEN(4)
      TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127"
      "}, %128, %129, add, 1, 1, 0, 1; }"
      : D16(0), D16(16), D16(32), D16(48), D16(64), D16(80), D16(96), D16(112)
      : "l"(a), "l"(b));
}

// No instruction. The compiler takes d for changed, so it moves no access to it past this place.
__device__ void wgmma_hold(Acc (&d)[BN / 2]) {
#pragma unroll
  for (int i = 0; i < BN / 2; i += 16) asm volatile("" : D16(i)::"memory");
}

// PTX: wgmma.wait_group. Returns when all groups but the LATEST are complete, which write to d.
template <int LATEST>
__device__ void wgmma_wait_group(Acc (&d)[BN / 2]) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LATEST) : "memory");
  wgmma_hold(d);
}

// Starts the products of one pair of tiles. As has 64 rows of 128 bytes: 8 of them are a pattern of
// the swizzle, and the next 8 follow (stride); K stays within a row (leading: 16). Bs is cut into
// pieces of 64 columns, which are 64 rows of 128 bytes: the next 8 of K follow after a pattern
// (stride), the next 64 columns after a whole piece (leading).
// PTX: wgmma.fence lets wgmma use registers that were written before. wgmma.commit_group makes one
// group of the products that have been started.
__device__ void outer_product(const Input (*As)[ATOM], const Input (*Bs)[BK][ATOM],
                              Acc (&acc)[BN / 2]) {
  wgmma_hold(acc);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int k = 0; k < BK; k += MMA) {
    const uint64_t a = matrix_descriptor(&As[0][k], 16, PATTERN);
    const uint64_t b = matrix_descriptor(Bs[0][k], sizeof(Bs[0]), PATTERN);
    wgmma_mma_async_f16(a, b, acc);
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Of each 16 columns a thread has two neighbours and the two 8 columns further on, in its row and in the
// row 8 below (PTX: "Register Fragments"). Lanes in pairs exchange one half. Then the even lane has four
// neighbours of the first 8 columns, the odd one four of the second 8.
__device__ void exchange(const Acc (&acc)[BN / 2], Acc (&sums)[BN / 2]) {
  const bool odd = threadIdx.x % 2 == 1;
#pragma unroll
  for (int i = 0; i < BN / 2; i += i % 4 == 1 ? 3 : 1) {
    const int first = i / 8 * 8 + i / 4 % 2 * 2 + i % 2,
              second = first + 4;  // 8 columns further on
    const Acc got = __shfl_xor_sync(~0u, odd ? acc[first] : acc[second], 1);
    sums[i] = odd ? got : acc[first];
    sums[i + 2] = odd ? acc[second] : got;
  }
}

// Exchanged sums to C. With beta == 0, C is not read: a NaN in it must not spread.
template <typename Vector>
__device__ void store_tile(const Problem& p, int row0, int col0, Acc (&sums)[BN / 2]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
  const auto for_each_vector = [&](auto use) {
#pragma unroll
    for (int i = 0; i < BN / 2; i += COUNT) {
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

// The producer: one thread, which runs ahead of the consumers.
__device__ void load_tiles(const CUtensorMap& A, const CUtensorMap& B, int row0, int col0,
                           int tiles, Shared& shared) {
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % STAGES, round = tile / STAGES, k0 = tile * BK;
    auto& full = shared.full[stage];
    mbarrier_wait_parity(shared.empty[stage], (round + 1) % 2);  // the last round has been read
    mbarrier_arrive_expect_tx(full, (BM + BN) * BK * int(sizeof(Input)));
    cp_async_bulk_tensor_load(A, row0, k0, shared.As[stage][0], full);
    for (int n = 0; n < BN / ATOM; ++n) {
      cp_async_bulk_tensor_load(B, k0, col0 + n * ATOM, shared.Bs[stage][n][0], full);
    }
  }
}

// A consumer: it multiplies 64 rows of each tile of A.
__device__ void multiply_tiles(const Problem& p, bool aligned, int row0, int col0, int tiles,
                               int warpgroup, Shared& shared) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Acc acc[BN / 2] = {};
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % STAGES, round = tile / STAGES;
    mbarrier_wait_parity(shared.full[stage], round % 2);
    outer_product(&shared.As[stage][warpgroup * WM], shared.Bs[stage], acc);
    wgmma_wait_group<1>(acc);  // the last tile has been multiplied: its stage is empty
    if (tile > 0 && lane == 0) __mbarrier_arrive(&shared.empty[(tile - 1) % STAGES]);
  }
  wgmma_wait_group<0>(acc);
  alignas(16) Acc sums[BN / 2];
  exchange(acc, sums);
  const int row = row0 + warp * 16 + lane / 4, col = col0 + lane % 2 * 8 + lane % 4 / 2 * 4;
  if (aligned) {
    store_tile<float4>(p, row, col, sums);
  } else {
    store_tile<Acc>(p, row, col, sums);
  }
}

__global__ void __launch_bounds__(NUM_THREADS, 1)
    gemm_kernel(Problem p, bool aligned, const __grid_constant__ CUtensorMap A,
                const __grid_constant__ CUtensorMap B) {
  alignas(PATTERN) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared*>(memory);
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // this block's corner of C
  const int warpgroup = threadIdx.x / WARPGROUP;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      __mbarrier_init(&shared.full[s], 1);  // the producer
      __mbarrier_init(&shared.empty[s], CONSUMERS * WARPGROUP / 32);  // each warp that multiplies
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // TMA must see them
  }
  __syncthreads();
  const int tiles = ceil_div(p.K, BK);
  if (warpgroup == CONSUMERS) {  // PTX: setmaxnreg
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(PRODUCER_REGISTERS));
    if (threadIdx.x == CONSUMERS * WARPGROUP) load_tiles(A, B, row0, col0, tiles, shared);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(CONSUMER_REGISTERS));
    multiply_tiles(p, aligned, row0, col0, tiles, warpgroup, shared);
  }
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  const TensorMap A(p.A, p.lda, p.M, p.K, BM, ATOM), B(p.B, p.ldb, p.K, p.N, BK, ATOM);
  const bool aligned = uintptr_t(p.C) % sizeof(float4) == 0 && (p.ldc | p.N) % 4 == 0;
  constexpr int BYTES = sizeof(Shared);
  CUDA_CHECK(cudaFuncSetAttribute(gemm_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  gemm_kernel<<<grid, NUM_THREADS, BYTES>>>(p, aligned, A.map, B.map);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
