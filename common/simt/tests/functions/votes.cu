#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "tests/functions/votes.h"

namespace votes {

__global__ void vote_kernel(unsigned* out) {
  const unsigned t = threadIdx.x, lane = t % 32;
  const unsigned mask = blockDim.x - t / 32 * 32 < 32 ? 0xffffu : ~0u;
  unsigned* to = out + t * kVotes;
  *to++ = __all_sync(mask, lane < 16);
  *to++ = __all_sync(mask, t + 1);
  *to++ = __any_sync(mask, lane == 31);
  *to++ = __any_sync(mask, lane == 3);
  *to++ = __ballot_sync(mask, lane % 3 == 0);
  *to++ = __match_any_sync(mask, lane / 4);
  *to++ = __match_any_sync(mask, 1.0 / (lane % 2));
  int same = -1;
  *to++ = __match_all_sync(mask, lane == 99 ? 2ll : 1ll << 40, &same);
  *to++ = same;
  *to++ = __match_all_sync(mask, float(lane / 8), &same);
  *to++ = same;
  *to++ = __reduce_add_sync(mask, lane);
  *to++ = unsigned(__reduce_min_sync(mask, int(lane) - 5));
  *to++ = __reduce_max_sync(mask, lane - 5);
  *to++ = unsigned(__reduce_max_sync(mask, int(lane) - 5));
  *to++ = __reduce_and_sync(mask, lane | 0x100);
  *to++ = __reduce_or_sync(mask, 1u << lane / 2);
  *to++ = __reduce_xor_sync(mask, 3u << lane / 2);
}

void vote(unsigned* out) {
  vote_kernel<<<1, 80>>>(out);
}

template <typename T, typename Make>
__device__ void check(unsigned* wrong, Make make) {
  const int lane = int(threadIdx.x);
  const auto differ = [](T a, T b) { return !(a == b); };
  unsigned count = differ(__shfl_sync(~0u, make(lane), lane + 1), make((lane + 1) % 32));
  count += differ(__shfl_up_sync(~0u, make(lane), 1), make(lane == 0 ? 0 : lane - 1));
  count += differ(__shfl_down_sync(~0u, make(lane), 1, 8), make(lane % 8 == 7 ? lane : lane + 1));
  count += differ(__shfl_xor_sync(~0u, make(lane), 5), make(lane ^ 5));
  atomicAdd(wrong, count);
}

struct SameHalves {
  __half2 v;
  __device__ SameHalves(__half2 x) : v(x) {}
};
__device__ bool operator==(SameHalves a, SameHalves b) {
  return __low2half(a.v) == __low2half(b.v) && __high2half(a.v) == __high2half(b.v);
}

__global__ void shuffle_kernel(unsigned* wrong) {
  check<int>(&wrong[0], [](int i) { return i - 7; });
  check<unsigned>(&wrong[1], [](int i) { return i * 0x8000001u; });
  check<long long>(&wrong[2], [](int i) { return -(1ll << 40) * i; });
  check<unsigned long long>(&wrong[3], [](int i) { return 0xffffffffffffull * i; });
  check<float>(&wrong[4], [](int i) { return i * 0.25f; });
  check<double>(&wrong[5], [](int i) { return i / 3.0; });
  check<__half>(&wrong[6], [](int i) { return __float2half(i * 0.5f); });
  check<SameHalves>(&wrong[7], [](int i) { return __floats2half2_rn(i, -i); });
  check<int>(&wrong[8], [](int i) { return static_cast<signed char>(-i); });
  check<__nv_bfloat16>(&wrong[9], [](int i) { return __float2bfloat16(i * 0.5f); });
  check<long>(&wrong[10], [](int i) { return -3l * i; });
}

void shuffle(unsigned* wrong) {
  shuffle_kernel<<<1, 32>>>(wrong);
}

__global__ void count_kernel(int limit, int* out) {
  const int t = int(threadIdx.x);
  for (int round = 0; round < 2; ++round) {
    out[6 * t + 3 * round] = __syncthreads_count(t < limit);
    out[6 * t + 3 * round + 1] = __syncthreads_and(t < limit ? 4 : 0);
    out[6 * t + 3 * round + 2] = __syncthreads_or(t < limit ? -1 : 0);
    limit *= 2;
    __syncthreads();
  }
}

void count(int threads, int limit, int* out) {
  count_kernel<<<1, threads>>>(limit, out);
}

__global__ void active_kernel(unsigned* out) {
  const unsigned lane = threadIdx.x;
  if (lane % 3 == 0) {
    out[lane] = __activemask();
  } else if (lane % 3 == 1) {
    out[lane] = __activemask();
  } else {
    out[lane] = 0;
  }
  out[32 + lane] = __activemask();
}

void active(unsigned* out) {
  active_kernel<<<1, 32>>>(out);
}

__global__ void active_loop_kernel(unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = 0; i < threadIdx.x; ++i) {
    sum += __popc(__activemask());
  }
  out[threadIdx.x] = sum;
}

