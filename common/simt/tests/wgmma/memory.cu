// ERROR and OTHER mark the lines that must be reported.
#include <cuda.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

#include "tests/wgmma/memory.h"

namespace wgmma {

using simt::ErrorKind;

enum Bug {
  NONE,
  NO_WAIT,  // for the tiles
  ONE_WAIT,  // for the first
  RELEASED_AT_ONCE,  // before the products are waited for
  RELEASED_TOO_EARLY,  // the stage that is still read instead of the one before
  OTHER_SWIZZLE,
  SHORT_STRIDE,
  BASE_OFFSET,
  SECOND_TILE_UNSWIZZLED,  // TMA lays B as it is
  NO_FENCE,
  NO_BARRIER,
  WRITTEN_IN_FLIGHT,
  WRITTEN_UNSYNCED
};

constexpr int BK = 64, STAGES = 2;

struct alignas(1024) Shared {
  half As[STAGES][M][BK], Bs[STAGES][N][BK];
  __mbarrier_t full[STAGES], empty[STAGES];
};

__device__ unsigned address(const void* pointer) {
  return unsigned(__cvta_generic_to_shared(pointer));
}

__device__ void wait(__mbarrier_t& barrier, int parity) {
  asm volatile(
      "{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra again; "
      "}" ::"r"(address(&barrier)),
      "r"(parity)
      : "memory");
}

__device__ void load(const CUtensorMap& map, int col, half* to, __mbarrier_t& barrier) {
  asm volatile(  // OTHER copy
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(address(to)),
      "l"(&map), "r"(col), "r"(0), "r"(address(&barrier))
      : "memory");
}

// Rows of 128 bytes, of which eight are a pattern.
template <Bug BUG>
__device__ uint64_t descriptor(const half* tile) {
  const uint64_t stride = BUG == SHORT_STRIDE ? 512 : 1024, mode = BUG == OTHER_SWIZZLE ? 2 : 1;
  return (address(tile) & 0x3ffff) / 16 | stride / 16 << 32 | uint64_t(BUG == BASE_OFFSET) << 49 |
         mode << 62;
}

template <Bug BUG>
__device__ void multiply(float (&d)[8], const half* A, const half* B) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int k = 0; k < BK; k += 16) {
    asm volatile(  // ERROR start
        "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0; }"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7])
        : "l"(descriptor<BUG>(A + k)), "l"(descriptor<BUG>(B + k)));
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int LATEST>
__device__ void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LATEST) : "memory");
}

__device__ void store(const float (&d)[8], float* out) {
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, col = threadIdx.x % 4 * 2;
  for (int i = 0; i < 8; ++i) {
    out[(row + i / 2 % 2 * 8) * N + col + i / 4 * 8 + i % 2] = d[i];
  }
}

// Four warps multiply, a thread of the fifth asks for copies.
template <Bug BUG>
__global__ void ring_kernel(const __grid_constant__ CUtensorMap A,
                            const __grid_constant__ CUtensorMap B, float* out) {
  extern __shared__ Shared shared[];
  auto& [As, Bs, full, empty] = shared[0];
  const int thread = threadIdx.x;
  if (thread == 0) {
    for (int s = 0; s < STAGES; ++s) {
      __mbarrier_init(&full[s], 1);
      __mbarrier_init(&empty[s], 4);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (thread >= 128) {
    for (int tile = 0; tile < K / BK && thread == 128; ++tile) {
      const int stage = tile % STAGES, round = tile / STAGES;
      wait(empty[stage], (round + 1) % 2);
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address(&full[stage])),
                   "r"(int(sizeof As[0] + sizeof Bs[0]))
                   : "memory");
      load(A, tile * BK, As[stage][0], full[stage]);
      load(B, tile * BK, Bs[stage][0], full[stage]);
    }
    return;
  }
  float d[8] = {};
  for (int tile = 0; tile < K / BK; ++tile) {
    const int stage = tile % STAGES, round = tile / STAGES;
    if (BUG != NO_WAIT && (BUG != ONE_WAIT || tile == 0)) wait(full[stage], round % 2);
    multiply<BUG>(d, As[stage][0], Bs[stage][0]);
    if (BUG == RELEASED_AT_ONCE && thread % 32 == 0) __mbarrier_arrive(&empty[stage]);
    wait_products<1>();
    if (BUG == RELEASED_TOO_EARLY && thread % 32 == 0) __mbarrier_arrive(&empty[stage]);
    if (BUG != RELEASED_AT_ONCE && BUG != RELEASED_TOO_EARLY && tile > 0 && thread % 32 == 31) {
      __mbarrier_arrive(
          &empty[(tile - 1) % STAGES]);  // any lane knows what its warp has waited for
    }
  }
  wait_products<0>();
  store(d, out);
}

