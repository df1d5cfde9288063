// 11_wgmma: four warps together multiply tiles in shared memory that the copy engine (TMA) fills.
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
constexpr int WM = 64;  // rows of C per warpgroup, as wgmma has it
constexpr int TN = BN / 16;  // groups of 16 columns, of each of which a thread has 8 elements
constexpr int ATOM = 64;  // halves in a swizzled row of 128 bytes
constexpr int WARPGROUP = 128;  // threads that multiply together
constexpr int CONSUMERS = BM / WM;  // warpgroups that multiply; one more copies
constexpr int NUM_THREADS = (CONSUMERS + 1) * WARPGROUP;

struct alignas(1024) Shared {  // 8 swizzled rows are a pattern, which begins at such an address
  Input As[STAGES][BM][ATOM], Bs[STAGES][BN / ATOM][BK][ATOM];
  __mbarrier_t full[STAGES], empty[STAGES];
};
static_assert(BK == ATOM, "a row of As is one swizzled row");

__device__ unsigned shared_address(const void* pointer) {
  return __cvta_generic_to_shared(pointer);
}

// PTX: mbarrier.try_wait. Returns when the phase of this parity has ended: 0 for the first, third ...
// phase, 1 for the second, fourth ... and for one before the first, which counts as ended.
__device__ void wait(__mbarrier_t& barrier, int parity) {
  int ended = 0;
  while (ended == 0) {
    asm volatile(
        "{ .reg .pred p;\n"
        "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
        "selp.s32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(shared_address(&barrier)), "r"(parity)
        : "memory");
  }
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

// PTX: "Matrix Descriptor Format" of wgmma. Where an operand lies, in units of 16 bytes: its start,
// of which 18 bits count (above them an address has the block's rank in its cluster), in bits 16 on
// the leading, in bits 32 on the stride byte offset, in bits 62 on 1: swizzled by 128 bytes.
__device__ uint64_t descriptor(const Input* shared, int leading, int stride) {
  const uint64_t start = (shared_address(shared) & 0x3ffff) / 16;
  return start | uint64_t(leading / 16) << 16 | uint64_t(stride / 16) << 32 | uint64_t(1) << 62;
}

// PTX: wgmma.mma_async. acc += A * B for 64 x BN elements of C and 16 of K. The last four numbers: A
// and B are not negated, neighbours in memory are neighbours along K in A, across K in B. An asm
// statement knows no arrays, so the registers of a thread are named one by one.
#define ACC2(n, i, m) "+f"(acc[n][i][m][0]), "+f"(acc[n][i][m][1])
#define ACC8(n) ACC2(n, 0, 0), ACC2(n, 0, 1), ACC2(n, 1, 0), ACC2(n, 1, 1)
#define ACC32(n) ACC8(n), ACC8(n + 1), ACC8(n + 2), ACC8(n + 3)
#define TEN(i) \
  "%" #i "0,%" #i "1,%" #i "2,%" #i "3,%" #i "4,%" #i "5,%" #i "6,%" #i "7,%" #i "8,%" #i "9,"
__device__ void multiply(uint64_t a, uint64_t b, Acc (&acc)[TN][2][2][2]) {
  asm volatile(
      "{ .reg .pred add; setp.eq.u32 add, 0, 0; "
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" TEN() TEN(1) TEN(2) TEN(3) TEN(4)
      TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127"
      "}, %128, %129, add, 1, 1, 0, 1; }"
      : ACC32(0), ACC32(4), ACC32(8), ACC32(12)
      : "l"(a), "l"(b));
}

// Names all of acc as changed, so that the compiler moves nothing that reads or writes it past this place.
__device__ void hold(Acc (&acc)[TN][2][2][2]) {
#pragma unroll
  for (int n = 0; n < TN; n += 4) asm volatile("" : ACC32(n)::"memory");
}

// Starts the products of one pair of tiles. As has 64 rows of 128 bytes: 8 of them, 1024 bytes, are
// a pattern of the swizzle, and the next 8 follow (stride); K stays within a row (leading: 16). Bs is
// cut into pieces of 64 columns, which are 64 rows of 128 bytes: the next 8 of K follow after 1024
// bytes (stride), the next 64 columns after a whole piece (leading).
// PTX: wgmma.fence lets wgmma use registers that were written before; wgmma.commit_group makes one
// group of what was started.
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
template <int LATEST>
__device__ void wait_products(Acc (&acc)[TN][2][2][2]) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LATEST) : "memory");
  hold(acc);
}

