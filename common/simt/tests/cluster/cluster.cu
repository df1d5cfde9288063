// Kernels of clusters of blocks. ERROR marks the line that must be reported, OTHER the other party's.
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

#include "tests/cluster/cluster.h"

namespace cg = cooperative_groups;

namespace cluster {

constexpr int THREADS = mbarrier::THREADS;

__device__ unsigned address_in(const void* pointer, int block) {
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"  // ERROR third address
      : "=r"(address)
      : "r"(unsigned(__cvta_generic_to_shared(pointer))), "r"(block));
  return address;
}

enum Mistake { NONE, READ_EARLY, OVERWRITTEN, ENDS_EARLY, THIRD };

// Each block reads its neighbour's numbers.
template <Mistake MISTAKE>
__global__ void __cluster_dims__(2, 1, 1) exchange_kernel(Args a) {
  __shared__ float s[THREADS];
  const auto cluster = cg::this_cluster();
  const int t = threadIdx.x, other = 1 - int(cluster.block_rank());
  s[t] = a.A[blockIdx.x * THREADS + t];  // OTHER written
  if (MISTAKE != READ_EARLY) cluster.sync();
  const int block = MISTAKE == THIRD ? other + 1 : other;
  const float theirs = *cluster.map_shared_rank(&s[t], block);  // ERROR read
  if (MISTAKE != ENDS_EARLY && MISTAKE != OVERWRITTEN) cluster.sync();
  if (MISTAKE == OVERWRITTEN) {
    s[t] = 0;  // ERROR overwritten
    cluster.sync();
  }
  a.C[blockIdx.x * THREADS + t] = a.A[blockIdx.x * THREADS + t] + theirs;
}

__global__ void __cluster_dims__(2) exchange_by_ptx_kernel(Args a) {
  __shared__ float s[THREADS];
  const int t = threadIdx.x;
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  s[t] = a.A[blockIdx.x * THREADS + t];
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
  float theirs;
  asm volatile("ld.shared::cluster.f32 %0, [%1];"
               : "=f"(theirs)
               : "r"(address_in(&s[t], 1 - rank))
               : "memory");
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  a.C[blockIdx.x * THREADS + t] = a.A[blockIdx.x * THREADS + t] + theirs;
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

// Each block writes into its neighbour's memory.
template <bool SYNCED>
__global__ void __cluster_dims__(2) pushed_kernel(Args a) {
  __shared__ float s[THREADS];
  const auto cluster = cg::this_cluster();
  const int t = threadIdx.x, other = 1 - int(cluster.block_rank());
  cluster.sync();
  *cluster.map_shared_rank(&s[t], other) = a.A[blockIdx.x * THREADS + t];  // OTHER pushed
  if (SYNCED) cluster.sync();
  a.C[blockIdx.x * THREADS + t] = a.A[blockIdx.x * THREADS + t] + s[t];  // ERROR pushed
  if (!SYNCED) cluster.sync();
}

// Through global memory: C is what the neighbour has written there.
__global__ void __cluster_dims__(2) through_global_kernel(Args a) {
  const auto cluster = cg::this_cluster();
  const int t = threadIdx.x, other = blockIdx.x ^ 1;
  a.C[(2 + other) * THREADS + t] = a.A[blockIdx.x * THREADS + t];
  cluster.sync();
  a.C[blockIdx.x * THREADS + t] = a.C[(2 + blockIdx.x) * THREADS + t];
}

// The first block has TMA copy the same numbers to both. MASK: those that get them; EXPECTED: bytes that
// each expects.
template <int MASK, int EXPECTED>
__global__ void __cluster_dims__(2) twice_kernel(Args a) {
  alignas(16) __shared__ float s[THREADS];
  __shared__ __mbarrier_t full;
  const auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const unsigned barrier = unsigned(__cvta_generic_to_shared(&full));
  if (t == 0) {
    __mbarrier_init(&full, 1);  // ERROR made
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster.sync();
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "n"(EXPECTED)
                 : "memory");
  }
  if (t == 0 && cluster.block_rank() == 0) {
    const unsigned to = unsigned(__cvta_generic_to_shared(s));
    asm volatile(  // ERROR copy
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
        "[%0], [%1], %2, [%3], %4;" ::"r"(to),
        "l"(a.A), "n"(THREADS * 4), "r"(barrier), "h"(uint16_t(MASK))
        : "memory");
  }
  for (unsigned ended = 0; ended == 0;) {
    asm volatile(  // ERROR full
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(barrier)
        : "memory");
  }
  a.C[blockIdx.x * THREADS + t] = s[t];
  cluster.sync();
}

