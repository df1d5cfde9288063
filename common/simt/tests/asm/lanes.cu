// ERROR marks the lines that must be reported.
#include <cuda_runtime.h>

#include "tests/asm/lanes.h"

namespace lanes {

__global__ void ask_kernel(uint32_t* to) {
  uint32_t out[WORDS] = {};
  const uint32_t lane = threadIdx.x % 32, full = 0xffffffffu;
  const float x = float(lane) + 0.5f;
  asm volatile(
      "{ .reg .pred p; .reg .b32 r; elect.sync r|p, %2; selp.u32 %1, 1, 0, p; mov.b32 %0, r; }"
      : "=r"(out[0]), "=r"(out[1])
      : "r"(full));
  asm volatile("{\n .reg .pred %%px;\n elect.sync _|%%px, %1;\n@%%px mov.s32 %0, 1;\n}"
               : "+r"(out[2])
               : "r"(full));
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 20; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(out[3])
               : "r"(lane), "r"(full));
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %1, 40; vote.sync.all.pred q, p, -1; selp.u32 %0, 1, 0, "
      "q; "
      "setp.eq.u32 p, %1, 4; vote.sync.any.pred q, p, -1; @q add.u32 %0, %0, 2; "
      "vote.sync.uni.pred q, p, -1; @!q add.u32 %0, %0, 4; }"
      : "=r"(out[4])
      : "r"(lane));
  asm volatile("shfl.sync.idx.b32 %0, %1, 5, 0x1f, -1;" : "=r"(out[5]) : "r"(lane));
  asm volatile("shfl.sync.up.b32 %0, %1, 2, 0, -1;" : "=r"(out[6]) : "r"(lane));
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x181f, %3;"
               : "=r"(out[7])
               : "r"(lane), "r"(3), "r"(full));
  asm volatile(
      "{ .reg .pred p; .reg .b32 r; mov.b32 r, %2; shfl.sync.bfly.b32 %0|p, r, 1, 0x1f, -1; "
      "selp.b32 %1, 1, 0, p; }"
      : "=r"(out[8]), "=r"(out[9])
      : "f"(x));
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 30, 0x1f, -1; selp.b32 %1, 1, 0, p; }"
               : "=r"(out[10]), "=r"(out[11])
               : "r"(lane));
  asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(out[12]) : "r"(lane / 8));
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, 7, -1; @p add.u32 %0, %0, 1; }"
               : "=r"(out[13]));
  asm volatile("redux.sync.add.u32 %0, %1, -1;" : "=r"(out[14]) : "r"(lane));
  asm volatile("redux.sync.min.s32 %0, %1, -1;" : "=r"(out[15]) : "r"(int(lane) - 9));
  asm volatile("bar.warp.sync %0;" ::"r"(full));
  asm volatile("mov.u32 %0, %laneid;" : "=r"(out[16]));
  asm volatile("mov.u32 %0, %%warpid; mov.u32 %1, %%lanemask_lt;" : "=r"(out[17]), "=r"(out[18]));
  uint64_t begin, end, time;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(begin));
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
  asm volatile("mov.u32 %0, %%clock;" : "=r"(out[19]));
  asm volatile("nanosleep.u32 100; mov.u64 %0, %%clock64;" : "=l"(end));
  out[19] = end >= begin && time != 0;
  asm volatile("mov.u32 %0, %%smid; mov.u32 %1, %%nsmid;" : "=r"(out[20]), "=r"(out[21]));
  asm volatile("mov.u32 %0, %%tid.x; mov.u32 %1, %%ntid.x;" : "=r"(out[22]), "=r"(out[23]));
  asm volatile("barrier.cta.sync 0; bar.sync 1, %0;" ::"r"(blockDim.x));
  for (int i = 0; i < WORDS; ++i) to[threadIdx.x * WORDS + i] = out[i];
}

void ask(uint32_t* to, int threads) {
  ask_kernel<<<1, threads>>>(to);
}

__global__ void miss_kernel(uint32_t* to) {
  uint32_t votes = 0;
  if (threadIdx.x != 3) {
    asm volatile(  // ERROR vote
        "{ .reg .pred p; setp.eq.u32 p, 0, 0; vote.sync.ballot.b32 %0, p, -1; }"
        : "=r"(votes));
  }
  to[threadIdx.x] = votes;
}

void miss(uint32_t* to) {
  miss_kernel<<<1, 32>>>(to);
}

}  // namespace lanes
