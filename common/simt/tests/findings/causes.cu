#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "tests/findings/causes.h"

namespace causes {

constexpr int SIZE = ROWS * COLS, THREADS = 64;

__device__ void store(const Args& a, int i, float value) {
  a.C[i] = a.beta == 0 ? value : value + a.beta * a.C[i];  // ERROR store
}

// From A's row `first` on: 4096 bytes and more behind its end there would be C.
template <int FIRST, int COUNT>
__global__ void reach_kernel(Args a) {
  float sum = 0;
  for (int row = FIRST; row < FIRST + COUNT; ++row) {
    sum += a.A[row * COLS + int(threadIdx.x) % COLS];  // ERROR reach
  }
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < SIZE) store(a, i, sum);
}

// C[row][COLS] is C[row + 1][0], which another thread stores, and C[ROWS][0] is nobody's.
__global__ void guard_kernel(Args a) {
  const int row = blockIdx.x, col = threadIdx.x;
  store(a, row * COLS + col, 1 + a.A[col] + float(row));
}

template <int STEP>
__global__ void twice_kernel(Args a) {
  const int row = 1 + blockIdx.x, col = threadIdx.x / STEP;
  store(a, row * COLS + col, float(threadIdx.x));
}

__global__ void blocks_kernel(Args a) {
  store(a, 2 * COLS + int(threadIdx.x), float(blockIdx.x));
}

__global__ void other_line_kernel(Args a) {
  if (threadIdx.x == 0) {
    a.C[3 * COLS + 4] = 1;  // OTHER twice
  } else if (threadIdx.x == 40) {
    a.C[3 * COLS + 4] = 2;  // ERROR twice
  }
}

// A tile that is filled, read and filled again. WITHOUT: the barrier that is missing.
template <int WITHOUT, int TILES>
__global__ void tiles_kernel(Args a) {
  __shared__ float s[THREADS];
  const int t = threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < TILES; ++tile) {
    s[t] = a.A[(t + tile) % SIZE];  // TILE filled
    if (WITHOUT != 1) __syncthreads();
    for (int i = 0; i < THREADS; ++i) {
      sum += s[(i + t) % THREADS];  // TILE read
    }
    if (WITHOUT != 2) __syncthreads();
  }
  if (t < SIZE) store(a, t, sum);
}

__global__ void unset_word_kernel(Args a) {
  __shared__ float s[THREADS];
  const int t = threadIdx.x;
  if (t < THREADS - 1) s[t] = a.A[t % SIZE];
  __syncthreads();
  if (t < SIZE) store(a, t, s[THREADS - 1 - t]);  // ERROR unset word
}

__global__ void copy_kernel(Args a) {
  __shared__ float s[THREADS];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &a.A[t % SIZE], 4);  // OTHER copied
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (t < SIZE) store(a, t, s[(t + 40) % THREADS]);  // ERROR copied
}

__global__ void divergence_kernel(Args a) {
  __shared__ float s[THREADS];
  const int t = threadIdx.x;
  if (t >= SIZE) return;
  s[t] = a.A[t];
  __syncthreads();  // ERROR divergence
  store(a, t, s[THREADS - 1 - t]);
}

__global__ void unset_sum_kernel(Args a) {
  float sum[4];
  const int t = threadIdx.x;
  for (int i = 0; i < 16; ++i) {
    sum[i % 4] += a.A[(t + i) % SIZE];
  }
  if (t < SIZE) a.C[t] = sum[0];  // ERROR sum
}

// One thread counts rounds, and nothing orders the others' reads. Some begin a round more.
template <int COUNTER>
__global__ void rounds_kernel(Args a) {
  __shared__ int next;
  const int t = threadIdx.x;
  if (t == 0) next = 0;
  __syncthreads();
  while (next < 3) {  // ROUNDS read
    if (t < COLS) a.C[blockIdx.x * COLS + t] = float(next);
    if (t == COUNTER) next = next + 1;  // ROUNDS counted
    __syncthreads();
  }
}

// The same in the first round.
__global__ void flag_kernel(Args a) {
  __shared__ bool over;
  const int t = threadIdx.x;
  if (t == 0) over = true;
  __syncthreads();
  if (t == 40) over = false;  // OTHER flag
  if (!over) {  // ERROR flag
    __syncthreads();
  }
  if (t < SIZE) store(a, t, 1);
}

// The same of the lanes of a warp, at a warp operation.
__global__ void lanes_kernel(Args a) {
  __shared__ int over;
  const int t = threadIdx.x;
  over = 0;
  __syncthreads();
  if (t == 5) over = 1;  // OTHER lanes
  float value = 1;
  if (over == 0) {  // ERROR lanes
    value = __shfl_sync(0xffffffff, value, 0);
  }
  if (t < SIZE) store(a, t, value);
}

// A race after threads have parted is a consequence, wherever its line is.
__global__ void parted_kernel(Args a) {
  __shared__ float s[THREADS];
  const int t = threadIdx.x;
  s[t] = 1;
  if (t < 32) __syncthreads();  // ERROR parted
  if (t < SIZE || t >= 32) a.C[t % SIZE] = s[THREADS - 1 - t];
}

template <void (*KERNEL)(Args), int BLOCKS, int COUNT>
void run(const Args& a) {
  KERNEL<<<BLOCKS, COUNT>>>(a);
}

const Run rows_too_many = run<reach_kernel<ROWS - 1, 160>, 1, THREADS>;
const Run before_begin = run<reach_kernel<-1, 2>, 1, THREADS>;
const Run rows_of_c = run<guard_kernel, ROWS + 1, COLS>;
const Run no_guard = run<guard_kernel, ROWS, COLS + 1>;
const Run one_block = run<twice_kernel<2>, 1, 2 * COLS>;
const Run blocks = run<blocks_kernel, 3, COLS>;
const Run other_line = run<other_line_kernel, 1, THREADS>;
const Run first_barrier = run<tiles_kernel<1, 3>, 1, THREADS>;
const Run first_barrier_of_two = run<tiles_kernel<1, 1>, 1, THREADS>;
const Run second_barrier = run<tiles_kernel<2, 3>, 1, THREADS>;
const Run unset_word = run<unset_word_kernel, 1, THREADS>;
const Run missing_copy_barrier = run<copy_kernel, 1, THREADS>;
const Run divergence = run<divergence_kernel, 1, THREADS>;
const Run rounds = run<rounds_kernel<0>, 1, THREADS>;
const Run rounds_of_other = run<rounds_kernel<40>, 1, THREADS>;
const Run rounds_of_blocks = run<rounds_kernel<0>, 3, THREADS>;
const Run flag = run<flag_kernel, 1, THREADS>;
const Run lanes = run<lanes_kernel, 1, THREADS>;
const Run parted = run<parted_kernel, 1, THREADS>;
const Run unset_sum = run<unset_sum_kernel, 1, THREADS>;
const Run right = run<tiles_kernel<0, 3>, 1, THREADS>;

}  // namespace causes
