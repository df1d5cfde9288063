// PTX instructions of Hopper (sm_90a) for lessons from 11 on: one function each, named after it.
// "PTX" names the section of the PTX ISA manual.
#pragma once
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>

#include <type_traits>

#include "common/tensor_map.h"

// ---- PTX: "Parallel Synchronization and Communication Instructions"

// An address in shared memory as these instructions take it.
__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return __cvta_generic_to_shared(pointer);
}

// Arrivals at another block's barrier and waits for them. A thread's accesses to its block's shared memory before the
// first fence happen before those behind the second. An older toolkit has no such fences (PTX 8.6).
#if CUDART_VERSION >= 12080
#define ARRIVE_CLUSTER \
  "fence.release.sync_restrict::shared::cta.cluster; mbarrier.arrive.relaxed.cluster"
#define TRY_WAIT_CLUSTER "mbarrier.try_wait.parity.relaxed.cluster"
#define FENCE_CLUSTER "fence.acquire.sync_restrict::shared::cluster.cluster;"
#else
#define ARRIVE_CLUSTER "mbarrier.arrive"
#define TRY_WAIT_CLUSTER "mbarrier.try_wait.parity"
#define FENCE_CLUSTER ""
#endif

// PTX: mbarrier.arrive with mapa. Arrives at the barrier that a block of the cluster has at the same address.
__device__ __forceinline__ void mbarrier_arrive_cluster(__mbarrier_t& barrier, int block) {
  asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; " ARRIVE_CLUSTER
               ".shared::cluster.b64 _, [there]; }" ::"r"(shared_address(&barrier)),
               "r"(block)
               : "memory");
}

// PTX: mbarrier.arrive.expect_tx. Arrives. The phase then also waits until this many bytes have been copied.
__device__ __forceinline__ void mbarrier_arrive_expect_tx(__mbarrier_t& barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
               "r"(bytes)
               : "memory");
}

// PTX: mbarrier.try_wait.parity. True if the phase of this parity has ended; may block briefly. The parity of the
// first, third ... phase is 0, of the second, fourth ... 1. The phase before the first has ended, with parity 1.
__device__ __forceinline__ bool mbarrier_try_wait_parity(__mbarrier_t& barrier, int parity) {
  int ended;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
      : "=r"(ended)
      : "r"(shared_address(&barrier)), "r"(parity)
      : "memory");
  return ended != 0;
}

// Returns when the phase of this parity has ended.
__device__ __forceinline__ void mbarrier_wait_parity(__mbarrier_t& barrier, int parity) {
  while (!mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// The same for a barrier at which threads of other blocks of the cluster arrive by mbarrier_arrive_cluster().
__device__ __forceinline__ void mbarrier_wait_parity_cluster(__mbarrier_t& barrier, int parity) {
  for (int ended = 0; ended == 0;) {
    asm volatile("{ .reg .pred p; " TRY_WAIT_CLUSTER
                 ".shared::cta.b64 p, [%1], %2; "
                 "selp.s32 %0, 1, 0, p; }"
                 : "=r"(ended)
                 : "r"(shared_address(&barrier)), "r"(parity)
                 : "memory");
  }
  asm volatile(FENCE_CLUSTER::: "memory");
}

// PTX: bar.sync. A block has 16 named barriers; __syncthreads() is number 0. Waits until THREADS threads have arrived.
template <int THREADS>
__device__ __forceinline__ void bar_sync(int barrier) {
  static_assert(THREADS % 32 == 0, "whole warps arrive");
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}

// PTX: bar.arrive. Arrives as bar.sync does, and does not wait.
template <int THREADS>
__device__ __forceinline__ void bar_arrive(int barrier) {
  static_assert(THREADS % 32 == 0, "whole warps arrive");
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}

// PTX: fence.proxy.async. TMA and wgmma see what this thread has written to shared memory before.
__device__ __forceinline__ void fence_proxy_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// PTX: barrier.cluster.arrive and .wait. Waits for all threads of a cluster of BLOCKS. For one block, __syncthreads()
// takes less time.
template <int BLOCKS>
__device__ __forceinline__ void sync_cluster() {
  if constexpr (BLOCKS == 1) {
    __syncthreads();
  } else {
    cooperative_groups::this_cluster().sync();
  }
}

// ---- PTX: "Data Movement and Conversion Instructions: Tensor copy". One thread starts a copy, and TMA performs it.

// PTX: cp.async.bulk.tensor. Global to shared memory: the map's box at this row and column, swizzled as the map says.
// Elements outside the matrix become zeros. The barrier counts the box's bytes when they have arrived.
__device__ __forceinline__ void cp_async_bulk_tensor_load(const CUtensorMap& map, int row, int col,
                                                          void* shared, __mbarrier_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(shared)),
      "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier))
      : "memory");
}

