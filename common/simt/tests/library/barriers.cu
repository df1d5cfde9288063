#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/chrono>
#include <cuda/std/cstdint>
#include <cuda/std/utility>

#include "tests/library/barriers.h"

namespace barriers {
namespace {

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr int NUMBERS = 1024;

// A function of the host that is called like the one of barriers.
[[maybe_unused]] void init(int* numbers, int count) {
  for (int i = 0; i < count; ++i) numbers[i] = 0;
}

__device__ void store(int* out, int* numbers) {
  for (int i = threadIdx.x; i < NUMBERS; i += blockDim.x) out[i] = numbers[i] + 1;
}

__global__ void add_one_kernel(const int* in, int* out, Bug bug) {
  __shared__ alignas(16) int numbers[NUMBERS];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
  }
  __syncthreads();
  cuda::memcpy_async(cg::this_thread_block(), numbers, in, cuda::aligned_size_t<16>(sizeof numbers),
                     bar);  // COPY one
  barrier::arrival_token token = bar.arrive();
  if (bug != NO_WAIT) bar.wait(cuda::std::move(token));
  for (int i = threadIdx.x; i < NUMBERS; i += blockDim.x) {
    numbers[i] += 1;  // ERROR one
  }
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, numbers, sizeof numbers);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

__global__ void add_one_tx_kernel(const int* in, int* out, Bug bug) {
  alignas(128) __shared__ int numbers[NUMBERS];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);  // INIT tx
    if (bug != NO_FENCE) cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    const cuda::aligned_size_t<16> bytes(sizeof numbers);
    cuda::device::memcpy_async_tx(numbers, in, bytes, bar);  // ERROR tx
    token =
        cuda::device::barrier_arrive_tx(bar, 1, sizeof numbers - (bug == TOO_FEW_BYTES ? 16 : 0));
  } else {
    token = bar.arrive();
  }
  bar.wait(cuda::std::move(token));  // WAIT tx
  store(out, numbers);
}

__global__ void add_one_each_kernel(const int* in, int* out, Bug bug) {
  __shared__ int numbers[NUMBERS];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < NUMBERS; i += blockDim.x) {
    cuda::memcpy_async(&numbers[i], &in[i], sizeof(int), bar);  // COPY each
  }
  if (bug == NO_WAIT) {
    (void)bar.arrive();
  } else {
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = numbers[NUMBERS - 1 - threadIdx.x] + 1;  // ERROR each
}

__global__ void add_one_ptx_kernel(const int* in, int* out, Bug bug) {
  __align__(16) __shared__ int numbers[NUMBERS];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, numbers, in, sizeof numbers, &bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                   sizeof numbers - (bug == TOO_FEW_BYTES ? 16 : 0));
  }
  while (bug != NO_WAIT && !ptx::mbarrier_try_wait_parity(&bar, 0)) {  // WAIT ptx
  }
  store(out, numbers);
  out[NUMBERS + threadIdx.x] = int(ptx::get_sreg_tid_x() + ptx::get_sreg_laneid());
}

__global__ void add_one_box_kernel(const __grid_constant__ CUtensorMap from,
                                   const __grid_constant__ CUtensorMap to, Bug bug) {
  __shared__ alignas(128) int numbers[32][32];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&numbers, &from, 0, 0, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof numbers);
  } else {
    token = bar.arrive();
  }
  bar.wait(cuda::std::move(token));
  for (int row = 0; row < 32; ++row) {
    numbers[row][threadIdx.x] += 1;  // WRITE box
  }
  if (bug != NO_FENCE) cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&to, 0, 0, &numbers);  // ERROR box
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

// The programming guide's producer and consumers, with two buffers.
__device__ void produce(barrier* ready, barrier* filled, int* buffer, const int* in, int tiles) {
  for (int i = 0; i < tiles; ++i) {
    ready[i % 2].arrive_and_wait();
    for (int j = threadIdx.x; j < 256; j += 32) {
      buffer[i % 2 * 256 + j] = in[i * 256 + j];  // WRITE producer
    }
    barrier::arrival_token token = filled[i % 2].arrive();
    (void)token;
  }
}
__device__ void consume(barrier* ready, barrier* filled, int* buffer, int* out, int tiles,
                        bool waits) {
  (void)ready[0].arrive();
  (void)ready[1].arrive();
  for (int i = 0; i < tiles; ++i) {
    if (waits) {
      filled[i % 2].arrive_and_wait();
    } else {
      (void)filled[i % 2].arrive();
    }
    for (int j = threadIdx.x - 32; j < 256; j += 96) {
      out[i * 256 + j] = 2 * buffer[i % 2 * 256 + j];  // ERROR consumer
    }
    (void)ready[i % 2].arrive();
  }
}
__global__ void producer_kernel(const int* in, int* out, int tiles, bool waits) {
  __shared__ int buffer[2 * 256];
  __shared__ barrier bar[4];
  auto block = cg::this_thread_block();
  if (block.thread_rank() < 4) init(bar + block.thread_rank(), block.size());
  block.sync();
  if (block.thread_rank() < warpSize) {
    produce(bar, bar + 2, buffer, in, tiles);
  } else {
    consume(bar, bar + 2, buffer, out, tiles, waits);
  }
}

