// 15_fp32_on_tensor_cores: each FP32 input split into three BF16 pieces, six products instead of one.
//
// Changed from 11_wgmma: Shared, split_kernel(), split(), outer_product(), add(), recompute(), Maps, load_tiles(),
// multiply_tiles(), gemm_kernel(), gemm(). Blocks are persistent as in 12, consumers take turns as in 14.
// Needs: sm_90a
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I../.. gemm.cu
//   ../../common/harness/*/*.cu -o gemm -lcublas
#include <cuda_bf16.h>

#include "common/hopper.h"
#include "common/lesson.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;
using Piece = __nv_bfloat16;  // 8 significant bits and the exponents of a float

constexpr int PRODUCTS = 6;  // of pieces for one product: 3, 6 or 9
constexpr int BM = 128;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 32;  // depth of a shared tile; a row of As has 64 bytes
constexpr int MMA = 16;  // depth of one wgmma
constexpr int WM = 64;  // rows of one wgmma
constexpr int ATOM = 64;  // elements of 16 bits in a swizzled row of 128 bytes
constexpr int PATTERN = 8 * ATOM * sizeof(Piece);  // bytes of 8 swizzled rows
constexpr int GROUP = 8;  // rows of tiles that neighbouring blocks work on
constexpr int FOLD = 32;  // steps summed in `near` before they go to `sums`
constexpr int PIECES = PRODUCTS == 3 ? 2 : 3;  // of an element
constexpr int LAST = PRODUCTS == 9 ? 4 : PIECES - 1;  // largest i + j of a product of pieces i, j
constexpr int STAGES = PRODUCTS == 3 ? 6 : 4;  // in shared memory
constexpr int CONSUMERS = BM / WM;  // warpgroups that multiply; one more copies
constexpr int NUM_THREADS = (CONSUMERS + 1) * WARPGROUP;
constexpr int PRODUCER_REGISTERS = 24;  // of a thread that copies
constexpr int CONSUMER_REGISTERS = 240;  // of a thread that multiplies
static_assert((PRODUCER_REGISTERS + CONSUMERS * CONSUMER_REGISTERS) * WARPGROUP <= 65536,
              "a multiprocessor has no more");

struct alignas(PATTERN) Shared {  // the swizzle needs this alignment
  Piece As[STAGES][PIECES][BM][BK], Bs[STAGES][PIECES][BN / ATOM][BK][ATOM];
  __mbarrier_t full[STAGES], empty[STAGES];
};
using Ring = RingPosition<STAGES>;
using Sums = Acc[BN / 2];  // of a thread; where they lie: wgmma_mma_async in hopper.h

// Piece 0 of an element is the nearest BF16 number, piece 1 the nearest to what is left, and so on;
// pieces lie in matrices one behind the other. Where they do not add up to the element, piece 0 is
// NaN, and recompute() will find it: infinity, NaN, what rounds to infinity, and some numbers below
// 2^-110, whose last bits are less than the least BF16 number.
template <typename Vector>
__global__ void split_kernel(const Input* from, int64_t from_ld, Piece* to, int64_t to_ld, int rows,
                             int cols) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input);
  constexpr Input LOST = PIECES == 3 ? 0 : 0x1p-17f;  // share of a number that pieces may lack
  const int64_t col = (blockIdx.x * int64_t(blockDim.x) + threadIdx.x) * COUNT;
  if (col >= cols) return;
#pragma unroll 4
  for (int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
    const Vector vector = *reinterpret_cast<const Vector*>(&from[row * from_ld + col]);
    const Input* elements = reinterpret_cast<const Input*>(&vector);
    alignas(8) Piece pieces[PIECES][COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
      Input rest = elements[i];
#pragma unroll
      for (int piece = 0; piece < PIECES; ++piece) {
        pieces[piece][i] = __float2bfloat16_rn(rest);
        rest -= __bfloat162float(pieces[piece][i]);
      }
      if (!(fabsf(rest) <= LOST * fabsf(elements[i]))) pieces[0][i] = __float2bfloat16_rn(NAN);
    }
#pragma unroll
    for (int piece = 0; piece < PIECES; ++piece) {
      Piece* there = &to[(piece * int64_t(rows) + row) * to_ld + col];
      using Group = std::conditional_t<COUNT == 4, uint2, Piece>;
      *reinterpret_cast<Group*>(there) = *reinterpret_cast<Group*>(pieces[piece]);
    }
  }
}

