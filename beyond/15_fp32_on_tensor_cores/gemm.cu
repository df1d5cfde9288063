// 15_fp32_on_tensor_cores: FP32 inputs as three BF16 pieces each, and six products of pieces for one.
//
// Changed from 12_persistent: split(), load_tile(), multiply(), outer_product(), add(), recompute(), gemm_kernel(),
// CONFIGS, cycles(), gemm(); without pairs and shares of K.
// Needs: sm_90a
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I../.. gemm.cu
//   ../../common/harness/*/*.cu -o gemm -lcublas
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>

#include "common/lesson.h"
#include "common/tensor_map.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;
using Piece = __nv_bfloat16;  // 8 significant bits and the exponents of a float

constexpr int PRODUCTS = 6;  // of pieces for one product: 3, 6 or 9
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 64;  // depth of a shared tile
constexpr int MMA = 16;  // depth of one wgmma
constexpr int WM = 64;  // rows of C per warpgroup, as wgmma has it
constexpr int ATOM = 64;  // pieces in a swizzled row of 128 bytes
constexpr int WARPGROUP = 128;  // threads that multiply together
constexpr int GROUP = 8;  // rows of tiles that neighbouring blocks work on
constexpr int PIECES = PRODUCTS == 3 ? 2 : 3;  // of an element
constexpr int LAST =
    PRODUCTS == 9 ? 4 : PIECES - 1;  // most that the numbers of two pieces add up to
constexpr int TN = BN / 16;  // groups of 16 columns, of each of which a thread has 8 sums
using Sums = Acc[TN][2][2][2];
static_assert(BK == ATOM, "a row of As is one swizzled row");

template <int BM>
struct alignas(1024) Shared {  // 8 swizzled rows are a pattern, which begins at such an address
  static constexpr int STAGES = 226 * 1024 / ((BM + BN) * BK * PIECES * sizeof(Piece));
  Piece As[STAGES][PIECES][BM][ATOM], Bs[STAGES][PIECES][BN / ATOM][BK][ATOM];
  __mbarrier_t full[STAGES], empty[STAGES];
};

// Piece 0 of an element is the nearest number that a piece can be, piece 1 the nearest to what is left, and so on. They
// lie in matrices one behind the other. What they do not hold well enough is NaN in piece 0, which recompute() will
// see: infinity, NaN, and numbers below 2^-110, whose last bits are below a piece's least.
template <typename Vector>
__global__ void split_kernel(const Input* from, int64_t from_ld, Piece* to, int64_t to_ld, int rows,
                             int cols) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Input);
  constexpr Input LOST = PIECES == 3 ? 0 : 0x1p-17f;  // of an element: three have all its bits
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
      if constexpr (COUNT == 4)
        *reinterpret_cast<uint2*>(there) = *reinterpret_cast<uint2*>(pieces[piece]);
      if constexpr (COUNT == 1) *there = pieces[piece][0];
    }
  }
}

struct Maps {
  CUtensorMap of[PIECES];
};

// The pieces of a matrix, for as long as this object lives, in the order of the default stream.
struct Pieces {
  StreamMemory<Piece> memory;
  Maps maps{};

  // Box: rows and columns of a tile.
  Pieces(const Input* matrix, int64_t ld, int rows, int cols, int box_rows, int box_cols) {
    if (rows == 0 || cols == 0) return;
    const int64_t pieces_ld = ceil_div(cols, 8) * int64_t(8);
    memory = allocate_async<Piece>(pieces_ld * rows * PIECES);
    const bool aligned = uintptr_t(matrix) % 16 == 0 && (ld | cols) % 4 == 0;
    const dim3 grid(ceil_div(cols, aligned ? 4 * 256 : 256), min(ceil_div(rows, 4), 65535));
    const auto kernel = aligned ? split_kernel<float4> : split_kernel<Input>;
    kernel<<<grid, 256>>>(matrix, ld, memory.get(), pieces_ld, rows, cols);
    CUDA_CHECK(cudaGetLastError());
    for (int piece = 0; piece < PIECES; ++piece) {
      const Piece* first = &memory[pieces_ld * rows * piece];
      maps.of[piece] = TensorMap(first, pieces_ld, rows, cols, box_rows, box_cols).map;
    }
  }
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

// PTX: mbarrier.arrive.expect_tx. Arrives, and lets the phase last until so many bytes have, too.
__device__ void arrive_and_expect(__mbarrier_t& barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
               "r"(bytes)
               : "memory");
}

