// Kernels with mbarriers. ERROR marks the line that must be reported, OTHER the other party's.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "tests/mbarrier/mbarrier.h"

namespace mbarrier {

enum Bug {
  NONE,
  BEHIND,  // none: half of the warps wait at once, the others as late as they may
  NO_WAIT,
  LAST_TILE,
  BEFORE_COPIES,
  REFILL_EARLY,
  READ_EARLY,
  LAST_READ,
  BUT_ONE,
  NO_COPY_WAIT
};

constexpr int STAGES = 4;
using Ring = float[STAGES][THREADS];

__device__ void wait_for(__mbarrier_t* barrier, __mbarrier_token_t token) {
  while (!__mbarrier_test_wait(barrier, token)) {  // ERROR wait
  }
}

// One group of copies, perhaps empty: tile to its buffer.
__device__ void copy(Ring& ring, const float* A, int tile) {
  const int t = threadIdx.x;
  if (tile < TILES) {
    __pipeline_memcpy_async(&ring[tile % STAGES][t], &A[tile * THREADS + t], 4);  // OTHER copy
  }
  __pipeline_commit();
}

// A thread arrives when its part of the next tile is there, and goes on with this tile. Behind the wait all
// have left the tile before this one, so its buffer is free.
template <Bug BUG>
__global__ void ring_kernel(Args a) {
  __shared__ Ring ring;
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&barrier, THREADS);
  }
  __syncthreads();
  for (int tile = 0; tile < STAGES - 1; ++tile) {
    copy(ring, a.A, tile);
  }
  __pipeline_wait_prior(STAGES - 2);
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  wait_for(&barrier, token);
  float acc = 0;
  for (int tile = 0; tile < TILES; ++tile) {
    const auto& now = ring[tile % STAGES];
    const __mbarrier_token_t last = token;
    acc += now[(t + 1) % THREADS];  // ERROR first
    if (BUG != BEFORE_COPIES && BUG != NO_COPY_WAIT) {
      __pipeline_wait_prior(STAGES - 3);
    }
    if (BUG != BUT_ONE || t != 77) {
      token = __mbarrier_arrive(&barrier);
    }
    if (BUG == BEFORE_COPIES) {
      __pipeline_wait_prior(STAGES - 3);
    }
    if (BUG == BEHIND && t / 32 % 2 == 0) {
      wait_for(&barrier, token);
    }
    if (BUG == REFILL_EARLY) {
      copy(ring, a.A, tile + STAGES - 1);
    }
    if (BUG == READ_EARLY && tile + 1 < TILES) {
      acc += 0 * ring[(tile + 1) % STAGES][(t + 32) % THREADS];  // ERROR next
    }
    acc += now[(t + 64) % THREADS];  // ERROR second
    if (BUG != NO_WAIT) {
      wait_for(&barrier, BUG == LAST_TILE ? last : token);
    }
    if (BUG == LAST_READ && tile > 0) {
      acc += 0 * ring[(tile - 1) % STAGES][(t + 96) % THREADS];  // ERROR last
    }
    if (BUG != REFILL_EARLY) {
      copy(ring, a.A, tile + STAGES - 1);
    }
  }
  a.C[blockIdx.x * THREADS + t] = acc;
}

// Two barriers in turn: threads write, arrive, and read what others wrote. Two buffers of each are enough.
__global__ void two_barriers_kernel(Args a) {
  __shared__ float s[2][THREADS];
  __shared__ __mbarrier_t full, empty;
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&full, THREADS);
    __mbarrier_init(&empty, THREADS);
  }
  __syncthreads();
  float acc = 0;
  __mbarrier_token_t left = __mbarrier_arrive(&empty);
  for (int tile = 0; tile < TILES; ++tile) {
    wait_for(&empty, left);
    s[0][t] = a.A[tile * THREADS + t];
    const __mbarrier_token_t here = __mbarrier_arrive(&full);
    wait_for(&full, here);
    acc += s[0][(t + 1) % THREADS] + s[0][(t + 64) % THREADS];
    left = __mbarrier_arrive(&empty);
  }
  a.C[t] = acc;
}

// Phases and __syncthreads() in turn.
__global__ void beside_syncthreads_kernel(Args a) {
  __shared__ float s[THREADS];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  s[t] = 7;
  if (t == 0) {
    __mbarrier_init(&barrier, THREADS);
  }
  __syncthreads();
  float acc = 0;
  for (int tile = 0; tile < TILES; ++tile) {
    s[t] = a.A[tile * THREADS + t];
    if (tile % 3 == 0) {
      __syncthreads();
    } else {
      wait_for(&barrier, __mbarrier_arrive(&barrier));
    }
    acc += s[(t + 1) % THREADS] + s[(t + 64) % THREADS];
    if (tile % 2 == 0) {
      __syncthreads();
    } else {
      wait_for(&barrier, __mbarrier_arrive(&barrier));
    }
  }
  a.C[t] = acc;
}

