// Kernels with one mistake each. A comment marks the line that must be reported: // ERROR name, and
// // OTHER name the other party's.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#include "tests/simt/bugs.h"

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

// A mistake that a template parameter turns off gives the right kernel for comparison.
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

// 0: none, 1: all lanes, 2: each pair of lanes.
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
    a.C[row * a.N + col] = 1;  // ERROR overlap
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
  s[threadIdx.x / 2] = 1;  // ERROR writers
  __syncthreads();
  a.C[threadIdx.x] = s[threadIdx.x / 2];
}

__global__ void copy_kernel(Args a) {
  a.C[threadIdx.x] = a.A[threadIdx.x];  // ERROR uninitialized
}

__global__ void store_kernel(Args a) {
  if (threadIdx.x == 5) {
    a.C[a.M * a.N + 2] = 1;  // ERROR store
  }
}

__global__ void dynamic_kernel(Args a) {
  extern __shared__ float4 smem[];
  float* s = reinterpret_cast<float*>(smem);
  s[threadIdx.x] = a.A[threadIdx.x];  // ERROR dynamic
  __syncthreads();
  a.C[threadIdx.x] = s[threadIdx.x];
}

// 0: right, 1: no wait, 2: no barrier, 3: a store to what is on its way.
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

dim3 grid(const Args& a) {
  return dim3((a.N + TILE - 1) / TILE, (a.M + TILE - 1) / TILE);
}
const dim3 block(TILE, TILE);

void missing_second_barrier(const Args& a) {
  tiles_kernel<false><<<grid(a), block>>>(a);
}
void right_tiles(const Args& a) {
  tiles_kernel<true><<<grid(a), block>>>(a);
}
void early_return(const Args& a) {
  early_return_kernel<<<grid(a), block>>>(a);
}
void guard_off_by_one(const Args& a) {
  off_by_one_kernel<<<grid(a), block>>>(a);
}
void misaligned_vector(const Args& a) {
  misaligned_kernel<<<1, 32>>>(a);
}
void no_zero_fill(const Args& a) {
  no_zero_fill_kernel<<<grid(a), block>>>(a);
}
void index_too_far(const Args& a) {
  index_kernel<<<grid(a), block>>>(a);
}
void barrier_in_both_arms(const Args& a) {
  both_arms_kernel<<<grid(a), block>>>(a);
}
void missing_syncwarp(const Args& a) {
  syncwarp_kernel<0><<<1, 64>>>(a);
}
void right_syncwarp(const Args& a) {
  syncwarp_kernel<1><<<1, 64>>>(a);
}
void right_partial_syncwarp(const Args& a) {
  syncwarp_kernel<2><<<1, 64>>>(a);
}
void overlapping_blocks(const Args& a) {
  overlap_kernel<<<grid(a), block>>>(a);
}
void half_a_warp_stores_a_fragment(const Args& a) {
  half_warp_kernel<<<1, 32>>>(a);
}
void two_writers(const Args& a) {
  two_writers_kernel<<<1, 64>>>(a);
}
void uninitialized_global(const Args& a) {
  copy_kernel<<<1, 64>>>(a);
}
void write_out_of_bounds(const Args& a) {
  store_kernel<<<1, 32>>>(a);
}
void dynamic_shared_too_small(const Args& a) {
  dynamic_kernel<<<1, 64, 63 * 4>>>(a);
}
void async_not_waited(const Args& a) {
  async_kernel<1><<<1, 64>>>(a);
}
void async_without_barrier(const Args& a) {
  async_kernel<2><<<1, 64>>>(a);
}
void async_overwrites(const Args& a) {
  async_kernel<3><<<1, 64>>>(a);
}
void right_async(const Args& a) {
  async_kernel<0><<<1, 64>>>(a);
}
void async_bad_size(const Args& a) {
  async_size_kernel<<<1, 64>>>(a);
}
void shuffle_without_a_lane(const Args& a) {
  shuffle_kernel<<<1, 32>>>(a);
}
void shuffle_mask_without_self(const Args& a) {
  mask_kernel<<<1, 32>>>(a);
}
void plain_beside_atomic(const Args& a) {
  atomic_kernel<<<1, 64>>>(a);
}
void null_pointer(const Args& a) {
  null_kernel<<<1, 32>>>(a);
}
void endless_loop(const Args& a) {
  endless_kernel<<<1, 1>>>(a);
}
void misaligned_fragment(const Args& a) {
  fragment_kernel<<<1, 32>>>(a);
}
void right_exit_before_last_barrier(const Args& a) {
  last_barrier_kernel<<<1, 64>>>(a);
}

}  // namespace bugs