// PTX: cp.async.bulk.tensor. Global to shared memory: a box of the matrix, swizzled, as the map says.
// One thread asks; the copy engine computes all addresses, turns what lies outside of the matrix
// into zeros, and adds the box's bytes to the barrier when they have arrived.
__device__ void load_tile(const CUtensorMap& map, int row, int col, Piece* shared,
                          __mbarrier_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(shared)),
      "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier))
      : "memory");
}

// PTX: "Matrix Descriptor Format" of wgmma. As in 11_wgmma.
__device__ uint64_t descriptor(const Piece* shared, int leading, int stride) {
  const uint64_t start = shared_address(shared) / 16;
  return start | uint64_t(leading / 16) << 16 | uint64_t(stride / 16) << 32 | uint64_t(1) << 62;
}

// PTX: wgmma.mma_async. acc = A * B for 64 x BN elements of C and 16 of K, with add acc += A * B. The last four
// numbers: A and B are not negated, neighbours in memory are neighbours along K in A, across K in B. An asm
// statement knows no arrays, so the registers of a thread are named one by one.
#define ACC2(n, i, m) "+f"(acc[n][i][m][0]), "+f"(acc[n][i][m][1])
#define ACC8(n) ACC2(n, 0, 0), ACC2(n, 0, 1), ACC2(n, 1, 0), ACC2(n, 1, 1)
#define ACC32(n) ACC8(n), ACC8(n + 1), ACC8(n + 2), ACC8(n + 3)
#define TEN(i) \
  "%" #i "0,%" #i "1,%" #i "2,%" #i "3,%" #i "4,%" #i "5,%" #i "6,%" #i "7,%" #i "8,%" #i "9,"
__device__ void multiply(uint64_t a, uint64_t b, Sums& acc, bool add) {
  static_assert(BN == 128, "64 registers");
  asm volatile(
      "{ .reg .pred add; setp.ne.s32 add, %66, 0; "
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{" TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) "%60,%61,%62,%63}, %64, %65, add, 1, 1, 0, 1; }"
      : ACC32(0), ACC32(4)
      : "l"(a), "l"(b), "r"(int(add)));
}

// Says that acc is read and written here, so that the compiler moves nothing of it past this place.
__device__ void hold(Sums& acc) {
#pragma unroll
  for (int n = 0; n < TN; ++n) asm volatile("" : ACC8(n)::"memory");
}

// Starts the products of one piece of A's tile and one of B's, which lie as in 11_wgmma.
__device__ void outer_product(const Piece (*As)[ATOM], const Piece (*Bs)[BK][ATOM], Sums& acc,
                              bool add) {
  constexpr int PATTERN = 8 * ATOM * sizeof(Piece);
#pragma unroll
  for (int k = 0; k < BK; k += MMA) {
    multiply(descriptor(&As[0][k], 16, PATTERN), descriptor(Bs[0][k], sizeof(Bs[0]), PATTERN), acc,
             add || k > 0);
  }
}

// PTX: wgmma.commit_group makes one group of what was started; wgmma.wait_group returns when all but
// the latest groups, so many, are complete.
__device__ void commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Starts the products of a step: those of the first pieces, which make up nearly all of the sum, and as another group
// the others, the smaller the larger i + j: of six, a0 b1, a1 b0, a0 b2, a1 b1 and a2 b0.
// PTX: wgmma.fence lets wgmma use registers that were written before.
template <int BM>
__device__ void multiply_step(const Piece (&As)[PIECES][BM][ATOM],
                              const Piece (&Bs)[PIECES][BN / ATOM][BK][ATOM], int m, Sums& first,
                              Sums& others) {
  hold(first);
  hold(others);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  outer_product(&As[0][m], Bs[0], first, false);
  commit();
#pragma unroll
  for (int i = 0; i < PIECES; ++i) {
#pragma unroll
    for (int j = 0; j < PIECES; ++j) {
      if (i + j > 0 && i + j <= LAST) outer_product(&As[i][m], Bs[j], others, true);
    }
  }
  commit();
}