// PTX: the same with .multicast::cluster. Each block of the cluster whose bit is set in BLOCKS gets the box and its
// bytes, at the same addresses of its own shared memory.
template <int BLOCKS>
__device__ __forceinline__ void cp_async_bulk_tensor_load_multicast(const CUtensorMap& map, int row,
                                                                    int col, void* shared,
                                                                    __mbarrier_t& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(shared)),
      "l"(&map), "r"(col), "r"(row), "r"(shared_address(&barrier)), "n"(BLOCKS)
      : "memory");
}

// PTX: cp.async.bulk.tensor. Shared to global memory. Elements outside the matrix are not written.
__device__ __forceinline__ void cp_async_bulk_tensor_store(const CUtensorMap& map, int row, int col,
                                                           const void* shared) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
      "r"(col), "r"(row), "r"(shared_address(shared))
      : "memory");
}

// PTX: cp.async.bulk.commit_group. The stores that this thread has issued since the last call become a group.
__device__ __forceinline__ void cp_async_bulk_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// PTX: cp.async.bulk.wait_group.read. Returns when TMA has read the shared memory of all but the latest LATEST groups.
template <int LATEST>
__device__ __forceinline__ void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(LATEST) : "memory");
}

// PTX: prefetch.tensormap. Fetches the map ahead of its first use.
__device__ __forceinline__ void prefetch_tensormap(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
}

// ---- PTX: "Asynchronous Warpgroup Level Matrix Instructions". All 128 threads of a warpgroup take part.

enum class Swizzle { NONE = 0, BYTES_128 = 1, BYTES_64 = 2, BYTES_32 = 3 };

// PTX: "Matrix Descriptor Format". Where an operand begins in shared memory, and its two strides in bytes.
__device__ __forceinline__ uint64_t matrix_descriptor(const void* shared, int leading, int stride,
                                                      Swizzle swizzle = Swizzle::BYTES_128) {
  const unsigned address = shared_address(shared) & 0x3ffff;  // the block's rank is above 24 bits
  uint64_t descriptor = address / 16;  // bits 0 to 13
  descriptor |= uint64_t(leading / 16) << 16;  // bits 16 to 29
  descriptor |= uint64_t(stride / 16) << 32;  // bits 32 to 45
  descriptor |= uint64_t(swizzle) << 62;  // bits 62 and 63
  return descriptor;
}

// PTX: wgmma.fence. wgmma may use registers that were written before.
__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// PTX: wgmma.commit_group. The products started since the last call become a group.
__device__ __forceinline__ void wgmma_commit_group() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// No instruction. The compiler assumes that d has changed, so it moves no access to d past this place.
// CUTLASS: warpgroup_fence_operand().
template <typename T, int COUNT>
__device__ __forceinline__ void wgmma_hold(T (&d)[COUNT]) {
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    if constexpr (std::is_array_v<T>) {
      wgmma_hold(d[i]);
    } else {
      asm volatile("" : "+f"(d[i])::"memory");
    }
  }
}

// PTX: wgmma.wait_group. Returns when all but the latest LATEST groups are complete. They write to d.
template <int LATEST, typename T, int COUNT>
__device__ __forceinline__ void wgmma_wait_group(T (&d)[COUNT]) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LATEST) : "memory");
  wgmma_hold(d);
}

