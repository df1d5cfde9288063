#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cuda/pipeline>

#include "tests/library/pipelines.h"

namespace pipelines {
namespace {

namespace cg = cooperative_groups;

constexpr int TILE = 128, STAGES = 2;
constexpr auto BLOCK = cuda::thread_scope_block;

__global__ void own_copies_kernel(const int* in, int* out, int tiles, Bug bug) {
  __shared__ int numbers[STAGES][TILE];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  for (int tile = 0, next = 0; tile < tiles; ++tile) {
    for (; next < tiles && next < tile + STAGES; ++next) {
      pipe.producer_acquire();
      int* const to = &numbers[next % STAGES][t];
      cuda::memcpy_async(to, &in[next * TILE + t], sizeof(int), pipe);  // COPY own
      pipe.producer_commit();
    }
    if (bug != NO_WAIT) pipe.consumer_wait();
    out[tile * TILE + t] = 2 * numbers[tile % STAGES][t];  // ERROR own
    pipe.consumer_release();
  }
}

__global__ void own_prior_kernel(const int* in, int* out, int tiles, Bug bug) {
  __shared__ int numbers[STAGES][TILE];
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  for (int tile = 0, next = 0; tile < tiles; ++tile) {
    for (; next < tile + STAGES; ++next) {
      if (next < tiles) {
        cuda::memcpy_async(&numbers[next % STAGES][t], &in[next * TILE + t], sizeof(int), pipe);
      }
      pipe.producer_commit();
    }
    if (bug == TOO_LATE) {
      cuda::pipeline_consumer_wait_prior<STAGES>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipe);
    }
    out[tile * TILE + t] = 2 * numbers[tile % STAGES][t];  // ERROR prior
  }
}

__global__ void all_threads_kernel(const int* in, int* out, int tiles, Bug bug) {
  __shared__ alignas(16) int numbers[STAGES][TILE];
  __shared__ cuda::pipeline_shared_state<BLOCK, STAGES> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int tile = 0, next = 0; tile < tiles; ++tile) {
    for (; next < tiles && next < tile + STAGES; ++next) {
      if (bug != NO_ACQUIRE) pipe.producer_acquire();  // ACQUIRE all
      int* const to = numbers[next % STAGES];
      cuda::memcpy_async(block, to, in + next * TILE, sizeof(int) * TILE, pipe);  // COPY all
      pipe.producer_commit();
    }
    if (bug != NO_WAIT) pipe.consumer_wait();
    const int t = block.thread_rank();
    out[tile * TILE + t] = 2 * numbers[tile % STAGES][TILE - 1 - t];  // READ all
    if (bug != NO_RELEASE) pipe.consumer_release();
  }
}

__device__ void one_tile(int* numbers, const int* in, int* out) {
  __shared__ cuda::pipeline_shared_state<BLOCK, STAGES> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, numbers, in, sizeof(int) * TILE, pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[threadIdx.x] = 2 * numbers[TILE - 1 - threadIdx.x];
}  // it need not release what nobody acquires
__global__ void one_by_one_kernel(const int* in, int* out, int tiles) {
  __shared__ int numbers[TILE];
  for (int tile = 0; tile < tiles; ++tile) {
    one_tile(numbers, in + tile * TILE, out + tile * TILE);
    __syncthreads();
  }
}

template <typename Pipeline>
__device__ void produce_and_consume(Pipeline& pipe, int (*numbers)[TILE], const int* in, int* out,
                                    int tiles, Bug bug) {
  if (threadIdx.x < 32) {
    for (int tile = 0; tile < tiles; ++tile) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < TILE; i += 32) {
        cuda::memcpy_async(&numbers[tile % STAGES][i], &in[tile * TILE + i],
                           cuda::aligned_size_t<4>(sizeof(int)), pipe);
      }
      pipe.producer_commit();
    }
  } else {
    for (int tile = 0; tile < tiles; ++tile) {
      if (bug != NO_WAIT) pipe.consumer_wait();
      const int t = threadIdx.x - 32;
      out[tile * TILE + t] = 2 * numbers[tile % STAGES][TILE - 1 - t];  // ERROR role
      pipe.consumer_release();
    }
  }
}
__global__ void by_role_kernel(const int* in, int* out, int tiles, Bug bug) {
  __shared__ int numbers[STAGES][TILE];
  __shared__ cuda::pipeline_shared_state<BLOCK, STAGES> state;
  const auto role =
      threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);
  produce_and_consume(pipe, numbers, in, out, tiles, bug);
}
__global__ void by_count_kernel(const int* in, int* out, int tiles, Bug bug) {
  __shared__ int numbers[STAGES][TILE];
  __shared__ cuda::pipeline_shared_state<BLOCK, STAGES> state;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, size_t(32));
  produce_and_consume(pipe, numbers, in, out, tiles, bug);
}

}  // namespace

void own_copies(int* in, int* out, int tiles, Bug bug) {
  own_copies_kernel<<<1, TILE>>>(in, out, tiles, bug);
}
void own_prior(int* in, int* out, int tiles, Bug bug) {
  own_prior_kernel<<<1, TILE>>>(in, out, tiles, bug);
}
void all_threads(int* in, int* out, int tiles, Bug bug) {
  all_threads_kernel<<<1, TILE>>>(in, out, tiles, bug);
}
void one_by_one(int* in, int* out, int tiles, Bug) {
  one_by_one_kernel<<<1, TILE>>>(in, out, tiles);
}
void by_role(int* in, int* out, int tiles, Bug bug) {
  by_role_kernel<<<1, TILE + 32>>>(in, out, tiles, bug);
}
void by_count(int* in, int* out, int tiles, Bug bug) {
  by_count_kernel<<<1, TILE + 32>>>(in, out, tiles, bug);
}

}  // namespace pipelines