template <int LATEST>
__device__ void wait_products(Sums& acc) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LATEST) : "memory");
  hold(acc);
}

// In FP32, rounded to nearest: what tensor cores do not do.
__device__ void add(Sums& sums, const Sums& acc) {
#pragma unroll
  for (int i = 0; i < TN * 8; ++i)
    sums[i / 8][i / 4 % 2][i / 2 % 2][i % 2] += acc[i / 8][i / 4 % 2][i / 2 % 2][i % 2];
}

// Sums that are infinite or NaN, from the inputs, as 02 does it. Nearly all threads have none.
__device__ void recompute(const Problem& p, int row0, int col0, Sums& sums) {
  Acc zero = 0;
#pragma unroll
  for (int i = 0; i < TN * 8; ++i) zero += 0 * sums[i / 8][i / 4 % 2][i / 2 % 2][i % 2];
  if (zero == 0) return;
#pragma unroll
  for (int i = 0; i < TN * 8; ++i) {
    Acc& sum = sums[i / 8][i / 4 % 2][i / 2 % 2][i % 2];
    const int row = row0 + i / 2 % 2 * 8, col = col0 + i / 4 * 8 + i % 2;
    if (isfinite(sum) || row >= p.M || col >= p.N) continue;
    sum = 0;
#pragma unroll 1
    for (int k = 0; k < p.K; ++k) sum += p.A[row * p.lda + k] * p.B[k * p.ldb + col];
  }
}

// Accumulators to C: of each 8 columns a thread has two neighbours, in its row and in the row 8 below
// (PTX: "Register Fragments" of wgmma). With beta == 0, C is not read: a NaN in it must not spread.
template <typename Vector>
__device__ void store_tile(const Problem& p, int row0, int col0, const Sums& sums) {
  constexpr int COUNT = sizeof(Vector) / sizeof(Acc);
#pragma unroll
  for (int i = 0; i < TN * 8; i += COUNT) {
    const int row = row0 + i / 2 % 2 * 8, col = col0 + i / 4 * 8 + i % 2;
    if (row >= p.M || col >= p.N) continue;
    Vector* c = reinterpret_cast<Vector*>(&p.C[row * p.ldc + col]);
    Vector vector = p.beta == 0 ? Vector{} : *c;
    Acc* elements = reinterpret_cast<Acc*>(&vector);
    for (int j = 0; j < COUNT; ++j) {
      elements[j] = p.alpha * sums[i / 8][i / 4 % 2][i / 2 % 2][i % 2 + j] + p.beta * elements[j];
    }
    *c = vector;
  }
}