// One lane of each warp arrives and waits for all of its warp.
__global__ void one_lane_kernel(Args a) {
  __shared__ float s[2][THREADS];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&barrier, THREADS / 32);
  }
  __syncthreads();
  float acc = 0;
  for (int tile = 0; tile < TILES; ++tile) {
    s[tile % 2][t] = a.A[tile * THREADS + t];
    __syncwarp();
    if (t % 32 == 5) {
      wait_for(&barrier, __mbarrier_arrive(&barrier));
    }
    __syncwarp();
    acc += s[tile % 2][(t + 1) % THREADS] + s[tile % 2][(t + 64) % THREADS];
  }
  a.C[t] = acc;
}

// A look at a phase that cannot be over yet, and what the others need comes after it.
__global__ void looks_once_kernel(Args a) {
  __shared__ float s[THREADS];
  __shared__ __mbarrier_t first, second;
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&first, THREADS);
    __mbarrier_init(&second, THREADS);
  }
  __syncthreads();
  if (t >= 128) {
    wait_for(&second, __mbarrier_arrive(&second));
  }
  s[t] = a.A[t];
  const __mbarrier_token_t token = __mbarrier_arrive(&first);
  bool over = __mbarrier_test_wait(&first, token);
  if (t < 128) {
    __mbarrier_arrive(&second);
  }
  while (!over) {
    over = __mbarrier_test_wait(&first, token);
  }
  a.C[t] = s[t ^ 128];
}

// The neighbour's read lies before its arrival, this thread's own reads before and behind.
__global__ void in_place_kernel(Args a) {
  __shared__ float s[THREADS];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&barrier, THREADS);
  }
  s[t] = a.A[t];
  __syncthreads();
  for (int tile = 1; tile < TILES; ++tile) {
    const float left = s[(t + THREADS - 1) % THREADS];
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    const float sum = left + s[t];
    wait_for(&barrier, token);
    s[t] = sum;
    wait_for(&barrier, __mbarrier_arrive(&barrier));
  }
  a.C[t] = s[t];
}

// A barrier that ends, and another in its place.
__global__ void made_anew_kernel(Args a) {
  __shared__ float s[THREADS];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  for (int tile = 0; tile < 2; ++tile) {
    if (t == 0) {
      __mbarrier_init(&barrier, THREADS);
    }
    __syncthreads();
    s[t] = a.A[t];
    wait_for(&barrier, __mbarrier_arrive(&barrier));
    a.C[t] = s[t ^ 128];
    __syncthreads();
    if (t == 0) {
      __mbarrier_inval(&barrier);
    }
    __syncthreads();
  }
}

// Warp 0 fills a buffer, the others read it. BUG 0: none, 1: the writer does not wait for the readers, 2: one
// reader does not arrive, and nobody waits for it.
template <int BUG>
__global__ void producers_kernel(Args a) {
  __shared__ float s[32];
  __shared__ __mbarrier_t full, empty;
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&full, THREADS);
    __mbarrier_init(&empty, BUG == 2 ? THREADS - 1 : THREADS);
  }
  __syncthreads();
  float acc = 0;
  for (int tile = 0; tile < TILES; ++tile) {
    if (t < 32) {
      s[t] = a.A[tile * THREADS + t];  // ERROR producer
    }
    wait_for(&full, __mbarrier_arrive(&full));
    if (t >= 32) {
      acc += s[(t + 1) % 32];  // OTHER producer
    }
    if (BUG != 2 || t != THREADS - 5) {
      const __mbarrier_token_t token = __mbarrier_arrive(&empty);
      if (t < 32 && BUG != 1) {
        wait_for(&empty, token);
      }
    }
  }
  a.C[t] = acc;
}

template <void (*KERNEL)(Args), int BLOCKS = 1>
void run(const Args& a) {
  KERNEL<<<BLOCKS, THREADS>>>(a);
}

const Run ring = run<ring_kernel<NONE>>;
const Run ring_behind = run<ring_kernel<BEHIND>>;
const Run ring_of_blocks = run<ring_kernel<NONE>, 5>;
const Run no_wait = run<ring_kernel<NO_WAIT>>;
const Run wait_for_last_tile = run<ring_kernel<LAST_TILE>>;
const Run arrive_before_copies = run<ring_kernel<BEFORE_COPIES>>;
const Run refill_early = run<ring_kernel<REFILL_EARLY>>;
const Run read_early = run<ring_kernel<READ_EARLY>>;
const Run no_arrive_before_last_read = run<ring_kernel<LAST_READ>>;
const Run arrive_but_one = run<ring_kernel<BUT_ONE>>;
const Run no_waits_for_copies = run<ring_kernel<NO_COPY_WAIT>>;
const Run two_barriers = run<two_barriers_kernel>;
const Run beside_syncthreads = run<beside_syncthreads_kernel>;
const Run one_lane_looks = run<one_lane_kernel>;
const Run looks_once = run<looks_once_kernel>;
const Run in_place = run<in_place_kernel>;
const Run made_anew = run<made_anew_kernel>;
const Run producers = run<producers_kernel<0>>;
const Run producers_early = run<producers_kernel<1>>;
const Run one_consumer_less = run<producers_kernel<2>>;

}  // namespace mbarrier
