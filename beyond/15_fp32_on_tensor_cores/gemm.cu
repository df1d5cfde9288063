// 15_fp32_on_tensor_cores: FP32 inputs as three BF16 pieces each, and six products of pieces for one.
//
// Changed from 12_persistent: split_kernel(), Pieces, descriptor(), multiply(), multiply_pieces(),
// add(), recompute(), store_tile(), gemm_kernel(), gemm(); one tile, without pairs or shares of K.
// Needs: sm_90a
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I../.. gemm.cu
//   ../../common/harness/*/*.cu -o gemm -lcublas
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>

#include <type_traits>

#include "common/lesson.h"
#include "common/tensor_map.h"

using Input = float;  // element type of A and B
using Acc = float;  // type of C, alpha and beta, and of every product and sum
using Problem = Gemm<Input, Acc>;
using Piece = __nv_bfloat16;  // 8 significant bits and the exponents of a float

constexpr int PRODUCTS = 6;  // of pieces for one product: 3, 6 or 9
constexpr int BM = 128;  // rows of C per block
constexpr int BN = 128;  // columns of C per block
constexpr int BK = 32;  // depth of a shared tile; a row of As has 64 bytes
constexpr int MMA = 16;  // depth of one wgmma
constexpr int WM = 64;  // rows of C per warpgroup, as wgmma has it
constexpr int ATOM = 64;  // columns of a box of B, whose rows have 128 bytes
constexpr int WARPGROUP = 128;  // threads that multiply together
constexpr int GROUP = 8;  // rows of tiles that neighbouring blocks work on
constexpr int FOLD = 32;  // steps whose sums are added up before they go to those of all steps
constexpr int PIECES = PRODUCTS == 3 ? 2 : 3;  // of an element
constexpr int LAST = PRODUCTS == 9 ? 4 : PIECES - 1;  // largest i + j of a product of pieces i, j
constexpr int STAGES = PRODUCTS == 3 ? 6 : 4;  // pairs of tiles in shared memory
constexpr int CONSUMERS = BM / WM;  // warpgroups that multiply; one more copies
constexpr int NUM_THREADS = (CONSUMERS + 1) * WARPGROUP;
constexpr int COUNT = WM * BN / WARPGROUP;  // sums of a thread
using Sums = Acc[COUNT];
constexpr int FEW = 24, MANY = 240;  // registers of a thread that copies, of one that multiplies
static_assert((FEW + CONSUMERS * MANY) * WARPGROUP <= 65536, "a multiprocessor has no more");

struct alignas(1024) Shared {  // 8 swizzled rows are a pattern, which begins at such an address
  Piece As[STAGES][PIECES][BM][BK], Bs[STAGES][PIECES][BN / ATOM][BK][ATOM];
  __mbarrier_t full[STAGES], empty[STAGES];
};

// Piece 0 of an element is the nearest BF16 number, piece 1 the nearest to what is left, and so on;
// pieces lie in matrices one behind the other. Where they do not add up to the element, piece 0 is
// NaN, and recompute() will find it: infinity, NaN, what rounds to infinity, and some numbers below
// 2^-110, whose last bits are less than the least BF16 number.
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
      using Group = std::conditional_t<COUNT == 4, uint2, Piece>;
      *reinterpret_cast<Group*>(there) = *reinterpret_cast<Group*>(pieces[piece]);
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
    const int unit = cols < ATOM ? 8 : ATOM;  // rows that begin with a line of L2, if they have one
    const int64_t pieces_ld = ceil_div(cols, unit) * int64_t(unit);
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

// PTX: "Matrix Descriptor Format" of wgmma. As in 11_wgmma, but a swizzled row has 64 bytes or 128.
template <int BYTES>
__device__ uint64_t descriptor(const Piece* shared, int leading) {
  const uint64_t start = shared_address(shared) / 16, stride = 8 * BYTES / 16;
  return start | uint64_t(leading / 16) << 16 | stride << 32 | uint64_t(BYTES == 128 ? 1 : 2) << 62;
}

