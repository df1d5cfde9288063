#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#include "tests/counts/counts.h"

namespace counts {

__global__ void global_stride_kernel(const float* in, float* out, int offset, int stride) {
  const float v = in[offset + threadIdx.x * stride];  // LOAD
  out[threadIdx.x] = v;  // STORE
}

__global__ void global_vector_kernel(const float* in, float* out, int offset) {
  const float4 v = *reinterpret_cast<const float4*>(in + offset + threadIdx.x * 4);
  *reinterpret_cast<float4*>(out + threadIdx.x * 4) = v;
}

__global__ void global_partial_kernel(const float* in, float* out, int lanes) {
  if (int(threadIdx.x) < lanes) {
    out[threadIdx.x] = in[threadIdx.x];
  }
}

__global__ void shared_stride_kernel(float* out, int stride) {
  __shared__ float s[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) {
    s[i] = float(i);
  }
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x * stride];  // STRIDE
}

__global__ void shared_vector_kernel(float* out, int share) {
  __shared__ float4 s[32];
  s[threadIdx.x] = make_float4(0, 1, 2, 3);
  __syncthreads();
  const float4 v = s[threadIdx.x / share];
  out[threadIdx.x] = v.x + v.w;
}

template <int PAD>
__global__ void transpose_kernel(const float* in, float* out) {
  __shared__ float tile[32][32 + PAD];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void neighbours_kernel(float* out) {
  alignas(16) __shared__ float s[128];
  for (int i = threadIdx.x; i < 128; i += 32) {
    s[i] = 1;
  }
  __syncthreads();
  const float* mine = s + threadIdx.x * 4;
  out[threadIdx.x] = mine[0] + mine[1] + mine[2] + mine[3];
}

__global__ void half_kernel(float* out) {
  __shared__ half s[32];
  s[threadIdx.x] = half(1.0f);
  __syncthreads();
  out[threadIdx.x] = float(s[threadIdx.x]);
}

__global__ void loaded_half_kernel(const half* in, int count, float* out) {
  __shared__ half s[32];
  s[threadIdx.x] = int(threadIdx.x) < count ? in[threadIdx.x] : half(0);
  __syncthreads();
  out[threadIdx.x] = float(s[threadIdx.x]);
}

template <typename T>
__global__ void multiply_kernel(T* out, int n) {
  T acc = 0;
  const int rounds = threadIdx.x % 2 == 0 ? n : 2 * n;
  for (int i = 0; i < rounds; ++i) {
    acc += T(i) * T(threadIdx.x);  // FMA
  }
  out[threadIdx.x] = acc;
}

__global__ void uneven_kernel(const float* in, float* out) {
  float acc = 0;
  for (int k = 0; k < int(threadIdx.x % 4); ++k) {
    acc += in[k];  // UNEVEN
  }
  out[threadIdx.x] = acc + in[100];  // TOGETHER
}

__global__ void alternating_kernel(const float* in, float* out, int rounds) {
  float acc = 0;
  for (int k = 0; k < rounds; ++k) {
    if (int(threadIdx.x % 2) == k % 2) {
      acc += in[32 * k + threadIdx.x];  // ALTERNATING
    }
  }
  out[threadIdx.x] = acc;
}

__global__ void async_kernel(const float* in, float* out, int lanes) {
  __shared__ float s[32];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4, int(threadIdx.x) < lanes ? 0 : 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void async_vector_kernel(const float* in, float* out, int shift) {
  alignas(16) __shared__ float s[256];
  __pipeline_memcpy_async(&s[4 * threadIdx.x + shift], &in[4 * threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = s[4 * threadIdx.x + shift];
}

// The dynamic array begins 16 bytes behind the static one, in the middle of a sector.
template <bool WHOLE_SECTOR>
__global__ void async_dynamic_kernel(const float* in, float* out) {
  extern __shared__ float4 tile[];
  __shared__ int flag[WHOLE_SECTOR ? 8 : 2];
  if (threadIdx.x == 0) flag[0] = 1;
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[4 * threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x].x + float(flag[0]);
}

__global__ void async_rows_kernel(const float* in, float* out, int pitch) {
  __shared__ float s[32];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x / 8 * pitch + threadIdx.x % 8], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = s[threadIdx.x];
}

template <int LD>
__global__ void matrix_kernel(const half* a, const half* b, float* d) {
  using namespace nvcuda;
  alignas(32) __shared__ half As[16 * LD];
  alignas(32) __shared__ half Bs[16 * LD];
  for (int i = threadIdx.x; i < 256; i += 32) {
    As[i / 16 * LD + i % 16] = a[i];
    Bs[i / 16 * LD + i % 16] = b[i];
  }
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::load_matrix_sync(fa, As, LD);  // FRAGMENT
  wmma::load_matrix_sync(fb, Bs, LD);
  wmma::fill_fragment(acc, 0.0f);
  wmma::mma_sync(acc, fa, fb, acc);  // MMA
  wmma::store_matrix_sync(d, acc, 16, wmma::mem_row_major);  // RESULT
}

__global__ void atomics_kernel(float* out) {
  __shared__ int count;
  if (threadIdx.x == 0) {
    count = 0;
  }
  __syncthreads();
  atomicAdd(&count, 1);
  atomicAdd(out, 1.0f);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[1] = float(count);
  }
}

void global_stride(const float* in, float* out, int offset, int stride) {
  global_stride_kernel<<<1, 32>>>(in, out, offset, stride);
}
void global_vector(const float* in, float* out, int offset) {
  global_vector_kernel<<<1, 32>>>(in, out, offset);
}
void global_partial(const float* in, float* out, int lanes) {
  global_partial_kernel<<<1, 32>>>(in, out, lanes);
}
void shared_stride(float* out, int stride) {
  shared_stride_kernel<<<1, 32>>>(out, stride);
}
void shared_vector(float* out, int share) {
  shared_vector_kernel<<<1, 32>>>(out, share);
}
void transpose(const float* in, float* out, bool padded) {
  auto kernel = padded ? transpose_kernel<1> : transpose_kernel<0>;
  kernel<<<1, dim3(32, 32)>>>(in, out);
}
void shared_neighbours(float* out) {
  neighbours_kernel<<<1, 32>>>(out);
}
void shared_half(float* out) {
  half_kernel<<<1, 32>>>(out);
}
void loaded_half(const half* in, int count, float* out) {
  loaded_half_kernel<<<1, 32>>>(in, count, out);
}
// Launched without template arguments: they are deduced.
void multiply_adds(float* out, int threads, int n) {
  multiply_kernel<<<1, threads>>>(out, n);
}
void multiply_adds_double(double* out, int n) {
  multiply_kernel<<<1, 1>>>(out, n);
}
void uneven_loop(const float* in, float* out) {
  uneven_kernel<<<1, 32>>>(in, out);
}
void alternating_lanes(const float* in, float* out, int rounds) {
  alternating_kernel<<<1, 32>>>(in, out, rounds);
}
void async_copy(const float* in, float* out, int lanes) {
  async_kernel<<<1, 32>>>(in, out, lanes);
}
void async_vector(const float* in, float* out, int shift) {
  async_vector_kernel<<<1, 32>>>(in, out, shift);
}
void async_dynamic(const float* in, float* out, bool aligned) {
  auto kernel = aligned ? async_dynamic_kernel<true> : async_dynamic_kernel<false>;
  kernel<<<1, 32, 512>>>(in, out);
}
void async_rows(const float* in, float* out, int pitch) {
  async_rows_kernel<<<1, 32>>>(in, out, pitch);
}
void matrix(const half* a, const half* b, float* d, bool padded) {
  auto kernel = padded ? matrix_kernel<24> : matrix_kernel<16>;
  kernel<<<1, 32>>>(a, b, d);
}
void atomics(float* out) {
  atomics_kernel<<<1, 64>>>(out);
}

}  // namespace counts
