#include <cooperative_groups.h>

#include "tests/groups/grid.h"

namespace grid {
namespace {

namespace cg = cooperative_groups;

constexpr int THREADS = 64;

// Each number becomes its neighbour's plus 1, from one array to the other.
__global__ void rounds_kernel(int* from, int* to, int count, int times, Bug bug) {
  cg::grid_group grid = cg::this_grid();
  for (int i = 0; i < times; ++i) {
    for (int at = int(grid.thread_rank()); at < count; at += int(grid.size())) {
      to[at] = from[(at + 1) % count] + 1;  // ERROR rounds
    }
    if (bug == NONE || (bug == NO_LAST_SYNC && i + 2 < times)) grid.sync();
    int* const next = from;
    from = to;
    to = next;
  }
}

__global__ void shared_kernel(const int* in, int* out) {
  __shared__ int numbers[THREADS];
  auto grid = cg::this_grid();
  const int t = threadIdx.x;
  numbers[t] = in[grid.thread_rank()];
  out[2048 + grid.thread_rank()] = numbers[t];
  grid.sync();  // orders shared memory, too
  const int block = int((grid.block_rank() + 1) % grid.num_blocks());
  out[grid.thread_rank()] = numbers[THREADS - 1 - t] + out[2048 + block * THREADS + t];
}

__global__ void sum_kernel(const int* in, int* out) {
  auto grid = cg::this_grid();
  if (grid.thread_rank() == 0) *out = 0;
  cg::sync(grid);
  atomicAdd(out, in[grid.thread_rank()]);
  grid.sync();
  if (threadIdx.x == 0) out[1 + blockIdx.x] = *out;
}

__global__ void ranks_kernel(int* out) {
  auto grid = cg::this_grid();
  const int at = int(grid.thread_rank());
  out[at] = int(grid.is_valid() + grid.num_blocks() * 10 + grid.num_threads() * 1000 +
                grid.block_index().x * 0 + (grid.dim_blocks().x - gridDim.x));
  grid.sync();
}

__global__ void __cluster_dims__(2, 1, 1) clusters_kernel(const int* in, int* out) {
  __shared__ int number;
  auto grid = cg::this_grid();
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) number = in[blockIdx.x];
  grid.sync();
  const int other = *cluster.map_shared_rank(&number, cluster.block_rank() ^ 1);
  out[grid.thread_rank()] = other;
  grid.sync();
}

__device__ void meet(int* count, int blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < blocks) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void spins_kernel(const int* in, int* out) {
  const int at = blockIdx.x * THREADS + threadIdx.x;
  out[1024 + at] = in[at];
  meet(out, gridDim.x);
  out[2048 + at] = out[1024 + (at + THREADS) % (gridDim.x * THREADS)];
}

__global__ void block_exits_kernel(int* out) {
  auto grid = cg::this_grid();
  if (blockIdx.x == 1) return;
  out[grid.thread_rank()] = 1;
  grid.sync();  // ERROR exits
}
__global__ void half_waits_kernel(int* out) {
  auto grid = cg::this_grid();
  out[grid.thread_rank()] = 1;
  if (threadIdx.x < 32) {
    grid.sync();  // ERROR half
  } else {
    __syncthreads();  // OTHER half
  }
}
__global__ void not_cooperative_kernel(int* out) {
  out[threadIdx.x] = cg::this_grid().is_valid();
  cg::this_grid().sync();  // ERROR plain
}
__global__ void write_twice_kernel(int* out, bool syncs) {
  if (blockIdx.x == 0) out[threadIdx.x] = 1;  // OTHER twice
  if (syncs) cg::this_grid().sync();
  if (blockIdx.x == 1) out[threadIdx.x] = 2;  // ERROR twice
}

template <typename... Params, typename... Args>
cudaError_t launch(void (*kernel)(Params...), int blocks, Args... args) {
  void* pointers[] = {&args...};
  return cudaLaunchCooperativeKernel((void*)kernel, dim3(blocks), dim3(THREADS), pointers);
}

}  // namespace

cudaError_t rounds(int* in, int* out, int count, int blocks, int times, Bug bug) {
  return launch(rounds_kernel, blocks, in, out, count, times, bug);
}
cudaError_t shared(int* in, int* out, int blocks) {
  return launch(shared_kernel, blocks, in, out);
}
cudaError_t sum(int* in, int* out, int blocks) {
  return launch(sum_kernel, blocks, in, out);
}
cudaError_t ranks(int* out, int blocks) {
  return launch(ranks_kernel, blocks, out);
}
cudaError_t clusters(int* in, int* out) {
  return launch(clusters_kernel, 4, in, out);
}
cudaError_t by_attribute(int* in, int* out) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4);
  config.blockDim = dim3(THREADS);
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, shared_kernel, static_cast<const int*>(in), out);
}
cudaError_t spins(int* in, int* out, int blocks) {
  cudaMemset(out, 0, sizeof(int));
  return launch(spins_kernel, blocks, in, out);
}
void block_exits(int* out) {
  launch(block_exits_kernel, 2, out);
}
void half_waits(int* out) {
  launch(half_waits_kernel, 2, out);
}
void not_cooperative(int* out) {
  not_cooperative_kernel<<<1, THREADS>>>(out);
}
void write_twice(int* out, bool syncs) {
  launch(write_twice_kernel, 2, out, syncs);
}
cudaError_t too_many(int* out) {
  void* pointers[] = {&out};
  return cudaLaunchCooperativeKernel(ranks_kernel, dim3(1000), dim3(1024), pointers);
}

}  // namespace grid