enum Hand { RELEASED, RELAXED, UNSYNCED };

// The second block writes into the first one's memory and arrives at its barrier.
template <Hand HAND>
__global__ void __cluster_dims__(2) handed_over_kernel(Args a) {
  __shared__ float s[THREADS];
  __shared__ __mbarrier_t full;
  const auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&full, THREADS);  // OTHER made
  HAND == UNSYNCED ? __syncthreads() : cluster.sync();
  const float mine = a.A[blockIdx.x * THREADS + t];
  if (cluster.block_rank() == 1) {
    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(address_in(&s[t], 0)),  // ERROR store
                 "f"(mine)
                 : "memory");
    if (HAND == RELAXED) {
      asm volatile(
          "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(address_in(&full, 0))
          : "memory");
    } else {
      const unsigned there = address_in(&full, 0);
      asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there)
                   : "memory");
    }
    a.C[blockIdx.x * THREADS + t] = mine;
  } else {
    unsigned ended = 0;
    while (ended == 0) {
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; "
          "selp.u32 %0, 1, 0, p; }"
          : "=r"(ended)
          : "r"(unsigned(__cvta_generic_to_shared(&full)))
          : "memory");
    }
    a.C[blockIdx.x * THREADS + t] = mine + s[t];  // ERROR handed over
  }
  cluster.sync();
}

// A counter in the first block for all threads of four.
__global__ void __cluster_dims__(4) added_up_kernel(Args a) {
  __shared__ int count;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) count = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(&count, 0), int(cluster.thread_rank()) + 1);
  cluster.sync();
  a.C[blockIdx.x * THREADS + threadIdx.x] = float(*cluster.map_shared_rank(&count, 0));
  cluster.sync();
}

// Half of the threads hand numbers to the other half by named barriers.
template <int FIRST, int SECOND>
__global__ void halves_kernel(Args a) {
  __shared__ float s[THREADS / 2];
  const int t = threadIdx.x, half = THREADS / 2;
  if (t < half) {
    s[t] = a.A[t];
    asm volatile("bar.arrive 1, %0;" ::"n"(FIRST) : "memory");  // OTHER half
    asm volatile("bar.sync 2, 128;" ::: "memory");
    a.C[t] = a.A[t];
  } else {
    asm volatile("bar.sync 1, %0;" ::"n"(SECOND) : "memory");  // ERROR half
    a.C[t] = s[(t + 1) % half] + s[t - half];
  }
}

enum Barrier { TWICE, ALONE, FOR_EVER, OTHER, BEYOND, ELSEWHERE, AGAIN };

template <Barrier BARRIER>
__global__ void __cluster_dims__(2) barrier_kernel(Args a) {
  __shared__ __mbarrier_t never;
  const auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&never, 1);
  cluster.sync();
  if (BARRIER == TWICE) {
    cluster.barrier_arrive();
    cluster.barrier_arrive();  // ERROR twice
  } else if (BARRIER == ALONE) {
    cluster.barrier_wait();  // ERROR alone
  } else if (BARRIER == FOR_EVER && cluster.block_rank() == 1 && t == 40) {
    __mbarrier_token_t token = __mbarrier_arrive(&never);
    __mbarrier_test_wait(&never, token);
    for (unsigned ended = 0; ended == 0;) {
      asm volatile(  // ERROR for ever
          "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 1; selp.u32 %0, 1, 0, p; }"
          : "=r"(ended)
          : "r"(unsigned(__cvta_generic_to_shared(&never)))
          : "memory");
    }
  } else if (BARRIER == OTHER && cluster.block_rank() == 1 && t >= 128) {
    asm volatile("bar.sync 3, 256;" ::: "memory");  // OTHER waits
  } else if (BARRIER == AGAIN && t < 64) {
    asm volatile("bar.arrive 4, 128;" ::: "memory");
    asm volatile("bar.arrive 4, 128;" ::: "memory");  // ERROR again
  } else if (BARRIER == BEYOND) {
    const float* theirs =
        reinterpret_cast<const float*>(cluster.map_shared_rank(&never, 1 - cluster.block_rank()));
    a.C[t] = theirs[20000];  // ERROR beyond
  } else if (BARRIER == ELSEWHERE) {
    unsigned ended = 0;
    asm volatile(  // ERROR elsewhere
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 1; selp.u32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(address_in(&never, 1 - cluster.block_rank()))
        : "memory");
  }
  cluster.sync();  // ERROR waits
  a.C[blockIdx.x * THREADS + t] = 1;
}

