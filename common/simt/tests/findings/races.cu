#include <cuda_runtime.h>

#include "tests/findings/races.h"

namespace races {

__device__ int index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

template <bool RIGHT>
__global__ void shift_kernel(int* x) {
  const int t = threadIdx.x;
  x[t] = t;
  if (RIGHT) {
    __syncthreads();
  }
  x[64 + t] = x[(t + 33) % 64];  // ERROR threads
  if (RIGHT) {
    __syncthreads();
    x[t == 0 ? 0 : 256 + t] = 1;
  }
}

__global__ void warp_kernel(int* x) {
  x[threadIdx.x] = x[threadIdx.x ^ 1] + 1;  // ERROR lanes
}

__global__ void neighbour_kernel(int* x) {
  x[index()] = x[index() + 1];  // ERROR blocks
}

// The first block has ended long before the last one writes what it has read.
__global__ void late_kernel(int* x) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == gridDim.x - 1) {
    x[0] = 1;  // ERROR late
  } else {
    x[1024 + 32 * blockIdx.x] = x[0];
  }
}

__global__ void winner_kernel(int* x) {
  x[0] = index();  // ERROR winner
}

// A flag does not order those who do not look at it.
__global__ void blind_kernel(int* x) {
  if (threadIdx.x == 0) {
    atomicAdd(&x[1], 1);
  }
  x[2] = index();  // ERROR blind
}

__global__ void twice_kernel(int* x) {
  x[index()] += 1;
  x[index()] *= 1;
}

__global__ void bytes_kernel(int* x) {
  reinterpret_cast<char*>(x)[index()] = threadIdx.x == 0 && blockIdx.x == 0;
}

// Blocks read and write halves of the same words.
__global__ void halves_kernel(int* x) {
  short& half = reinterpret_cast<short*>(x)[index()];
  half = half + (index() == 0);
}

// Block 0 waits for the last one, or the last one for block 0.
template <bool FIRST>
__global__ void flag_kernel(int* x) {
  volatile int* const flag = x + 64;
  const bool waits = (blockIdx.x == 0) == FIRST && (FIRST || blockIdx.x == gridDim.x - 1);
  const bool tells = !waits && (blockIdx.x == (FIRST ? gridDim.x - 1 : 0));
  if (threadIdx.x != 0) return;
  if (tells) {
    x[128] = 1;
    __threadfence();
    *flag = 1;
  } else if (waits) {
    while (*flag == 0) {
    }
    __threadfence_system();
    x[0] = x[128];
  }
}

// The same among the warps of a block.
__global__ void warps_kernel(int* x) {
  if (threadIdx.x == 0) {
    while (atomicAdd(&x[64], 0) == 0) {
    }
    x[0] = 1;
  } else if (threadIdx.x == 1023) {
    atomicAdd(&x[64], 1);
  }
}

__global__ void lock_kernel(int* x) {
  for (bool done = false; !done;) {
    if (atomicCAS(&x[64], 0, 1) == 0) {
      x[128] += 1;
      x[0] = x[128] == int(gridDim.x * blockDim.x);
      __threadfence();
      atomicExch(&x[64], 0);
      done = true;
    }
  }
}

// Each block leaves a number; the last one to come adds them.
__global__ void sum_kernel(int* x) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    x[128 + blockIdx.x] = 1;
    __threadfence();
    last = atomicAdd(&x[64], 1) == int(gridDim.x) - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) {
      sum += x[128 + i];
    }
    x[0] = sum == int(gridDim.x);
  }
}

// All blocks meet: each waits for all others.
__global__ void meet_kernel(int* x) {
  if (threadIdx.x == 0) {
    atomicAdd(&x[64], 1);
    while (atomicAdd(&x[64], 0) < int(gridDim.x)) {
    }
  }
  __syncthreads();
  if (index() == 0) {
    x[0] = 1;
  }
}

__global__ void equal_kernel(int* x) {
  x[0] = 1;
}

__global__ void equal_shared_kernel(int* x) {
  __shared__ int one;
  one = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    x[0] = one;
  }
}

__global__ void wait_kernel(int* x) {
  volatile int* const flag = x;
  while (*flag == 0) {  // ERROR ever
  }
}

__global__ void divergence_kernel(int* x) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 40) {
    __syncthreads();  // ERROR divergence
  }
  x[threadIdx.x] = s[63 - threadIdx.x];
  x[64 + threadIdx.x] = s[(threadIdx.x + 1) % 64];
}

__global__ void many_kernel(int* x) {
  const int t = threadIdx.x;
  x[0] = t;
  x[1] = t;
  x[2] = t;
  x[3] = t;
  x[4] = t;
  x[5] = t;
  x[6] = t;
  x[7] = t;
  x[8] = t;
  x[9] = t;
  x[10] = t;
  x[11] = t;
  x[12] = t;
}

template <void (*KERNEL)(int*), int BLOCKS, int THREADS>
void run(int* x) {
  KERNEL<<<BLOCKS, THREADS>>>(x);
}

const Kernel wrong[] = {
    {"threads", run<shift_kernel<false>, 1, 64>}, {"lanes", run<warp_kernel, 1, 32>},
    {"blocks", run<neighbour_kernel, 8, 32>},     {"late", run<late_kernel, 20, 32>},
    {"winner", run<winner_kernel, 2, 64>},        {"blind", run<blind_kernel, 4, 32>}};
const Kernel right[] = {{"a barrier", run<shift_kernel<true>, 1, 64>},
                        {"one thread each", run<twice_kernel, 4, 64>},
                        {"bytes", run<bytes_kernel, 4, 64>},
                        {"halves", run<halves_kernel, 4, 33>},
                        {"a flag of a later block", run<flag_kernel<true>, 12, 32>},
                        {"a flag of an earlier block", run<flag_kernel<false>, 12, 32>},
                        {"a flag of a later warp", run<warps_kernel, 1, 1024>},
                        {"a lock", run<lock_kernel, 4, 64>},
                        {"the last block", run<sum_kernel, 30, 64>},
                        {"all blocks meet", run<meet_kernel, 16, 64>},
                        {"a barrier, once more", run<shift_kernel<true>, 1, 64>}};
const Kernel equal[] = {{"threads", run<equal_kernel, 1, 64>},
                        {"blocks", run<equal_kernel, 8, 32>},
                        {"threads in shared memory", run<equal_shared_kernel, 1, 64>}};
const Run waits_for_ever = run<wait_kernel, 2, 32>;
const Run diverges = run<divergence_kernel, 1, 64>;
const Run many_mistakes = run<many_kernel, 1, 64>;

}  // namespace races