// The pieces of a matrix, for as long as the result lives, in the order of the default stream, and their maps.
// Box: rows and columns of a tile.
StreamMemory<Piece> split(const Input* matrix, int64_t ld, int rows, int cols, int box_rows,
                          int box_cols, CUtensorMap (&maps)[PIECES]) {
  if (rows == 0 || cols == 0) return nullptr;
  const int unit = cols < ATOM ? 8 : ATOM;  // rows of 128 bytes or more begin at a line of L2
  const int64_t pieces_ld = ceil_div(cols, unit) * int64_t(unit);
  auto pieces = allocate_async<Piece>(pieces_ld * rows * PIECES);
  const bool aligned = uintptr_t(matrix) % 16 == 0 && (ld | cols) % 4 == 0;
  const dim3 grid(ceil_div(cols, aligned ? 4 * 256 : 256), min(ceil_div(rows, 4), 65535));
  const auto kernel = aligned ? split_kernel<float4> : split_kernel<Input>;
  kernel<<<grid, 256>>>(matrix, ld, pieces.get(), pieces_ld, rows, cols);
  CUDA_CHECK(cudaGetLastError());
  for (int piece = 0; piece < PIECES; ++piece) {
    const Piece* first = &pieces[pieces_ld * rows * piece];
    maps[piece] = TensorMap(first, pieces_ld, rows, cols, box_rows, box_cols).map;
  }
  return pieces;
}

// Starts the products of a step: acc = their sum. Those of small pieces come first, while acc is small
// and the tensor cores, which truncate what does not fit into it, lose little. The smallest of all
// (i + j > LAST) are left out. a, b: descriptors of the first pieces.
__device__ void outer_product(uint64_t a, uint64_t b, Sums& acc) {
  constexpr int A_PIECE = BM * BK * sizeof(Piece) / 16, B_PIECE = BN * BK * sizeof(Piece) / 16;
  constexpr int A_STEP = MMA * sizeof(Piece) / 16, B_STEP = MMA * ATOM * sizeof(Piece) / 16;
  wgmma_hold(acc);
  wgmma_fence();
  bool add = false;
#pragma unroll
  for (int both = LAST; both >= 0; --both) {
#pragma unroll
    for (int i = max(0, both - PIECES + 1); i <= min(both, PIECES - 1); ++i) {
#pragma unroll
      for (int k = 0; k < BK / MMA; ++k, add = true) {
        wgmma_mma_async_bf16(a + i * A_PIECE + k * A_STEP, b + (both - i) * B_PIECE + k * B_STEP,
                             acc, add);
      }
    }
  }
  wgmma_commit_group();
}

// In FP32, rounded to nearest. The sum of all steps soon dwarfs a step's sum, whose low bits would be
// lost. So FOLD steps are summed by themselves first.
__device__ void add(Sums& sums, Sums& near, const Sums& acc, bool fold) {
#pragma unroll
  for (int i = 0; i < BN / 2; ++i) {
    near[i] += acc[i];
    if (fold) {
      sums[i] += near[i];
      near[i] = 0;
    }
  }
}

// Recomputes infinite or NaN sums in FP32 from the inputs. A thread that has one recomputes all of its
// sums, for each k from two elements of A and 32 of B. Finite ones stay.
__device__ void recompute(const Problem& p, int row0, int col0, Sums& sums) {
  bool lost = false;
#pragma unroll
  for (int i = 0; i < BN / 2; ++i) lost |= !isfinite(sums[i]);
  if (!lost) return;
  const Input* const first = &p.A[min(row0, p.M - 1) * p.lda];
  const Input* const second = &p.A[min(row0 + 8, p.M - 1) * p.lda];
  const int cols = p.N - col0;
  Sums again = {};
#pragma unroll 1
  for (int k = 0; k < p.K; ++k) {
    const Input a[] = {first[k], second[k]};
    const Input* const row = &p.B[k * p.ldb + col0];
#pragma unroll
    for (int i = 0; i < BN / 2; ++i) {
      if (row_of(i) > 0) continue;
      const Input b = col_of(i) < cols ? row[col_of(i)] : 0;
      again[i] += a[0] * b;
      again[i + 2] += a[1] * b;  // 8 rows below
    }
  }
#pragma unroll
  for (int i = 0; i < BN / 2; ++i) {
    if (!isfinite(sums[i])) sums[i] = again[i];
  }
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
  CUtensorMap A[PIECES], B[PIECES];
};