// PTX: wgmma.mma_async. d = A * B, with add d += A * B, for 64 x N elements of d. A thread holds N / 2 of them: d[i] is
// in row i / 2 % 2 * 8 and column i / 4 * 8 + i % 2, counted from row lane / 4 of the warp's 16 and column lane % 4 * 2
// (PTX: "Register Fragments"). The operands of asm cannot be arrays, so each register is named.
#define WGMMA_D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define WGMMA_D16(i) WGMMA_D4(i), WGMMA_D4(i + 4), WGMMA_D4(i + 8), WGMMA_D4(i + 12)
#define WGMMA_D32(i) WGMMA_D16(i), WGMMA_D16(i + 16)
#define WGMMA_TEN(i) \
  "%" #i "0,%" #i "1,%" #i "2,%" #i "3,%" #i "4,%" #i "5,%" #i "6,%" #i "7,%" #i "8,%" #i "9,"
#define WGMMA_30 WGMMA_TEN() WGMMA_TEN(1) WGMMA_TEN(2)
#define WGMMA_60 WGMMA_30 WGMMA_TEN(3) WGMMA_TEN(4) WGMMA_TEN(5)
#define WGMMA_90 WGMMA_60 WGMMA_TEN(6) WGMMA_TEN(7) WGMMA_TEN(8)
#define WGMMA_110 WGMMA_90 WGMMA_TEN(9) WGMMA_TEN(10)
#define WGMMA(NAME, N, K_TYPES, OPTIONS, REGISTERS, A, B, ADD, ...)                               \
  __device__ __forceinline__ void NAME(uint64_t a, uint64_t b, float(&d)[N / 2],                  \
                                       bool add = true) {                                         \
    asm volatile("{ .reg .pred add; setp.ne.s32 add, %" #ADD                                      \
                 ", 0; "                                                                          \
                 "wgmma.mma_async.sync.aligned.m64n" #N K_TYPES " {" REGISTERS "}, %" #A ", %" #B \
                 ", add, " OPTIONS "; }"                                                          \
                 : __VA_ARGS__                                                                    \
                 : "l"(a), "l"(b), "r"(int(add)));                                                \
  }
#define WGMMA_ALL_N(NAME, K_TYPES, OPTIONS)                                                        \
  WGMMA(NAME, 64, K_TYPES, OPTIONS, WGMMA_30 "%30,%31", 32, 33, 34, WGMMA_D32(0))                  \
  WGMMA(NAME, 128, K_TYPES, OPTIONS, WGMMA_60 "%60,%61,%62,%63", 64, 65, 66, WGMMA_D32(0),         \
        WGMMA_D32(32))                                                                             \
  WGMMA(NAME, 192, K_TYPES, OPTIONS, WGMMA_90 "%90,%91,%92,%93,%94,%95", 96, 97, 98, WGMMA_D32(0), \
        WGMMA_D32(32), WGMMA_D32(64))                                                              \
  WGMMA(NAME, 256, K_TYPES, OPTIONS,                                                               \
        WGMMA_110 WGMMA_TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127", 128, 129, 130,          \
        WGMMA_D32(0), WGMMA_D32(32), WGMMA_D32(64), WGMMA_D32(96))

// K is 16. Options: A and B are not negated; neighbours in memory are neighbours along K in A, across K in B.
WGMMA_ALL_N(wgmma_mma_async_f16, "k16.f32.f16.f16", "1, 1, 0, 1")
WGMMA_ALL_N(wgmma_mma_async_bf16, "k16.f32.bf16.bf16", "1, 1, 0, 1")
// K is 32. FP8 has no option: neighbours in memory are neighbours along K in A and in B.
WGMMA_ALL_N(wgmma_mma_async_e4m3, "k32.f32.e4m3.e4m3", "1, 1")

// ---- PTX: "Miscellaneous Instructions"

// PTX: setmaxnreg. Each thread of the warpgroup gives up registers, and has COUNT from then on.
template <int COUNT>
__device__ __forceinline__ void setmaxnreg_dec() {
  static_assert(COUNT >= 24 && COUNT <= 256 && COUNT % 8 == 0, "PTX requires this");
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(COUNT));
}