__global__ void leave_kernel(int* out, bool drops) {
  __shared__ barrier bar;
  __shared__ int number;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    number = 0;
  }
  __syncthreads();
  for (int i = 0; i < int(threadIdx.x); ++i) {
    bar.arrive_and_wait();  // ERROR leave
    if (int(threadIdx.x) == i + 1) number += 1;
  }
  if (drops) bar.arrive_and_drop();
  if (threadIdx.x == blockDim.x - 1) out[0] = number;
}

__global__ void wait_parity_kernel(const int* in, int* out) {
  __shared__ barrier bar;
  __shared__ int numbers[128];
  if (threadIdx.x == 0) {
    new (&bar) barrier(blockDim.x);
  }
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    numbers[threadIdx.x] = in[i * 128 + threadIdx.x];
    (void)bar.arrive();
    while (!bar.try_wait_parity_for(false, cuda::std::chrono::nanoseconds(100))) {
    }
    out[i * 128 + threadIdx.x] = numbers[127 - threadIdx.x];
    (void)bar.arrive();
    bar.wait_parity(true);
  }
}

__global__ void primitives_kernel(const int* in, int* out) {
  __shared__ __mbarrier_t bar;
  __shared__ int numbers[128];
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&bar, blockDim.x);
  }
  __syncthreads();
  numbers[t] = in[t];
  const __mbarrier_token_t token = __mbarrier_arrive(&bar);
  while (!__mbarrier_try_wait(&bar, token, 1000)) {
  }
  const int read = numbers[127 - t];
  if (t < 64) {
    __mbarrier_arrive_and_drop(&bar);
    while (!__mbarrier_test_wait_parity(&bar, true)) {
    }
  } else {
    (void)__mbarrier_arrive(&bar);
    while (!__mbarrier_try_wait_parity(&bar, true, 1000)) {
    }
    numbers[t] = read;
    (void)__mbarrier_arrive(&bar);  // all 64 that are left
    while (!__mbarrier_try_wait_parity(&bar, false, 1000)) {
    }
    out[t] = numbers[t ^ 1];
  }
}

__global__ void odd_copies_kernel(const int* in, int* out) {
  __shared__ barrier bar;
  __shared__ char bytes[64];
  __shared__ int numbers[32];
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
  }
  __syncthreads();
  auto block = cg::this_thread_block();
  const char* from = reinterpret_cast<const char*>(in);
  cuda::memcpy_async(block, bytes, from + 1, 61, bar);
  cuda::memcpy_async(block, numbers, in, sizeof numbers, bar);
  bar.arrive_and_wait();
  if (threadIdx.x < 61) out[threadIdx.x] = bytes[threadIdx.x];
  cuda::memcpy_async(block, out + 64, numbers, sizeof numbers, bar);
  bar.arrive_and_wait();
}

}  // namespace

void add_one(int* in, int* out, Bug bug) {
  add_one_kernel<<<1, 128>>>(in, out, bug);
}
void add_one_tx(int* in, int* out, Bug bug) {
  add_one_tx_kernel<<<1, 128>>>(in, out, bug);
}
void add_one_each(int* in, int* out, Bug bug) {
  add_one_each_kernel<<<1, 128>>>(in, out, bug);
}
void add_one_ptx(int* in, int* out, Bug bug) {
  add_one_ptx_kernel<<<1, 128>>>(in, out, bug);
}
void add_one_box(const CUtensorMap& from, const CUtensorMap& to, Bug bug) {
  add_one_box_kernel<<<1, 32>>>(from, to, bug);
}
void producer(int* in, int* out, int tiles, bool waits) {
  producer_kernel<<<1, 128>>>(in, out, tiles, waits);
}
void leave(int* out, bool drops) {
  leave_kernel<<<1, 8>>>(out, drops);
}
void wait_parity(int* in, int* out) {
  wait_parity_kernel<<<1, 128>>>(in, out);
}
void primitives(int* in, int* out) {
  primitives_kernel<<<1, 128>>>(in, out);
}
void odd_copies(int* in, int* out) {
  odd_copies_kernel<<<1, 64>>>(in, out);
}

}  // namespace barriers
