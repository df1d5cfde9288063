// Kernels that use an mbarrier wrongly. ERROR marks the line that must be reported, OTHER the other party's.
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

#include "tests/mbarrier/mbarrier.h"

namespace mbarrier {

__device__ void wait_for(__mbarrier_t* barrier, __mbarrier_token_t token) {
  while (!__mbarrier_test_wait(barrier, token)) {  // ERROR wait
  }
}

// Each half waits for the other at another barrier.
__global__ void crossed_kernel(Args a) {
  __shared__ __mbarrier_t barriers[2];
  const int t = threadIdx.x;
  if (t < 2) {
    __mbarrier_init(&barriers[t], THREADS);
  }
  __syncthreads();
  for (int i = 0; i < 2; ++i) {
    __mbarrier_t* barrier = &barriers[t < 128 ? i : 1 - i];
    wait_for(barrier, __mbarrier_arrive(barrier));
  }
  a.C[t] = 1;
}

// A read of the same interval, before there is a barrier.
__global__ void read_before_made_kernel(Args a) {
  __shared__ float s[THREADS];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  s[t] = a.A[t];
  __syncthreads();
  a.C[t] = s[t < 100 ? (t + 1) % THREADS : t];  // OTHER before
  if (t == 100) {
    __mbarrier_init(&barrier, THREADS);
  }
  if (t == 200) {
    s[7] = 1;  // ERROR before
  }
}

// Reads behind the arrival race with a write behind the wait, also by a thread that has read itself.
template <bool TWO>
__global__ void read_behind_kernel(Args a) {
  __shared__ float s[THREADS];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  s[t] = a.A[t];
  if (t == 0) {
    __mbarrier_init(&barrier, THREADS);
  }
  __syncthreads();
  if (!TWO && t == 100) {
    a.C[t] = s[9];
  }
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  if (t == 0 || (TWO && t == 100)) {
    a.C[t] = s[9];  // OTHER behind
  }
  wait_for(&barrier, token);
  if (t == (TWO ? 0 : 200)) {
    s[9] = 1;  // ERROR behind
  }
}

enum Misuse {
  NEVER_MADE,
  MADE_TWICE,
  MADE_UNSEEN,
  MADE_FOR_NONE,
  MADE_OF_DATA,
  ARRIVES_TWICE,
  OLD_TOKEN,
  TOKEN_OF_ANOTHER,
  DATA_BESIDE,
  UNMADE_IN_USE,
  HALF_EXITS,
  WAITS_AT_SYNCTHREADS,
  ONE_TOO_MANY
};

template <Misuse BUG>
__global__ void misuse_kernel(Args a) {
  __shared__ __mbarrier_t barrier, other;
  const int t = threadIdx.x;
  if (BUG == MADE_OF_DATA && t == 0) {
    barrier = 0;  // OTHER data
  }
  if (t == 40 && BUG == MADE_OF_DATA) {
    __mbarrier_init(&barrier, THREADS);  // ERROR data
  }
  if (BUG != NEVER_MADE && BUG != MADE_OF_DATA && (t == 0 || (BUG == MADE_TWICE && t == 9))) {
    const int count = BUG == MADE_FOR_NONE ? 0 : BUG == ONE_TOO_MANY ? THREADS + 1 : THREADS;
    __mbarrier_init(&barrier, count);  // ERROR made
  }
  if (t == 0) {
    __mbarrier_init(&other, THREADS);
  }
  if (BUG != MADE_UNSEEN) {
    __syncthreads();
  }
  if (BUG == HALF_EXITS && t >= 128) {
    return;
  }
  if (BUG == DATA_BESIDE && t == 50) {
    a.C[t] = float(barrier);  // ERROR beside
  }
  if (BUG == WAITS_AT_SYNCTHREADS && t >= 128) {
    __syncthreads();  // OTHER syncthreads
  }
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);  // ERROR arrive
  if (BUG == ARRIVES_TWICE && t == 3) {
    token = __mbarrier_arrive(&barrier);  // ERROR twice
  }
  if (BUG == UNMADE_IN_USE && t == 3) {
    __mbarrier_inval(&barrier);  // ERROR unmade
  }
  if (BUG == TOKEN_OF_ANOTHER) {
    token = __mbarrier_arrive(&other);
  }
  if (BUG == OLD_TOKEN) {
    wait_for(&barrier, token);
    wait_for(&barrier, __mbarrier_arrive(&barrier));
  }
  while (!__mbarrier_test_wait(&barrier, token)) {  // ERROR test
  }
  a.C[t] = 1;
}

template <void (*KERNEL)(Args)>
void run(const Args& a) {
  KERNEL<<<1, THREADS>>>(a);
}

const Run read_before_made = run<read_before_made_kernel>;
const Run read_behind_arrival = run<read_behind_kernel<false>>;
const Run two_read_behind_arrival = run<read_behind_kernel<true>>;
const Run never_made = run<misuse_kernel<NEVER_MADE>>;
const Run made_twice = run<misuse_kernel<MADE_TWICE>>;
const Run made_unseen = run<misuse_kernel<MADE_UNSEEN>>;
const Run made_for_none = run<misuse_kernel<MADE_FOR_NONE>>;
const Run made_of_data = run<misuse_kernel<MADE_OF_DATA>>;
const Run arrives_twice = run<misuse_kernel<ARRIVES_TWICE>>;
const Run old_token = run<misuse_kernel<OLD_TOKEN>>;
const Run token_of_another = run<misuse_kernel<TOKEN_OF_ANOTHER>>;
const Run data_beside = run<misuse_kernel<DATA_BESIDE>>;
const Run unmade_in_use = run<misuse_kernel<UNMADE_IN_USE>>;
const Run half_exits = run<misuse_kernel<HALF_EXITS>>;
const Run crossed_waits = run<crossed_kernel>;
const Run waits_at_syncthreads = run<misuse_kernel<WAITS_AT_SYNCTHREADS>>;
const Run one_too_many = run<misuse_kernel<ONE_TOO_MANY>>;

}  // namespace mbarrier