__global__ void third_address_kernel(Args a) {
  __shared__ float s;
  a.C[threadIdx.x] = float(address_in(&s, 1));
}

#define READ(i, name) asm("mov.u32 %0, %%" name ";" : "=r"(numbers[i]))
__global__ void registers_kernel(Args a) {
  unsigned numbers[NUMBERS];
  READ(0, "cluster_ctarank");
  READ(1, "cluster_nctarank");
  READ(2, "cluster_ctaid.x");
  READ(3, "cluster_ctaid.y");
  READ(4, "clusterid.x");
  READ(5, "nclusterid.y");
  READ(6, "laneid");
  READ(7, "warpid");
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x != 70) return;
  for (int i = 0; i < NUMBERS; ++i) a.C[block * NUMBERS + i] = float(numbers[i]);
}

template <void (*KERNEL)(Args), int BLOCKS>
void run(const Args& a) {
  KERNEL<<<BLOCKS, THREADS>>>(a);
}

template <void (*KERNEL)(Args)>
void launch(const Args& a, dim3 grid, dim3 clusters) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = clusters.x;
  attribute.val.clusterDim.y = clusters.y;
  attribute.val.clusterDim.z = clusters.z;
  const cudaLaunchConfig_t config{grid, THREADS, 0, nullptr, &attribute, 1};
  cudaLaunchKernelEx(&config, KERNEL, a);
}

const Run through_global = run<through_global_kernel, 2>;
const Run twice = run<twice_kernel<3, THREADS * 4>, 4>;
const Run only_once = run<twice_kernel<1, THREADS * 4>, 2>;
const Run thrice = run<twice_kernel<7, THREADS * 4>, 2>;
const Run few_expected = run<twice_kernel<3, THREADS * 2>, 2>;
const Run exchange = run<exchange_kernel<NONE>, 4>;
const Run exchange_by_ptx = run<exchange_by_ptx_kernel, 4>;
const Run pushed = run<pushed_kernel<true>, 4>;
const Run handed_over = run<handed_over_kernel<RELEASED>, 4>;
const Run added_up = run<added_up_kernel, 4>;
const Run in_halves = run<halves_kernel<256, 256>, 1>;
const Run registers = [](const Args& a) { launch<registers_kernel>(a, {4, 4}, {2, 2, 1}); };
const Run read_early = run<exchange_kernel<READ_EARLY>, 2>;
const Run read_pushed_early = run<pushed_kernel<false>, 2>;
const Run overwritten_early = run<exchange_kernel<OVERWRITTEN>, 2>;
const Run ends_early = run<exchange_kernel<ENDS_EARLY>, 2>;
const Run third_block = run<exchange_kernel<THIRD>, 2>;
const Run third_address = run<third_address_kernel, 1>;
const Run handed_over_relaxed = run<handed_over_kernel<RELAXED>, 2>;
const Run arrives_unsynced = run<handed_over_kernel<UNSYNCED>, 2>;
const Run arrives_twice = run<barrier_kernel<TWICE>, 2>;
const Run waits_alone = run<barrier_kernel<ALONE>, 2>;
const Run waits_for_ever = run<barrier_kernel<FOR_EVER>, 2>;
const Run other_barrier = run<barrier_kernel<OTHER>, 2>;
const Run beyond_shared = run<barrier_kernel<BEYOND>, 2>;
const Run waits_elsewhere = run<barrier_kernel<ELSEWHERE>, 2>;
const Run arrives_again = run<barrier_kernel<AGAIN>, 2>;
const Run halves_of_40 = run<halves_kernel<256, 40>, 1>;
const Run halves_differ = run<halves_kernel<256, 192>, 1>;
const Run halves_of_all = run<halves_kernel<128, 256>, 1>;
const Run odd_grid = run<exchange_kernel<NONE>, 3>;
const Run large_cluster = [](const Args& a) { launch<registers_kernel>(a, 32, {16, 1, 1}); };
const Run other_cluster = [](const Args& a) { launch<exchange_kernel<NONE>>(a, 4, {4, 1, 1}); };

}  // namespace cluster
