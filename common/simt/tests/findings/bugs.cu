// Kernels with one mistake each. ERROR marks the line that must be reported, OTHER the other party's.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#include "tests/findings/bugs.h"

namespace bugs {

constexpr int TILE = 32;
struct Place {
  int m, n, row, col;
};

__device__ Place place() {
  Place p;
  p.m = threadIdx.y;
  p.n = threadIdx.x;
  p.row = blockIdx.y * TILE + p.m;
  p.col = blockIdx.x * TILE + p.n;
  return p;
}

__device__ float product(const float (&As)[TILE][TILE], const float (&Bs)[TILE][TILE], Place p) {
  float acc = 0;
  for (int k = 0; k < TILE; ++k) {
    acc += As[p.m][k] * Bs[k][p.n];
  }
  return acc;
}

template <bool RIGHT>
__global__ void tiles_kernel(Args a) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const Place p = place();
  float acc = 0;
  for (int k0 = 0; k0 < a.K; k0 += TILE) {
    As[p.m][p.n] = p.row < a.M && k0 + p.n < a.K ? a.A[p.row * a.K + k0 + p.n] : 0;  // ERROR second
    Bs[p.m][p.n] = k0 + p.m < a.K && p.col < a.N ? a.B[(k0 + p.m) * a.N + p.col] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) {
      acc += As[p.m][k] *  // OTHER second
             Bs[k][p.n];
    }
    if (RIGHT) {
      __syncthreads();
    }
  }
  if (p.row < a.M && p.col < a.N) {
    a.C[p.row * a.N + p.col] = acc;
  }
}

__global__ void early_return_kernel(Args a) {
  __shared__ float As[TILE][TILE];
  const Place p = place();
  if (p.row >= a.M || p.col >= a.N) {
    return;
  }
  As[p.m][p.n] = a.A[p.row * a.K];
  __syncthreads();  // ERROR return
  a.C[p.row * a.N + p.col] = As[p.m][0];
}

__global__ void off_by_one_kernel(Args a) {
  __shared__ float As[TILE][TILE];
  const Place p = place();
  As[p.m][p.n] = p.row <= a.M && p.n < a.K ? a.A[p.row * a.K + p.n] : 0;  // ERROR guard
  __syncthreads();
  if (p.row < a.M && p.col < a.N) {
    a.C[p.row * a.N + p.col] = As[p.m][0];
  }
}

__global__ void misaligned_kernel(Args a) {
  const float4 v = *reinterpret_cast<const float4*>(&a.A[threadIdx.x * a.K]);  // ERROR misaligned
  a.C[threadIdx.x] = v.x + v.w;
}

__global__ void no_zero_fill_kernel(Args a) {
  __shared__ float As[TILE][TILE];
  const Place p = place();
  if (p.row < a.M && p.col < a.K) {
    As[p.m][p.n] = a.A[p.row * a.K + p.col];
  }
  __syncthreads();
  float acc = 0;
  for (int k = 0; k < TILE; ++k) {
    acc += As[p.m][k];  // ERROR zero
  }
  if (p.row < a.M && p.col < a.N) {
    a.C[p.row * a.N + p.col] = acc;
  }
}

__global__ void index_kernel(Args a) {
  __shared__ float As[TILE][TILE];
  const Place p = place();
  As[p.m][p.n] = 1;
  __syncthreads();
  float acc = 0;
  for (int k = 0; k <= TILE; ++k) {
    acc += As[p.m][k];  // ERROR index
  }
  a.C[0] = acc;
}

__global__ void both_arms_kernel(Args a) {
  __shared__ float As[TILE][TILE];
  const Place p = place();
  As[p.m][p.n] = 1;
  float v = 0;
  if (p.m < TILE / 2) {
    __syncthreads();  // ERROR arms
    v = As[p.n][p.m];
  } else {
    __syncthreads();  // OTHER arms
    v = 2 * As[p.n][p.m];
  }
  if (p.row < a.M && p.col < a.N) {
    a.C[p.row * a.N + p.col] = v;
  }
}

// SYNC 0: none, 1: all lanes, 2: each pair of lanes.
template <int SYNC>
__global__ void syncwarp_kernel(Args a) {
  __shared__ float s[64];
  s[threadIdx.x] = a.A[threadIdx.x];  // OTHER syncwarp
  if (SYNC == 1) {
    __syncwarp();
  } else if (SYNC == 2) {
    __syncwarp(3u << (threadIdx.x % 32 & ~1u));
  }
  a.C[threadIdx.x] = s[threadIdx.x ^ 1];  // ERROR syncwarp
}

__global__ void overlap_kernel(Args a) {
  const int col = blockIdx.x * (TILE - 1) + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  if (row < a.M && col < a.N) {
    a.C[row * a.N + col] = float(blockIdx.x);  // ERROR overlap
  }
}

__global__ void half_warp_kernel(Args a) {
  using namespace nvcuda;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  if (threadIdx.x < 16) {
    wmma::store_matrix_sync(a.C, acc, 16, wmma::mem_row_major);  // ERROR fragment
  }
}

__global__ void two_writers_kernel(Args a) {
  __shared__ float s[32];
  s[threadIdx.x / 2] = threadIdx.x;  // ERROR writers
  __syncthreads();
  a.C[threadIdx.x] = s[threadIdx.x / 2];
}

__global__ void copy_kernel(Args a) {
  a.C[threadIdx.x] = a.A[threadIdx.x];  // ERROR uninitialized
}

