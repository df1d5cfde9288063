// Votes, barriers that count, and arithmetic in inline PTX, as libraries wrap them. Each wrapper is a line of its own.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

constexpr int kThreads = 64, kResults = 12;

__device__ unsigned active() {
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}
__device__ unsigned count(bool holds) {
  unsigned number;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"  // all threads
               : "=r"(number)
               : "r"(unsigned(holds)));
  return number;
}
__device__ unsigned one_of(bool holds) {
  unsigned one;
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, 0, 64, !p; selp.u32 %0, 0, 1, "
      "q; }"
      : "=r"(one)
      : "r"(unsigned(!holds)));
  return 1 - one;
}
__device__ unsigned every(bool holds) {
  unsigned one;
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; barrier.cta.red.and.pred q, 0, p; selp.u32 %0, 1, "
      "0, q; }"
      : "=r"(one)
      : "r"(unsigned(holds)));
  return one;
}
__device__ int choose(int a, int b, int sign) {
  int result;
  asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sign));
  return result;
}
__device__ unsigned is_normal(float x) {
  unsigned one;
  asm("{ .reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(one) : "f"(x));
  return one;
}
__device__ unsigned add_halves(unsigned a, unsigned b) {
  unsigned result;
  asm("add.s16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
__device__ unsigned max_relu(unsigned a, unsigned b) {
  unsigned result;
  asm("max.s16x2.relu %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
__device__ unsigned high_product(unsigned a, unsigned b) {
  unsigned result;
  asm("mul24.hi.u32 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
__device__ void init(uint64_t* barrier, unsigned threads) {
  asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(barrier), "r"(threads) : "memory");
}
__device__ void arrive_and_wait(uint64_t* barrier) {
  asm volatile(
      "{ .reg .b64 state; .reg .pred p; mbarrier.arrive.b64 state, [%0];\n"
      "again: mbarrier.test_wait.b64 p, [%0], state; @!p bra again; }" ::"l"(barrier)
      : "memory");
}

__global__ void values_kernel(unsigned* results) {
  __shared__ uint64_t barrier;
  __shared__ int values[kThreads];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, kThreads);
  __syncthreads();  // the barrier is ready
  values[t] = 3 * t;
  arrive_and_wait(&barrier);
  const unsigned all_results[kResults] = {active(),
                                          count(t % 3 == 0),
                                          one_of(t == 40),
                                          every(t < kThreads),
                                          every(t != 5),
                                          unsigned(choose(7, 8, t - 10)),
                                          is_normal(t == 0 ? 0x1p-130f : 0.0f),
                                          add_halves(0x00017fff, 0x00020001),
                                          max_relu(0xfff00003, 0xffff0002),
                                          high_product(0x01800000, 0x00c00000),
                                          unsigned(__vimax3_s32(t, 20, -t)),
                                          unsigned(values[kThreads - 1 - t])};
  for (int i = 0; i < kResults; ++i) results[i * kThreads + t] = all_results[i];
}

int main() {
  unsigned results[kResults][kThreads], *d_results;
  cudaMalloc(&d_results, sizeof results);
  values_kernel<<<1, kThreads>>>(d_results);
  if (cudaMemcpy(results, d_results, sizeof results, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 2;
  cudaFree(d_results);
  for (int t = 0; t < kThreads; ++t) {
    const unsigned expected[kResults] = {0xffffffff,
                                         22,
                                         1,
                                         1,
                                         0,
                                         t >= 10 ? 7u : 8u,
                                         t != 0,
                                         0x00038000,
                                         0x00000003,
                                         0x60000000,
                                         t > 20 ? unsigned(t) : 20u,
                                         unsigned(3 * (kThreads - 1 - t))};
    for (int i = 0; i < kResults; ++i) {
      if (results[i][t] != expected[i]) {
        std::printf("thread %d, result %d: %x, not %x\n", t, i, results[i][t], expected[i]);
        return 1;
      }
    }
  }
}

// BUG too_few_threads
// - bar.red.popc.u32 %0, 0, p;
// + bar.red.popc.u32 %0, 1, 48, p;
// ! executes bar.red 1, 48; there are barriers 0 to 15, of a multiple of 32 threads that the block has
// ^ count(t % 3 == 0),

// BUG not_all_count
// - count(t % 3 == 0),
// + t < 32 ? count(t % 3 == 0) : 22,
// ! waits at
// @ "{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32
// ^ t < 32 ? count(t % 3 == 0) : 22,

// BUG barrier_not_initialised
// - if (t == 0) init(&barrier, kThreads);
// +
// ! arrives at barrier + 0 bytes
// ^ arrive_and_wait(&barrier);

// BUG waits_for_more
// - if (t == 0) init(&barrier, kThreads);
// + if (t == 0) init(&barrier, kThreads + 1);
// ! cannot complete: 64 of 65 have arrived
// ^ arrive_and_wait(&barrier);

// BUG barrier_in_global_memory
// - arrive_and_wait(&barrier);
// + arrive_and_wait(reinterpret_cast<uint64_t*>(results));
// ! shared memory
// ^ arrive_and_wait(reinterpret_cast<uint64_t*>(results));