// PTX: wgmma.mma_async. acc = A * B for 64 x BN elements of C and 16 of K, with add acc += A * B. The
// last four numbers: A and B are not negated, neighbours in memory are neighbours along K in A, across
// K in B. An asm statement knows no arrays, so the registers of a thread are named one by one.
#define ACC4(i) "+f"(acc[i]), "+f"(acc[i + 1]), "+f"(acc[i + 2]), "+f"(acc[i + 3])
#define ACC16(i) ACC4(i), ACC4(i + 4), ACC4(i + 8), ACC4(i + 12)
#define TEN(i) \
  "%" #i "0,%" #i "1,%" #i "2,%" #i "3,%" #i "4,%" #i "5,%" #i "6,%" #i "7,%" #i "8,%" #i "9,"
__device__ void multiply(uint64_t a, uint64_t b, Sums& acc, bool add) {
  static_assert(BN == 128, "64 registers");
  asm volatile(
      "{ .reg .pred add; setp.ne.s32 add, %66, 0; "
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" TEN() TEN(1) TEN(2) TEN(3) TEN(4)
          TEN(5) "%60,%61,%62,%63}, %64, %65, add, 1, 1, 0, 1; }"
      : ACC16(0), ACC16(16), ACC16(32), ACC16(48)
      : "l"(a), "l"(b), "r"(int(add)));
}

// Says that acc is read and written here, so that the compiler moves nothing of it past this place.
__device__ void hold(Sums& acc) {
#pragma unroll
  for (int i = 0; i < COUNT; i += 16) asm volatile("" : ACC16(i)::"memory");
}

// Starts the products of a step: acc = their sum. Those of small pieces come first, while acc is small
// and the tensor cores, which cut off what does not fit into it, cut off little. The smallest of all
// (i + j > LAST) are left out.
// PTX: wgmma.fence lets wgmma use registers that were written before; wgmma.commit_group makes one
// group of what was started.
__device__ void multiply_pieces(const Piece (&As)[PIECES][BM][BK],
                                const Piece (&Bs)[PIECES][BN / ATOM][BK][ATOM], int m, Sums& acc) {
  hold(acc);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  bool add = false;
#pragma unroll
  for (int both = LAST; both >= 0; --both) {
#pragma unroll
    for (int i = max(0, both - PIECES + 1); i <= min(both, PIECES - 1); ++i) {
#pragma unroll
      for (int k = 0; k < BK; k += MMA, add = true) {
        const Piece* b = Bs[both - i][0][k];
        multiply(descriptor<BK * 2>(&As[i][m][k], 16), descriptor<ATOM * 2>(b, sizeof(Bs[0][0])),
                 acc, add);
      }
    }
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// PTX: wgmma.wait_group. Returns when all products are complete.
__device__ void wait_products(Sums& acc) {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  hold(acc);
}

// PTX: bar. The consumers multiply in turn: each waits until the other has started its last product,
// and adds up what it has while those of the other run.
__device__ void wait_for_turn(int warpgroup) {
  asm volatile("bar.sync %0, %1;" ::"r"(1 + warpgroup), "n"(CONSUMERS * WARPGROUP) : "memory");
}

__device__ void pass_turn(int warpgroup) {
  asm volatile("bar.arrive %0, %1;" ::"r"(2 - warpgroup), "n"(CONSUMERS * WARPGROUP) : "memory");
}

// In FP32, rounded to nearest. A sum of all steps would soon be much larger than what a step adds, and
// lose its last bits; so the sums of some steps are formed by themselves first.
__device__ void add(Sums& sums, Sums& near, const Sums& acc, bool fold) {
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    near[i] += acc[i];
    if (fold) {
      sums[i] += near[i];
      near[i] = 0;
    }
  }
}

// Of each 8 columns a thread has two neighbours, in its row and in the row 8 below (PTX: "Register
// Fragments" of wgmma).
__device__ int row_of(int i) {
  return i / 2 % 2 * 8;
}

__device__ int col_of(int i) {
  return i / 4 * 8 + i % 2;
}

// Sums that are infinite or NaN, from the inputs, in FP32. A thread that has one forms all of its sums
// again, in each step of K from two elements of A and 32 of B. Those that are finite stay.
__device__ void recompute(const Problem& p, int row0, int col0, Sums& sums) {
  bool lost = false;
#pragma unroll
  for (int i = 0; i < COUNT; ++i) lost |= !isfinite(sums[i]);
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
    for (int i = 0; i < COUNT; ++i) {
      if (row_of(i) > 0) continue;
      const Input b = col_of(i) < cols ? row[col_of(i)] : 0;
      again[i] += a[0] * b;
      again[i + 2] += a[1] * b;  // 8 rows below
    }
  }
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    if (!isfinite(sums[i])) sums[i] = again[i];
  }
}

