#include <cuda_runtime.h>

#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include "tests/library/atomics.h"

namespace atomics {
namespace {

// Every operation once by each of 32 threads.
__global__ void operations_kernel(int* in, int* out) {
  const int t = threadIdx.x;
  const auto at = [&](int i) { return cuda::atomic_ref<int, cuda::thread_scope_device>(in[i]); };
  at(0).fetch_add(t);
  at(1).fetch_sub(t, cuda::memory_order_relaxed);
  at(2).fetch_min(t - 100);
  at(3).fetch_max(t + 5000);
  at(4).fetch_and(~(1 << t % 16));
  at(5).fetch_or(1 << (t % 16 + 12));
  at(6).fetch_xor(t);
  ++at(7);
  at(8)--;
  at(9) += 2;
  if (t == 3) at(10) = 77;
  if (t == 4) at(11).exchange(78);
  int expected = in[12];
  if (t == 5) out[0] = at(12).compare_exchange_strong(expected, 79);
  int other = -5;
  if (t == 6) out[1] = !at(13).compare_exchange_weak(other, 80) && other == in[13];
  out[32 + t] = at(10).load(cuda::memory_order_acquire) >= 0;
  cuda::atomic_ref<float> real(reinterpret_cast<float*>(in)[20]);
  if (t == 0) real.store(0.5f);
  __syncwarp();
  real.fetch_add(0.25f, cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned long long> wide(reinterpret_cast<unsigned long long*>(in)[11]);
  if (t == 0) wide = 1ull << 40;
  __syncwarp();
  wide.fetch_add(1ull << 32);
}

__global__ void counters_kernel(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> count;
  __shared__ cuda::std::atomic<unsigned> bits;
  if (threadIdx.x == 0) {
    count.store(0, cuda::memory_order_relaxed);
    bits = 0;
  }
  __syncthreads();
  count.fetch_add(1, cuda::memory_order_relaxed);
  bits |= 1u << threadIdx.x % 32;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count, out[1] = int(bits.load() == 0xffffffffu);
}

// Every member function of a volatile object.
__global__ void volatile_kernel(int* out) {
  __shared__ volatile cuda::atomic<int, cuda::thread_scope_block> a;
  __shared__ volatile cuda::std::atomic<unsigned> b;
  const int t = threadIdx.x;
  if (t == 0) a.store(100), b = 7;
  __syncthreads();
  a.fetch_add(3), a.fetch_sub(2, cuda::memory_order_relaxed);
  ++a, a--, a += 2, a -= 1;
  b.fetch_or(1u << 4), b.fetch_and(~1u), b.fetch_xor(0u), b |= 1u << 5;
  __syncthreads();
  if (t == 0) {
    int was = a.exchange(-5), expected = 0;
    out[0] = was;
    out[1] = !a.compare_exchange_strong(expected, 6) && expected == -5;
    out[2] = a.compare_exchange_weak(expected, 6, cuda::memory_order_acq_rel);
    out[3] = a.fetch_min(5) + a.fetch_max(9);
    out[4] = a;
    out[5] = int(b.load(cuda::std::memory_order_acquire));
    out[6] = (a = 4);
  }
}

__global__ void pair_kernel(int* out) {
  __shared__ cuda::atomic<float2, cuda::thread_scope_block> pair;
  if (threadIdx.x == 0) pair.store(make_float2(1, 2));
  __syncthreads();
  const float2 found = pair.load();
  out[threadIdx.x] = int(10 * found.x + found.y);
}

__global__ void flag_kernel(int* number, int* out, bool releases) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(number[32]);
  if (blockIdx.x == 0) {
    number[0] = 5;  // ERROR flag
    flag.store(7777, releases ? cuda::memory_order_release : cuda::memory_order_relaxed);
  } else {
    while (flag.load(releases ? cuda::memory_order_acquire : cuda::memory_order_relaxed) != 7777) {
    }
    out[0] = number[0];  // OTHER flag
  }
}

__global__ void fence_kernel(volatile int* number, int* out, bool fences) {
  if (blockIdx.x == 0) {
    number[0] = 6;  // OTHER fence
    if (fences) cuda::std::atomic_thread_fence(cuda::std::memory_order_release);
    number[32] = 7777;
  } else {
    while (number[32] != 7777) {
    }
    out[0] = number[0];  // ERROR fence
  }
}

__global__ void standard_kernel(int* out) {
  cuda::std::array<cuda::std::int32_t, 3> three = {1, 2, 3};
  auto pair = cuda::std::make_pair(4, 5);
  static_assert(cuda::std::is_same_v<cuda::std::uint8_t, unsigned char>, "");
  static_assert(cuda::std::bit_cast<unsigned>(1.0f) == 0x3f800000u, "");
  out[1] = cuda::std::bit_cast<int4>(make_float4(0, 0, 0, 1)).w;
  out[0] = three[0] + three[1] + three[2] + cuda::std::move(pair).second +
           int(cuda::std::numeric_limits<short>::max()) + cuda::ceil_div(7, 2);
}

}  // namespace

void operations(int* in, int* out) {
  operations_kernel<<<1, 32>>>(in, out);
}
void counters(int* out) {
  counters_kernel<<<1, 64>>>(out);
}
void volatiles(int* out) {
  volatile_kernel<<<1, 32>>>(out);
}
void pair(int* out) {
  pair_kernel<<<1, 32>>>(out);
}
void flag(int* in, int* out, bool releases) {
  flag_kernel<<<2, 1>>>(in, out, releases);
}
void fence(int* in, int* out, bool fences) {
  fence_kernel<<<2, 1>>>(in, out, fences);
}
void standard(int* out) {
  standard_kernel<<<1, 1>>>(out);
}

}  // namespace atomics
