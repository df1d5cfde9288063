// A barrier of the block in two parts: work that needs no other thread stands between the arrival and the wait.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

namespace cg = cooperative_groups;

__global__ void rotate_kernel(const int* from, int* to, int rounds) {
  __shared__ int buffers[2][96];
  const cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank(), next = (t + 1) % block.num_threads();
  int own = from[t];
  for (int round = 0; round < rounds; ++round) {
    buffers[round % 2][t] = own;
    auto token = block.barrier_arrive();
    own *= 2;
    block.barrier_wait(std::move(token));
    own += buffers[round % 2][next];
  }
  to[t] = own;
}

int main() {
  constexpr int n = 96, rounds = 5;
  int numbers[n], expected[n], *from, *to;
  for (int i = 0; i < n; ++i) numbers[i] = expected[i] = i;
  for (int round = 0; round < rounds; ++round) {
    const int first = expected[0];
    for (int i = 0; i < n; ++i) {
      expected[i] = 2 * expected[i] + (i + 1 < n ? expected[i + 1] : first);
    }
  }
  cudaMalloc(&from, sizeof numbers);
  cudaMalloc(&to, sizeof numbers);
  cudaMemcpy(from, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  rotate_kernel<<<1, n>>>(from, to, rounds);
  cudaMemcpy(numbers, to, sizeof numbers, cudaMemcpyDeviceToHost);
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && numbers[i] == expected[i];
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(from);
  cudaFree(to);
  return !right;
}

// BUG read_between
// - own *= 2;
// + own = own * 2 + (buffers[round % 2][next] & 1);
// ! buffers
// ! with no __syncthreads()

// BUG one_buffer
// - __shared__ int buffers[2][96];
// + __shared__ int buffers[1][96];
// - buffers[round % 2][t] = own;
// + buffers[0][t] = own;
// - own += buffers[round % 2][next];
// + own += buffers[0][next];
// ! with no __syncthreads()

// BUG some_arrive
// - auto token = block.barrier_arrive();
// + if (t == 5) return;
// + auto token = block.barrier_arrive();
// ! waits in barrier_wait() for 96 threads, of which 95 have arrived
// @ block.barrier_wait(std::move(token));

// BUG no_wait
// - block.barrier_wait(std::move(token));
// +
// ! reads buffers + 4 bytes, which no thread of this block has written

// BUG arrives_twice
// - own *= 2;
// + own *= 2;
// + block.barrier_arrive();
// ! calls barrier_arrive() a second time before the others have arrived