// Accumulators to C. With beta == 0, C is not read: a NaN in it must not spread.
template <typename Vector>
__device__ void store_tile(const Problem& p, int row0, int col0, Sums& sums) {
  constexpr int STEP = sizeof(Vector) / sizeof(Acc);
#pragma unroll
  for (int m = 0; m < 2; ++m) {
    const int row = row0 + m * 8, cols = p.N - col0;
    if (row >= p.M) return;
    Acc* c = &p.C[row * p.ldc + col0];
#pragma unroll
    for (int i = 0; i < COUNT; i += STEP) {
      if (row_of(i) != m * 8 || col_of(i) >= cols) continue;
      Vector vector = p.beta == 0 ? Vector{} : *reinterpret_cast<Vector*>(&c[col_of(i)]);
      Acc* elements = reinterpret_cast<Acc*>(&vector);
      for (int j = 0; j < STEP; ++j) elements[j] = p.alpha * sums[i + j] + p.beta * elements[j];
      *reinterpret_cast<Vector*>(&c[col_of(i)]) = vector;
    }
  }
}

__global__ void __launch_bounds__(NUM_THREADS, 1)
    gemm_kernel(Problem p, bool aligned, const __grid_constant__ Maps A,
                const __grid_constant__ Maps B) {
  alignas(1024) extern __shared__ char memory[];
  auto& shared = *reinterpret_cast<Shared*>(memory);
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
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(FEW));  // PTX: setmaxnreg
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
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(MANY));  // from the producer
    if (warpgroup == 1) pass_turn(warpgroup);
    for_each_tile([&](int row0, int col0) {
      Sums sums = {}, near = {}, acc = {};
      for (int step = 0; step < steps; ++step, ++turn) {
        const int stage = turn % STAGES, round = turn / STAGES;
        wait(shared.full[stage], round % 2);
        wait_for_turn(warpgroup);
        multiply_pieces(shared.As[stage], shared.Bs[stage], warpgroup * WM, acc);
        pass_turn(warpgroup);
        wait_products(acc);
        if (lane == 0) __mbarrier_arrive(&shared.empty[stage]);
        add(sums, near, acc, step % FOLD == FOLD - 1 || step == steps - 1);
      }
      const int row = row0 + warp * 16 + lane / 4, col = col0 + lane % 4 * 2;
      recompute(p, row, col, sums);
      aligned ? store_tile<float2>(p, row, col, sums) : store_tile<Acc>(p, row, col, sums);
    });
    if (warpgroup == 0) wait_for_turn(warpgroup);  // nobody leaves while the other arrives
  }
}

void gemm(const Problem& p) {
  if (p.M == 0 || p.N == 0) return;
  int device, multiprocessors;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const Pieces A(p.A, p.lda, p.M, p.K, BM, BK), B(p.B, p.ldb, p.K, p.N, BK, ATOM);
  const bool aligned = uintptr_t(p.C) % 8 == 0 && (p.ldc | p.N) % 2 == 0;
  const int blocks = min(ceil_div(p.M, BM) * ceil_div(p.N, BN), multiprocessors);
  constexpr int BYTES = sizeof(Shared);
  CUDA_CHECK(cudaFuncSetAttribute(gemm_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
  gemm_kernel<<<blocks, NUM_THREADS, BYTES>>>(p, aligned, A.maps, B.maps);
  CUDA_CHECK(cudaGetLastError());
}

int main(int argc, char** argv) {
  return run_lesson(gemm, argc, argv);
}
