// A copy of lesson 02 makes the mistake that K selects. With any other K it is right. lessons_test.py has the expected
// messages.
#pragma once
#include <cassert>
#include <cstdlib>

#include "common/lesson.h"

enum Fault {
  kDivides = 101,
  kRecurses,
  kAborts,
  kAsserts,
  kCallsNull,
  kLoops,
  kWaits,
  kStack,
  kIndex,
  kShared
};

__device__ __attribute__((noinline)) int depth(int level, int step) {
  return level < 0 ? level : depth(level + step, step) + 1;
}

__device__ int fill(int K) {
  int values[512 * 1024];  // 2 MiB, four times what a thread may have on a GPU
  for (int i = 0; i < K; ++i) values[i] = i;
  return values[K - 1];
}

// Returns zero if K selects no mistake.
__device__ int misbehave(const Gemm<float, float>& p) {
  const int K = p.K, zero = int(p.beta);
  int values[4] = {K, K, K, K};
  switch (K) {
    case kDivides:
      return K % zero;
    case kRecurses:
      return depth(0, zero);
    case kAborts:
      std::abort();
    case kAsserts:
      assert(K < kAsserts);
      break;
    case kCallsNull:
      reinterpret_cast<void (*)()>(size_t(zero))();
      break;
    case kLoops:
      while (p.A[zero] != 1234) values[zero] += int(p.A[K]);
      return values[zero];
    case kWaits:
      while (p.A[zero] != 1234) __syncthreads();
      break;
    case kStack:
      return fill(K);
    case kIndex:
      return values[K - kIndex + 4];
  }
  return 0;
}

// Bytes of dynamic shared memory for the launch.
inline size_t shared_bytes(const Gemm<float, float>& p) {
  return p.K == kShared ? size_t(1) << 30 : 0;
}