// PTX: setmaxnreg. Waits until other warpgroups of the block have given up enough for COUNT.
template <int COUNT>
__device__ __forceinline__ void setmaxnreg_inc() {
  static_assert(COUNT >= 24 && COUNT <= 256 && COUNT % 8 == 0, "PTX requires this");
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT));
}

// ---- Made of these

// A position in a ring of stages: the stage, and the parity of its barriers' phase in this round. CUTLASS: PipelineState.
template <int STAGES>
struct RingPosition {
  int stage = 0, parity = 0;

  __device__ void advance(int steps = 1) {
    stage += steps % STAGES;
    parity ^= steps / STAGES % 2;
    if (stage >= STAGES) {
      stage -= STAGES;
      parity ^= 1;
    }
  }
};

// The place of a thread's element d[i] of wgmma, counted from its first row and column.
__device__ __forceinline__ constexpr int row_of(int i) {
  return i / 2 % 2 * 8;
}

__device__ __forceinline__ constexpr int col_of(int i) {
  return i / 4 * 8 + i % 2;
}

// Of each 16 columns a thread has two neighbours and the two 8 columns further on, in its row and in the
// row 8 below (PTX: "Register Fragments"). Lanes in pairs exchange one half. Then the even lane has four
// neighbours of the first 8 columns, the odd one four of the second 8.
template <int N>
__device__ __forceinline__ void exchange(const float (&acc)[N], float (&sums)[N]) {
  const bool odd = threadIdx.x % 2 == 1;
#pragma unroll
  for (int i = 0; i < N; i += i % 4 == 1 ? 3 : 1) {
    const int first = i / 8 * 8 + i / 4 % 2 * 2 + i % 2,
              second = first + 4;  // 8 columns further on
    const float got = __shfl_xor_sync(~0u, odd ? acc[first] : acc[second], 1);
    sums[i] = odd ? got : acc[first];
    sums[i + 2] = odd ? acc[second] : got;
  }
}

// Persistent blocks: calls use(row0, col0) for each tile of C that this block takes. Tiles are numbered down HEIGHT rows
// of tiles, then on to the next column: blocks that run at the same time find each other's inputs in L2.
template <int BM, int BN, int HEIGHT, typename Use>
__device__ __forceinline__ void for_each_tile(int M, int N, Use use) {
  const int rows = ceil_div(M, BM), cols = ceil_div(N, BN);
  for (int tile = blockIdx.x; tile < rows * cols; tile += gridDim.x) {
    const int first = tile / (HEIGHT * cols) * HEIGHT, height = min(HEIGHT, rows - first);
    const int j = tile % (HEIGHT * cols), col = j / height;
    use((first + j % height) * BM, col * BN);
  }
}

// Two consumer warpgroups, 0 and 1, take turns. Each waits at a named barrier of its own until the other one passes the
// turn. CUTLASS: OrderedSequenceBarrier.
constexpr int WARPGROUP = 128;  // threads
constexpr int TURN_BARRIERS = 1;  // the barrier of consumer 0; that of consumer 1 follows

__device__ __forceinline__ void wait_for_turn(int consumer) {
  bar_sync<2 * WARPGROUP>(TURN_BARRIERS + consumer);
}

__device__ __forceinline__ void pass_turn(int consumer) {
  bar_arrive<2 * WARPGROUP>(TURN_BARRIERS + 1 - consumer);
}

// The number of the device's multiprocessors. Throws DeviceError.
inline int count_multiprocessors() {
  int device, count;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

// Programmatic dependent launch: the kernel may start before the one ahead in the stream has ended. It must call
// cudaGridDependencySynchronize() before it reads or writes what that one writes or reads. Throws DeviceError.
template <typename... Parameters, typename... Arguments>
void launch_early(void (*kernel)(Parameters...), int grid, int block, int bytes,
                  Arguments... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  const cudaLaunchConfig_t config{grid, block, size_t(bytes), 0, &early, 1};
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}