// The producer: one thread, which runs ahead of the consumers.
__device__ void load_tiles(const Maps& maps, int steps, int row0, int col0, Shared& shared,
                           Ring& at) {
  for (int step = 0; step < steps; ++step, at.advance()) {
    const int k0 = step * BK;
    auto& full = shared.full[at.stage];
    mbarrier_wait_parity(shared.empty[at.stage], at.parity ^ 1);  // the consumers have read it
    mbarrier_arrive_expect_tx(full, PIECES * (BM + BN) * BK * int(sizeof(Piece)));
    for (int i = 0; i < PIECES; ++i) {
      cp_async_bulk_tensor_load(maps.A[i], row0, k0, shared.As[at.stage][i][0], full);
      for (int n = 0; n < BN / ATOM; ++n) {
        const int col = col0 + n * ATOM;
        cp_async_bulk_tensor_load(maps.B[i], k0, col, shared.Bs[at.stage][i][n][0], full);
      }
    }
  }
}

// A consumer: it multiplies 64 rows of each tile of A.
// It adds up the sums of one step while the other consumer's products run.
__device__ void multiply_tiles(const Problem& p, bool aligned, int steps, int row0, int col0,
                               int warpgroup, Shared& shared, Ring& at) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Sums sums = {}, near = {}, acc = {};
  for (int step = 0; step < steps; ++step, at.advance()) {
    mbarrier_wait_parity(shared.full[at.stage], at.parity);
    wait_for_turn(warpgroup);
    auto& A = shared.As[at.stage][0];  // its rows have 64 bytes, half of a pattern's
    outer_product(matrix_descriptor(A[warpgroup * WM], 16, PATTERN / 2, Swizzle::BYTES_64),
                  matrix_descriptor(shared.Bs[at.stage], sizeof(shared.Bs[0][0][0]), PATTERN), acc);
    pass_turn(warpgroup);
    wgmma_wait_group<0>(acc);
    if (lane == 0) __mbarrier_arrive(&shared.empty[at.stage]);
    add(sums, near, acc, step % FOLD == FOLD - 1 || step == steps - 1);
  }
  const int row = row0 + warp * 16 + lane / 4, col = col0 + lane % 2 * 8 + lane % 4 / 2 * 4;
  recompute(p, row, col0 + lane % 4 * 2, sums);
  store_tile(p, aligned, row, col, sums);
}

__global__ void __launch_bounds__(NUM_THREADS, 1)
    gemm_kernel(Problem p, bool aligned, const __grid_constant__ Maps maps) {
  alignas(PATTERN) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared*>(memory);
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
    for_each_tile<BM, BN, GROUP>(
        p.M, p.N, [&](int row0, int col0) { load_tiles(maps, steps, row0, col0, shared, at); });
  } else {
    setmaxnreg_inc<CONSUMER_REGISTERS>();  // from the producer
    if (warpgroup == 1) pass_turn(warpgroup);  // consumer 0 is first
    for_each_tile<BM, BN, GROUP>(p.M, p.N, [&](int row0, int col0) {
      multiply_tiles(p, aligned, steps, row0, col0, warpgroup, shared, at);
    });
    if (warpgroup == 0) wait_for_turn(warpgroup);  // nobody leaves while the other arrives
  }
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  Maps maps{};
  const auto A = split(p.A, p.lda, p.M, p.K, BM, BK, maps.A);
  const auto B = split(p.B, p.ldb, p.K, p.N, BK, ATOM, maps.B);
  const bool aligned = uintptr_t(p.C) % sizeof(float4) == 0 && (p.ldc | p.N) % 4 == 0;
  const int blocks = min(ceil_div(p.M, BM) * ceil_div(p.N, BN), count_multiprocessors());
  constexpr int BYTES = sizeof(Shared);
  CUDA_CHECK(cudaFuncSetAttribute(gemm_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  gemm_kernel<<<blocks, NUM_THREADS, BYTES>>>(p, aligned, maps);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