// Of each 16 columns a thread has two neighbours and the two 8 columns further on, all this in its row
// and again in the row 8 below (PTX: "Register Fragments" of wgmma). Lanes in pairs exchange one half.
// Then the even lane has four neighbours of the first 8 columns, the odd one four of the second 8.
__device__ void exchange(const Acc (&acc)[TN][2][2][2], Acc (&sums)[2][TN * 4]) {
  const bool odd = threadIdx.x % 2 == 1;
#pragma unroll
  for (int i = 0; i < TN * 4; ++i) {
    const int n = i / 4, m = i / 2 % 2, j = i % 2;
    const Acc got = __shfl_xor_sync(~0u, odd ? acc[n][0][m][j] : acc[n][1][m][j], 1);
    sums[m][n * 4 + j] = odd ? got : acc[n][0][m][j];
    sums[m][n * 4 + 2 + j] = odd ? acc[n][1][m][j] : got;
  }
}

// Accumulators to C, a row: four columns of each 16. With beta == 0, C is not read: a NaN in it must
// not spread. All is read before any is written, so that no read waits for a write.
template <typename Vector>
__device__ void store_row(const Problem& p, int row, int col0, Acc (&sums)[TN * 4]) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
  const int cols = p.N - col0;
  if (row >= p.M) return;
  Acc* c = &p.C[row * p.ldc + col0];
#pragma unroll
  for (int i = 0; i < TN * 4; i += COUNT) {
    const int col = i / 4 * 16 + i % 4;
    const bool read = p.beta != 0 && col < cols;
    const Vector old = read ? *reinterpret_cast<Vector*>(&c[col]) : Vector{};
    const Acc* o = reinterpret_cast<const Acc*>(&old);
    for (int j = 0; j < COUNT; ++j) sums[i + j] = p.alpha * sums[i + j] + p.beta * o[j];
  }
#pragma unroll
  for (int i = 0; i < TN * 4; i += COUNT) {
    const int col = i / 4 * 16 + i % 4;
    if (col < cols) *reinterpret_cast<Vector*>(&c[col]) = *reinterpret_cast<Vector*>(&sums[i]);
  }
}

__global__ void __launch_bounds__(NUM_THREADS, 1)
    gemm_kernel(Problem p, bool aligned, const __grid_constant__ CUtensorMap A,
                const __grid_constant__ CUtensorMap B) {
  extern __shared__ Shared shared[];
  auto& [As, Bs, full, empty] = shared[0];
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;  // this block's corner of C
  const int warpgroup = threadIdx.x / WARPGROUP, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      __mbarrier_init(&full[s], 1);  // the producer
      __mbarrier_init(&empty[s], CONSUMERS * WARPGROUP / 32);  // each warp that multiplies
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy engine must see them
  }
  __syncthreads();
  const int tiles = ceil_div(p.K, BK);
  if (warpgroup == CONSUMERS) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");  // PTX: setmaxnreg
    if (threadIdx.x != CONSUMERS * WARPGROUP) return;
    for (int tile = 0; tile < tiles; ++tile) {
      const int stage = tile % STAGES, round = tile / STAGES, k0 = tile * BK;
      wait(empty[stage], (round + 1) % 2);  // the round before has been multiplied
      arrive_and_expect(full[stage], sizeof(As[0]) + sizeof(Bs[0]));
      load_tile(A, row0, k0, As[stage][0], full[stage]);
      for (int n = 0; n < BN; n += ATOM) {
        load_tile(B, k0, col0 + n, Bs[stage][n / ATOM][0], full[stage]);
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");  // what the producer gave back
    Acc acc[TN][2][2][2] = {};
    for (int tile = 0; tile < tiles; ++tile) {
      const int stage = tile % STAGES, round = tile / STAGES;
      wait(full[stage], round % 2);
      outer_product(&As[stage][warpgroup * WM], Bs[stage], acc);
      wait_products<1>(acc);  // the tile before has been multiplied: its place is empty
      if (tile > 0 && lane == 0) __mbarrier_arrive(&empty[(tile - 1) % STAGES]);
    }
    wait_products<0>(acc);
    alignas(16) Acc sums[2][TN * 4];
    exchange(acc, sums);
#pragma unroll
    for (int m = 0; m < 2; ++m) {
      const int row = row0 + warp * 16 + m * 8 + lane / 4;
      const int col = col0 + lane % 2 * 8 + lane % 4 / 2 * 4;
      if (aligned) {
        store_row<float4>(p, row, col, sums[m]);
      } else {
        store_row<Acc>(p, row, col, sums[m]);
      }
    }
  }
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  const dim3 grid(ceil_div(p.N, BN), ceil_div(p.M, BM));
  const TensorMap A(p.A, p.lda, p.M, p.K, BM, ATOM), B(p.B, p.ldb, p.K, p.N, BK, ATOM);
  const bool aligned = uintptr_t(p.C) % 16 == 0 && (p.ldc | p.N) % 4 == 0;
  constexpr int BYTES = sizeof(Shared);
  CUDA_CHECK(cudaFuncSetAttribute(gemm_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  gemm_kernel<<<grid, NUM_THREADS, BYTES>>>(p, aligned, A.map, B.map);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
