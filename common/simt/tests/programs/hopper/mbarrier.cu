// An mbarrier by the primitives of cuda_awbarrier_primitives.h: threads do other work between arrival and wait.
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 96, kRounds = 4;

__global__ void shift_kernel(const int* values, int* results) {
  __shared__ int shared[2][kThreads];
  __shared__ __mbarrier_t barrier;
  const int tid = threadIdx.x, i = blockIdx.x * kThreads + tid;
  if (tid == 0) __mbarrier_init(&barrier, kThreads);
  __syncthreads();  // the barrier is ready
  int value = values[i], extra = 0;
  for (int round = 0; round < kRounds; ++round) {
    shared[round % 2][tid] = value;
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    extra += value * round;  // meanwhile
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    value = shared[round % 2][(tid + 1) % kThreads];
  }
  results[i] = value + extra;
}

int main() {
  const int blocks = 3, count = blocks * kThreads, bytes = count * sizeof(int);
  std::vector<int> values(count), results(count), expected(count);
  for (int i = 0; i < count; ++i) values[i] = i * i % 71;
  for (int i = 0; i < count; ++i) {
    const int first = i / kThreads * kThreads;
    const auto after = [&](int rounds) { return values[first + (i - first + rounds) % kThreads]; };
    expected[i] = after(kRounds);
    for (int round = 0; round < kRounds; ++round) expected[i] += after(round) * round;
  }
  int *d_values, *d_results;
  cudaMalloc(&d_values, bytes);
  cudaMalloc(&d_results, bytes);
  cudaMemcpy(d_values, values.data(), bytes, cudaMemcpyHostToDevice);
  shift_kernel<<<blocks, kThreads>>>(d_values, d_results);
  cudaMemcpy(results.data(), d_results, bytes, cudaMemcpyDeviceToHost);
  std::printf("%s\n", results == expected ? "right" : "wrong");
  cudaFree(d_values);
  cudaFree(d_results);
  return results != expected;
}

// BUG count_too_large
// - __mbarrier_init(&barrier, kThreads);
// + __mbarrier_init(&barrier, kThreads + 1);
// ! cannot complete: 96 of 97 have arrived
// @ while (!__mbarrier_test_wait(&barrier, token)) {

// BUG not_initialised
// - if (tid == 0) __mbarrier_init(&barrier, kThreads);
// +
// ! where no __mbarrier_init() made a barrier
// @ const __mbarrier_token_t token = __mbarrier_arrive(&barrier);

// BUG does_not_wait
// - while (!__mbarrier_test_wait(&barrier, token)) {
// - }
// +
// ! reads shared + 4 bytes, which no thread of this block has written
// @ value = shared[round % 2][(tid + 1) % kThreads];

// BUG count_of_one_warp
// - __mbarrier_init(&barrier, kThreads);
// + __mbarrier_init(&barrier, 32);
// ! with a token of 3 phases ago
// @ while (!__mbarrier_test_wait(&barrier, token)) {

// BUG one_buffer
// - shared[round % 2][tid] = value;
// + shared[0][tid] = value;
// - value = shared[round % 2][(tid + 1) % kThreads];
// + value = shared[0][(tid + 1) % kThreads];
// ! shared
// @ shared[0][tid] = value;

// BUG two_threads_store_one_result
// - results[i] = value + extra;
// + results[i / 2] = value + extra;
// ! which another thread stores as well
// @ results[i / 2] = value + extra;

// BUG reads_a_result_of_this_round
// - extra += value * round;  // meanwhile
// + extra += value * round;
// + results[i] = extra;
// + if (round > 0) extra += results[blockIdx.x * kThreads + (tid + 40) % kThreads];
// ! since another thread wrote it
// @ if (round > 0) extra += results[blockIdx.x * kThreads + (tid + 40) % kThreads];

// BUG barrier_not_ready
// - __syncthreads();  // the barrier is ready
// +
// ! arrives at barrier
// ! with no __syncthreads() since another thread initialised it
// @ const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