// The same without TMA: threads swizzle, and multiply behind a barrier.
template <Bug BUG>
__global__ void thread_kernel(const half* A, const half* B, float* out) {
  extern __shared__ Shared shared[];
  auto& [As, Bs, full, empty] = shared[0];
  const int thread = threadIdx.x;
  float d[8] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = thread; i < M * BK; i += 128) {
      const int row = i / BK, col = i % BK;
      const int to = (col / 8 ^ row % 8) * 8 + col % 8;
      As[0][row][to] = A[row * K + k0 + col];  // ERROR writes A
      if (row < N) Bs[0][row][to] = B[row * K + k0 + col];  // OTHER writes B
    }
    if (BUG != NO_FENCE) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (BUG != NO_BARRIER) __syncthreads();
    multiply<BUG>(d, As[0][0], Bs[0][0]);
    if (BUG == WRITTEN_IN_FLIGHT) Bs[0][thread % N][0] = 0;  // ERROR in_flight
    wait_products<0>();
    if (BUG != WRITTEN_UNSYNCED) __syncthreads();
  }
  store(d, out);
}

CUtensorMap map_of(half* matrix, int rows, bool swizzled) {
  CUtensorMap map{};
  const cuuint64_t sizes[] = {K, cuuint64_t(rows)}, strides[] = {K * sizeof(half)};
  const cuuint32_t box[] = {BK, cuuint32_t(rows)}, steps[] = {1, 1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, matrix, sizes, strides, box,
                         steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                         swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE,
                         CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

template <Bug BUG>
void ring(half* A, half* B, float* out) {
  ring_kernel<BUG><<<1, 160, sizeof(Shared)>>>(map_of(A, M, true),
                                               map_of(B, N, BUG != SECOND_TILE_UNSWIZZLED), out);
}
template <Bug BUG>
void threads(half* A, half* B, float* out) {
  thread_kernel<BUG><<<1, 128, sizeof(Shared)>>>(A, B, out);
}

void run_ring(half* A, half* B, float* out) {
  ring<NONE>(A, B, out);
}
void run_threads(half* A, half* B, float* out) {
  threads<NONE>(A, B, out);
}

const std::vector<Memory>& memory_mistakes() {
  constexpr auto EARLY = ErrorKind::AsyncNotWaited, RACE = ErrorKind::SharedRace,
                 BAD = ErrorKind::BadArgument, FENCE = ErrorKind::MissingFence;
  static const std::vector<Memory> all = {
      {ring<NO_WAIT>, ErrorKind::UninitializedShared, "ERROR start", nullptr,
       "which no thread of this block has written"},
      {ring<ONE_WAIT>, EARLY, "ERROR start", "OTHER copy", "before its asynchronous copy has been"},
      {ring<RELEASED_AT_ONCE>, RACE, "OTHER copy", "ERROR start", "still reads: its warp has not"},
      {ring<RELEASED_TOO_EARLY>, RACE, "OTHER copy", "ERROR start",
       "still reads: its warp has not"},
      {ring<OTHER_SWIZZLE>, BAD, "ERROR start", "OTHER copy",
       "a descriptor of A with a swizzle of 64 bytes"},
      {ring<SHORT_STRIDE>, BAD, "ERROR start", "OTHER copy",
       "a descriptor of A that does not fit the box"},
      {ring<BASE_OFFSET>, BAD, "ERROR start", "OTHER copy",
       "a descriptor of A that does not fit the box"},
      {ring<SECOND_TILE_UNSWIZZLED>, BAD, "ERROR start", "OTHER copy",
       "for a box that was copied with one of 0"},
      {threads<NO_FENCE>, FENCE, "ERROR start", nullptr, "lets wgmma read"},
      {threads<NO_BARRIER>, RACE, "ERROR start", nullptr,
       "with no __syncthreads() since another thread wrote"},
      {threads<WRITTEN_IN_FLIGHT>, RACE, "ERROR in_flight", "ERROR start",
       "still reads: its warp has not"},
      {threads<WRITTEN_UNSYNCED>, RACE, "ERROR writes A", "ERROR start",
       "no wait for a phase since its warp"},
  };
  return all;
}

}  // namespace wgmma
