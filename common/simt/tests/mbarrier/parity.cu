// Mbarriers waited for by parity, at which one lane arrives for its warp. ERROR marks the line that must
// be reported, OTHER the other party's.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "tests/mbarrier/mbarrier.h"

namespace mbarrier {

enum Bug {
  NONE,
  LATE,  // none: half of the warps wait at once, the others as late as they may
  NO_SYNCWARP,
  NO_COPY_WAIT,
  OLD_PARITY,
  REFILL_EARLY,
  WARP_MISSING,
  FRESH,
  PARITY_OF_2
};

constexpr int STAGES = 4, WARPS = THREADS / 32;
using Ring = float[STAGES][THREADS];

__device__ void wait(__mbarrier_t& barrier, int parity) {
  for (int ended = 0; ended == 0;) {
    asm volatile(  // ERROR wait
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(unsigned(__cvta_generic_to_shared(&barrier))), "r"(parity)
        : "memory");
  }
}

__device__ void copy(Ring& ring, const float* A, int tile) {
  const int t = threadIdx.x;
  if (tile < TILES) {
    __pipeline_memcpy_async(&ring[tile % STAGES][t], &A[tile * THREADS + t], 4);  // OTHER copy
  }
  __pipeline_commit();
}

template <Bug BUG>
__device__ void arrive(__mbarrier_t& barrier) {
  if (BUG != NO_SYNCWARP) {
    __syncwarp();
  }
  if (threadIdx.x % 32 == 0 && (BUG != WARP_MISSING || threadIdx.x != 96)) {
    __mbarrier_arrive(&barrier);
  }
}

// Phase n tells that tile n is there; behind the wait for it, all have left tile n - 2.
template <Bug BUG>
__global__ void parity_kernel(Args a) {
  __shared__ Ring ring;
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&barrier, WARPS);
  }
  __syncthreads();
  for (int tile = 0; tile < STAGES - 1; ++tile) {
    copy(ring, a.A, tile);
  }
  __pipeline_wait_prior(STAGES - 2);
  if (BUG == FRESH) {
    wait(barrier, 1);
  }
  if (BUG != FRESH) {
    arrive<BUG>(barrier);
    wait(barrier, BUG == PARITY_OF_2 ? 2 : 0);
  }
  float acc = 0;
  for (int tile = 0; tile < TILES; ++tile) {
    const auto& now = ring[tile % STAGES];
    acc += now[(t + 1) % THREADS];  // ERROR first
    if (BUG != NO_COPY_WAIT) {
      __pipeline_wait_prior(STAGES - 3);
    }
    arrive<BUG>(barrier);
    if (BUG == REFILL_EARLY) {
      copy(ring, a.A, tile + STAGES - 1);
    }
    acc += now[(t + 64) % THREADS];  // ERROR second
    const int parity = BUG == FRESH || BUG == OLD_PARITY ? tile % 2 : (tile + 1) % 2;
    if (BUG != LATE || t / 32 % 2 == 0) {
      wait(barrier, parity);
    }
    if (BUG == LATE) {
      wait(barrier, parity);
    }
    if (BUG != REFILL_EARLY) {
      copy(ring, a.A, tile + STAGES - 1);
    }
  }
  a.C[blockIdx.x * THREADS + t] = acc;
}

// A warp writes, its lane 0 arrives. The others read what it wrote, and then write there themselves.
template <bool SYNCWARP, bool SYNCWARP_BACK>
__global__ void hand_over_kernel(Args a) {
  __shared__ float s[THREADS];
  __shared__ __mbarrier_t full, empty;
  const int t = threadIdx.x, warp = t / 32;
  if (t == 0) {
    __mbarrier_init(&full, WARPS);
    __mbarrier_init(&empty, WARPS);
  }
  __syncthreads();
  float acc = 0;
  for (int tile = 0; tile < TILES; ++tile) {
    wait(empty, (tile + 1) % 2);
    s[t] = a.A[tile * THREADS + t];  // OTHER write
    if (SYNCWARP) {
      __syncwarp();
    }
    if (t % 32 == warp) {
      __mbarrier_arrive(&full);
    }
    wait(full, tile % 2);
    acc += s[(t + 1) % THREADS] + s[(t + 64) % THREADS];  // ERROR read
    if (SYNCWARP_BACK) {
      __syncwarp();
    }
    if (t % 32 == warp) {
      __mbarrier_arrive(&empty);
    }
  }
  a.C[t] = acc;
}

// Nothing keeps the thread that arrives from arriving again.
__global__ void missed_kernel(Args a) {
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&barrier, 1);
  }
  __syncthreads();
  if (t == 0) {
    wait(barrier, 0);
  }
  if (t == 200) {
    __mbarrier_arrive(&barrier);
    __mbarrier_arrive(&barrier);
  }
  a.C[t] = 1;
}

__global__ void no_address_kernel(Args a) {
  int ended;
  asm volatile(  // ERROR address
      "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
      : "=r"(ended)
      : "r"(0x7fffffff), "r"(0)
      : "memory");
  a.C[threadIdx.x] = ended;
}

template <void (*KERNEL)(Args), int BLOCKS = 1>
void run(const Args& a) {
  KERNEL<<<BLOCKS, THREADS>>>(a);
}

const Run parity = run<parity_kernel<NONE>>;
const Run parity_late = run<parity_kernel<LATE>>;
const Run parity_of_blocks = run<parity_kernel<NONE>, 5>;
const Run parity_no_syncwarp = run<parity_kernel<NO_SYNCWARP>>;
const Run parity_no_copy_wait = run<parity_kernel<NO_COPY_WAIT>>;
const Run parity_old = run<parity_kernel<OLD_PARITY>>;
const Run parity_refill_early = run<parity_kernel<REFILL_EARLY>>;
const Run parity_warp_missing = run<parity_kernel<WARP_MISSING>>;
const Run parity_fresh = run<parity_kernel<FRESH>>;
const Run parity_of_2 = run<parity_kernel<PARITY_OF_2>>;
const Run parity_no_address = run<no_address_kernel>;
const Run parity_missed = run<missed_kernel>;
const Run hand_over = run<hand_over_kernel<true, true>>;
const Run hand_over_unsynced = run<hand_over_kernel<false, true>>;
const Run hand_back_unsynced = run<hand_over_kernel<true, false>>;

}  // namespace mbarrier