__global__ void store_kernel(Args a) {
  a.C[a.M * a.N - 30 + threadIdx.x] = 1;  // ERROR store
}

__global__ void dynamic_kernel(Args a) {
  extern __shared__ float4 smem[];
  float* s = reinterpret_cast<float*>(smem);
  s[threadIdx.x] = a.A[threadIdx.x];  // ERROR dynamic
  __syncthreads();
  a.C[threadIdx.x] = s[threadIdx.x];
}

// BUG 0: right, 1: no wait, 2: no barrier, 3: a store to what is on its way.
template <int BUG>
__global__ void async_kernel(Args a) {
  alignas(16) __shared__ float s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &a.A[threadIdx.x], 4);  // OTHER async
  __pipeline_commit();
  if (BUG == 3) {
    s[threadIdx.x] = 0;  // ERROR overwrite
  }
  if (BUG != 1) {
    __pipeline_wait_prior(0);
  }
  if (BUG != 2) {
    __syncthreads();
  }
  a.C[threadIdx.x] = s[threadIdx.x ^ 32];  // ERROR async
}

__global__ void async_size_kernel(Args a) {
  __shared__ float s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &a.A[threadIdx.x], 12);  // ERROR size
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

__global__ void shuffle_kernel(Args a) {
  float v = float(threadIdx.x);
  if (threadIdx.x != 7) {
    v = __shfl_xor_sync(0xffffffff, v, 1);  // ERROR shuffle
  }
  a.C[threadIdx.x] = v;
}

__global__ void mask_kernel(Args a) {
  a.C[threadIdx.x] = __shfl_sync(0x0000ffff, 1.0f, 0);  // ERROR mask
}

__global__ void atomic_kernel(Args a) {
  __shared__ int count;
  if (threadIdx.x == 0) {
    count = 0;
  }
  __syncthreads();
  atomicAdd(&count, 1);  // OTHER atomic
  if (threadIdx.x == 63) {
    count = 5;  // ERROR atomic
  }
  __syncthreads();
  a.C[threadIdx.x] = float(count);
}

__global__ void null_kernel(Args a) {
  const float* nothing = a.M < 0 ? a.A : nullptr;
  a.C[threadIdx.x] = nothing[threadIdx.x];  // ERROR null
}

__global__ void endless_kernel(Args a) {
  for (int k = 0; k < a.K; k += a.M - a.M) {
    atomicAdd(&a.C[k], 1.0f);  // ERROR endless
  }
}

__global__ void fragment_kernel(Args a) {
  using namespace nvcuda;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  wmma::store_matrix_sync(a.C + 4, acc, 16, wmma::mem_row_major);  // ERROR alignment
}

__global__ void last_barrier_kernel(Args a) {
  __shared__ float s[64];
  s[threadIdx.x] = a.A[threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 32) {
    return;
  }
  a.C[threadIdx.x] = s[threadIdx.x + 32];
}

// Launches: one thread per element of C, or one block.
template <void (*KERNEL)(Args)>
void on_tiles(const Args& a) {
  const dim3 grid((a.N + TILE - 1) / TILE, (a.M + TILE - 1) / TILE);
  KERNEL<<<grid, dim3(TILE, TILE)>>>(a);
}
template <void (*KERNEL)(Args), int THREADS, int SHARED = 0>
void on_block(const Args& a) {
  KERNEL<<<1, THREADS, SHARED>>>(a);
}

const Run missing_second_barrier = on_tiles<tiles_kernel<false>>;
const Run right_tiles = on_tiles<tiles_kernel<true>>;
const Run early_return = on_tiles<early_return_kernel>;
const Run guard_off_by_one = on_tiles<off_by_one_kernel>;
const Run misaligned_vector = on_block<misaligned_kernel, 32>;
const Run no_zero_fill = on_tiles<no_zero_fill_kernel>;
const Run index_too_far = on_tiles<index_kernel>;
const Run barrier_in_both_arms = on_tiles<both_arms_kernel>;
const Run missing_syncwarp = on_block<syncwarp_kernel<0>, 64>;
const Run right_syncwarp = on_block<syncwarp_kernel<1>, 64>;
const Run right_partial_syncwarp = on_block<syncwarp_kernel<2>, 64>;
const Run overlapping_blocks = on_tiles<overlap_kernel>;
const Run half_a_warp_stores_a_fragment = on_block<half_warp_kernel, 32>;
const Run two_writers = on_block<two_writers_kernel, 64>;
const Run uninitialized_global = on_block<copy_kernel, 64>;
const Run write_out_of_bounds = on_block<store_kernel, 32>;
const Run dynamic_shared_too_small = on_block<dynamic_kernel, 64, 63 * sizeof(float)>;
const Run async_not_waited = on_block<async_kernel<1>, 64>;
const Run async_without_barrier = on_block<async_kernel<2>, 64>;
const Run async_overwrites = on_block<async_kernel<3>, 64>;
const Run right_async = on_block<async_kernel<0>, 64>;
const Run async_bad_size = on_block<async_size_kernel, 64>;
const Run shuffle_without_a_lane = on_block<shuffle_kernel, 32>;
const Run shuffle_mask_without_self = on_block<mask_kernel, 32>;
const Run plain_beside_atomic = on_block<atomic_kernel, 64>;
const Run null_pointer = on_block<null_kernel, 32>;
const Run endless_loop = on_block<endless_kernel, 1>;
const Run misaligned_fragment = on_block<fragment_kernel, 32>;
const Run right_exit_before_last_barrier = on_block<last_barrier_kernel, 64>;

}  // namespace bugs