void active_loop(unsigned* out) {
  active_loop_kernel<<<1, 32>>>(out);
}

__global__ void active_sum_kernel(int* out) {
  const int lane = int(threadIdx.x);
  if (lane % 4 != 0) {
    const unsigned mask = __activemask();
    int sum = lane;
    sum = __reduce_add_sync(mask, sum);
    if (lane == __ffs(mask) - 1) {
      atomicAdd(out, sum);
    }
    __syncwarp(mask);
  }
}

void active_sum(int* out) {
  active_sum_kernel<<<1, 32>>>(out);
}

__global__ void clocks_kernel(long long* out) {
  unsigned long long global;
  unsigned low;
  out[0] = clock64();
  out[2] = clock();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(global));
  out[4] = static_cast<long long>(global);
  asm volatile("mov.u32 %0, %%clock;" : "=r"(low));
  while (clock64() - out[0] < 2000000) {
    __nanosleep(100);
  }
  out[1] = clock64();
  out[3] = clock();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(global));
  out[5] = static_cast<long long>(global);
  unsigned later;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(later));
  out[6] = later - low;
  __threadfence_block();
  __threadfence_system();
}

void clocks(long long* out) {
  clocks_kernel<<<1, 1>>>(out);
}

__global__ void early_exits_kernel(const int* values, int count, unsigned* out) {
  const int t = int(threadIdx.x), lane = t % 32;
  if (t >= count) return;
  unsigned* to = out + t * kEarlyExits;
  *to++ = __ballot_sync(~0u, values[t] > 0);
  *to++ = __all_sync(~0u, values[t] < 1000);
  *to++ = unsigned(__shfl_sync(~0u, values[t], 0));
  const int left = __shfl_up_sync(~0u, values[t], 1);
  *to++ = unsigned(lane > 0 ? left : 0);
  *to++ = unsigned(__reduce_add_sync(~0u, values[t]));
  *to++ = __match_any_sync(~0u, values[t]);
  __syncwarp();
  *to++ = __activemask();
}

void early_exits(const int* values, int count, unsigned* out) {
  early_exits_kernel<<<1, 64>>>(values, count, out);
}

__global__ void mistake_kernel(Mistake which, int* out) {
  __shared__ int word;
  const int t = int(threadIdx.x), lane = t % 32;
  int result = 0, same = 0;
  switch (which) {
    case Mistake::kVoteWithoutLane:
      if (lane != 5) result = __any_sync(~0u, lane);
      break;
    case Mistake::kNotInMask:
      result = __ballot_sync(0xfffffffe, lane);
      break;
    case Mistake::kOtherVote:
      result = lane < 16 ? __any_sync(~0u, lane) : __all_sync(~0u, lane);
      break;
    case Mistake::kReduceWithoutLane:
      if (lane < 16) result = __reduce_add_sync(~0u, lane);
      break;
    case Mistake::kMatchWithoutLane:
      if (lane >= 16) result = __match_all_sync(~0u, lane, &same) + __match_any_sync(~0u, lane);
      break;
    case Mistake::kCountDiverges:
      if (t < 32) {
        result = __syncthreads_count(lane);
      } else {
        __syncthreads();
      }
      break;
    case Mistake::kCountWithoutThread:
      if (t == 0) return;
      result = __syncthreads_or(lane);
      break;
    case Mistake::kVoteOrdersNothing:
      if (t == 0) word = 7;
      result = __any_sync(~0u, lane);
      if (t == 1) result = word;
      break;
    case Mistake::kWidth:
      result = __shfl_down_sync(~0u, lane, 1, 12);
      break;
    case Mistake::kReadsExited:
      if (lane == 5) return;
      result = __shfl_down_sync(~0u, lane, 1);
      break;
    case Mistake::kTrap:
      if (t == 33) __trap();
  }
  atomicAdd(out, result);
}

void mistake(Mistake which, int* out) {
  mistake_kernel<<<1, 64>>>(which, out);
}

}  // namespace votes
