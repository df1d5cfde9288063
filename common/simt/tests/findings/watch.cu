#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "tests/findings/watch.h"

namespace watched {

// Where nvcc places the array behind `before`, it is aligned if `before` has 32 elements, not if it has one.
template <int BEFORE, bool RIGHT>
__global__ void float4_kernel(float* out) {
  __shared__ volatile float before[BEFORE];
  alignas(RIGHT ? 16 : 8) __shared__ float s[128];
  if (threadIdx.x == 0) before[0] = 0;
  for (int i = threadIdx.x; i < 128; i += 32) {
    s[i] = 1;
  }
  __syncthreads();
  const float4 v = *reinterpret_cast<const float4*>(&s[4 * threadIdx.x]);  // ERROR float4
  out[threadIdx.x] = v.x + v.w;
}

template <int BEFORE>
__global__ void half2_kernel(float* out) {
  __shared__ volatile short before[BEFORE];
  __shared__ half s[64];
  if (threadIdx.x == 0) before[0] = 0;
  s[2 * threadIdx.x] = s[2 * threadIdx.x + 1] = half(1.0f);
  __syncwarp();
  const int pair = *reinterpret_cast<const int*>(&s[2 * threadIdx.x]);  // ERROR half2
  out[threadIdx.x] = float(pair);
}

template <int BEFORE>
__global__ void copy_kernel(float* out) {
  __shared__ volatile float before[BEFORE];
  __shared__ float2 s[64];
  if (threadIdx.x == 0) before[0] = 0;
  __pipeline_memcpy_async(&s[2 * threadIdx.x], out + 128 + 4 * threadIdx.x, 16);  // ERROR copy
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = s[2 * threadIdx.x].x;
}

template <int BEFORE, int ALIGNMENT>
__global__ void fragment_kernel(float* out) {
  using namespace nvcuda;
  __shared__ volatile float before[BEFORE];
  alignas(ALIGNMENT) __shared__ float s[256];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  if (threadIdx.x == 0) before[0] = 0;
  wmma::fill_fragment(acc, 1.0f);
  wmma::store_matrix_sync(s, acc, 16, wmma::mem_row_major);  // ERROR fragment
  __syncwarp();
  out[threadIdx.x] = s[threadIdx.x];
}

// An object whose class is defined with it beside an array at file scope: where the array lies is unknown.
thread_local int calls = 0;
__shared__ struct { float value; } object;
__shared__ float unordered[128];

__global__ void unordered_kernel(float* out) {
  if (threadIdx.x == 0) object.value = 1;
  for (int i = threadIdx.x; i < 128; i += 32) {
    unordered[i] = 1;
  }
  __syncthreads();
  const float4 v =
      *reinterpret_cast<const float4*>(&unordered[4 * threadIdx.x]);  // ERROR unordered
  out[threadIdx.x] = v.x + v.w;
}

// The same in dynamic shared memory.
template <int ALIGNMENT>
__global__ void dynamic_kernel(float* out) {
  using namespace nvcuda;
  extern __shared__ alignas(ALIGNMENT) float d[];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 1.0f);
  wmma::store_matrix_sync(d, acc, 16, wmma::mem_row_major);  // ERROR dynamic
  __syncwarp();
  out[threadIdx.x] = d[threadIdx.x];
}

struct alignas(32) Block {
  float values[256];
};

__global__ void block_kernel(float* out) {
  using namespace nvcuda;
  extern __shared__ Block blocks[];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 1.0f);
  wmma::store_matrix_sync(blocks[1].values, acc, 16, wmma::mem_row_major);
  __syncwarp();
  out[threadIdx.x] = blocks[1].values[threadIdx.x];
}

struct Wide {
  float4 v;
};

__global__ void struct_kernel(float* out) {
  __shared__ Wide one[32], two[2][32];
  one[threadIdx.x].v = two[1][threadIdx.x].v = make_float4(1, 2, 3, 4);
  const float4 v = one[threadIdx.x].v, w = two[1][threadIdx.x].v;
  out[threadIdx.x] = v.x + w.y;
}

__global__ void overflow_kernel(float* out) {
  float local[8];
  float* at = local;
  for (int i = 0; i < 8; ++i) {
    at[i] = out[i];
  }
  const int behind = int(out[0]) + int(threadIdx.x);
  out[threadIdx.x] = at[behind];  // ERROR overflow
}

__device__ void fill(float* values, int n) {
  for (int i = 0; i < n; ++i) {
    values[i] = float(i);  // ERROR fill
  }
}

__global__ void fill_kernel(float* out) {
  float4 local[2];
  fill(reinterpret_cast<float*>(local), 8 + int(out[0]));
  out[32 + threadIdx.x] = local[threadIdx.x % 2].x;
}

__global__ void next_array_kernel(float* out) {
  __shared__ float first[32], second[32];
  float* at = first;
  second[threadIdx.x] = 1;
  __syncthreads();
  at[threadIdx.x + 1 + int(out[0])] = 2;  // ERROR next
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}

template <void (*KERNEL)(float*)>
void on_warp(float* out) {
  ++calls;
  KERNEL<<<1, 32, 2048>>>(out);
}

const Run local_overflow = on_warp<overflow_kernel>;
const Run filled_too_far = on_warp<fill_kernel>;
const Run next_array = on_warp<next_array_kernel>;
const Run weak_float4 = on_warp<float4_kernel<1, false>>;
const Run packed_float4 = on_warp<float4_kernel<32, false>>;
const Run right_float4 = on_warp<float4_kernel<1, true>>;
const Run weak_half2 = on_warp<half2_kernel<1>>;
const Run packed_half2 = on_warp<half2_kernel<32>>;
const Run weak_copy = on_warp<copy_kernel<1>>;
const Run packed_copy = on_warp<copy_kernel<32>>;
const Run weak_fragment = on_warp<fragment_kernel<1, 16>>;
const Run packed_fragment = on_warp<fragment_kernel<32, 16>>;
const Run right_fragment = on_warp<fragment_kernel<1, 32>>;
const Run right_struct = on_warp<struct_kernel>;
const Run weak_unordered = on_warp<unordered_kernel>;
const Run weak_dynamic = on_warp<dynamic_kernel<16>>;
const Run right_dynamic = on_warp<dynamic_kernel<32>>;
const Run right_block = on_warp<block_kernel>;

__global__ void one_kernel(const float* in, int from, float* out, int to) {
  out[to] = in[from];  // ERROR window
}
__global__ void add_kernel(float* out, int to) {
  atomicAdd(&out[to], 1.0f);
}
__global__ void four_kernel(float* out, int to) {
  *reinterpret_cast<float4*>(&out[to]) = make_float4(1, 1, 1, 1);
}

void copy(const float* in, int from, float* out, int to) {
  one_kernel<<<1, 1>>>(in, from, out, to);
}
void add(float* out, int to) {
  add_kernel<<<1, 1>>>(out, to);
}
void store_four(float* out, int to) {
  four_kernel<<<1, 1>>>(out, to);
}

}  // namespace watched
