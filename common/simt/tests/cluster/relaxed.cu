// Relaxed barriers of a cluster. ERROR marks the line that must be reported, OTHER the other party's.
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

#include "tests/cluster/cluster.h"

namespace cg = cooperative_groups;

namespace cluster {

constexpr int THREADS = mbarrier::THREADS;

enum Start { FENCED, RESTRICTED, UNFENCED };

// Each block arrives at its neighbour's barrier, which a relaxed barrier of the cluster behind a fence makes known.
// With a restricted fence, the neighbour's numbers are known as well.
template <Start START, bool WITH_NUMBERS = START == RESTRICTED>
__global__ void __cluster_dims__(2) relaxed_kernel(Args a) {
  __shared__ float s[THREADS];
  __shared__ __mbarrier_t full;
  const auto cluster = cg::this_cluster();
  const int t = threadIdx.x, other = 1 - int(cluster.block_rank());
  s[t] = a.A[blockIdx.x * THREADS + t];  // OTHER relaxed write
  if (t == 0) {
    __mbarrier_init(&full, THREADS);  // OTHER relaxed init
    if (START == FENCED) asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  if (START == RESTRICTED) {
    asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (START == RESTRICTED) {
    asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
  }
  float theirs = 0;
  if (WITH_NUMBERS) theirs = *cluster.map_shared_rank(&s[t], other);  // ERROR relaxed read
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(there)
      : "r"(unsigned(__cvta_generic_to_shared(&full))), "r"(other));
  asm volatile(  // ERROR relaxed arrival
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there)
      : "memory");
  for (unsigned ended = 0; ended == 0;) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(unsigned(__cvta_generic_to_shared(&full)))
        : "memory");
  }
  a.C[blockIdx.x * THREADS + t] = a.A[blockIdx.x * THREADS + t] + theirs;
  cluster.sync();
}

template <void (*KERNEL)(Args), int BLOCKS>
void run(const Args& a) {
  KERNEL<<<BLOCKS, THREADS>>>(a);
}

const Run relaxed = run<relaxed_kernel<FENCED>, 4>;
const Run relaxed_restricted = run<relaxed_kernel<RESTRICTED>, 4>;
const Run relaxed_unfenced = run<relaxed_kernel<UNFENCED>, 2>;
const Run relaxed_numbers = run<relaxed_kernel<FENCED, true>, 2>;

}  // namespace cluster