template <int BM>
__global__ void __launch_bounds__((BM / WM + 1) * WARPGROUP, 1)
    gemm_kernel(Problem p, bool aligned, const __grid_constant__ Maps A,
                const __grid_constant__ Maps B) {
  constexpr int STAGES = Shared<BM>::STAGES, CONSUMERS = BM / WM;
  alignas(1024) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared<BM>*>(memory);
  const int warpgroup = threadIdx.x / WARPGROUP, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      __mbarrier_init(&shared.full[s], 1);  // the producer
      __mbarrier_init(&shared.empty[s], CONSUMERS * WARPGROUP / 32);  // warps that multiply
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy engine must see them
  }
  __syncthreads();  // all barriers exist before anyone arrives
  // Tiles are numbered down GROUP rows, then on to the next column: blocks that run at the same time
  // work on a compact part of C, and find each other's rows of A, columns of B in L2.
  const auto for_each_tile = [&](auto use) {
    const int rows = ceil_div(p.M, BM), cols = ceil_div(p.N, BN);
    for (int tile = blockIdx.x; tile < rows * cols; tile += gridDim.x) {
      const int first = tile / (GROUP * cols) * GROUP, height = min(GROUP, rows - first);
      const int i = tile % (GROUP * cols);
      use((first + i % height) * BM, i / height * BN);
    }
  };
  const int steps = ceil_div(p.K, BK);
  int turn = 0;  // of the stages, over all tiles: the producer runs ahead into the next one
  if (warpgroup == CONSUMERS) {
    if (CONSUMERS > 1) asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");  // PTX: setmaxnreg
    if (threadIdx.x != CONSUMERS * WARPGROUP) return;
    for_each_tile([&](int row0, int col0) {
      for (int step = 0; step < steps; ++step, ++turn) {
        const int stage = turn % STAGES, round = turn / STAGES, k0 = step * BK;
        wait(shared.empty[stage], (round + 1) % 2);  // the consumers have read what was there
        arrive_and_expect(shared.full[stage], sizeof(shared.As[0]) + sizeof(shared.Bs[0]));
        for (int i = 0; i < PIECES; ++i) {
          load_tile(A.of[i], row0, k0, shared.As[stage][i][0], shared.full[stage]);
          for (int n = 0; n < BN / ATOM; ++n) {
            load_tile(B.of[i], k0, col0 + n * ATOM, shared.Bs[stage][i][n][0], shared.full[stage]);
          }
        }
      }
    });
  } else {
    if (CONSUMERS > 1) asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");  // from the producer
    const auto release = [&](int turn) {
      if (lane == 0) __mbarrier_arrive(&shared.empty[turn % STAGES]);
    };
    for_each_tile([&](int row0, int col0) {
      Sums sums = {}, first = {}, others = {};
      for (int step = 0; step < steps; ++step, ++turn) {
        const int stage = turn % STAGES, round = turn / STAGES;
        wait(shared.full[stage], round % 2);
        multiply_step(shared.As[stage], shared.Bs[stage], warpgroup * WM, first, others);
        wait_products<1>(first);  // and for the others of the step before: its place is empty
        if (step > 0) release(turn - 1);
        add(sums, first);  // while the tensor cores make the others
      }
      wait_products<0>(others);
      if (steps > 0) release(turn - 1);
      add(sums, others);
      const int row = row0 + warp * 16 + lane / 4, col = col0 + lane % 4 * 2;
      recompute(p, row, col, sums);
      aligned ? store_tile<float2>(p, row, col, sums) : store_tile<Acc>(p, row, col, sums);
    });
  }
}

struct Config {
  int BM, bytes;
  void (*kernel)(Problem, bool, Maps, Maps);
};
template <int BM>
constexpr Config CONFIG{BM, sizeof(Shared<BM>), gemm_kernel<BM>};

// About how many clock cycles it takes. A step takes as long as its products, 2048 multiply-adds a
// cycle, or as its loads, 44 bytes a cycle, and 64 cycles more; a tile as its steps, its start and its end.
int64_t cycles(const Config& c, const Problem& p, int multiprocessors) {
  const int64_t tiles = int64_t(ceil_div(p.M, c.BM)) * ceil_div(p.N, BN);
  const int step = max(PRODUCTS * c.BM * BN * BK / 2048, (c.BM + BN) * BK * PIECES * 2 / 44) + 64;
  return (tiles + multiprocessors - 1) / multiprocessors *
         (ceil_div(p.K, BK) * int64_t(step) + 4000);
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  int device, multiprocessors;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  Config c = CONFIG<128>;
  if (cycles(CONFIG<64>, p, multiprocessors) < cycles(c, p, multiprocessors)) c = CONFIG<64>;
  const Pieces A(p.A, p.lda, p.M, p.K, c.BM, BK), B(p.B, p.ldb, p.K, p.N, BK, ATOM);
  const bool aligned = uintptr_t(p.C) % 8 == 0 && (p.ldc | p.N) % 2 == 0;
  const int blocks = min(ceil_div(p.M, c.BM) * ceil_div(p.N, BN), multiprocessors);
  CUDA_CHECK(cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, c.bytes));
  c.kernel<<<blocks, (c.BM / WM + 1) * WARPGROUP, c.bytes>>>(p, aligned, A.maps, B.maps);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
