// Two streams: the second waits for an event of the first before it uses its result.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void fill_kernel(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = i;
}

__global__ void reverse_kernel(const int* from, int* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[count - 1 - i];
}

int main() {
  const int count = 800, blocks = (count + 127) / 128;
  int *d_values, *d_reversed;
  cudaStream_t producer, consumer;
  cudaEvent_t filled;
  cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  cudaMalloc(&d_values, count * sizeof(int));
  cudaMalloc(&d_reversed, count * sizeof(int));
  fill_kernel<<<blocks, 128, 0, producer>>>(d_values, count);
  cudaEventRecord(filled, producer);
  cudaStreamWaitEvent(consumer, filled, 0);
  reverse_kernel<<<blocks, 128, 0, consumer>>>(d_values, d_reversed, count);
  cudaStreamSynchronize(consumer);
  std::vector<int> reversed(count);
  cudaMemcpy(reversed.data(), d_reversed, count * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += reversed[i] != count - 1 - i;
  std::printf("%d wrong\n", wrong);
  cudaEventDestroy(filled);
  cudaStreamDestroy(producer);
  cudaStreamDestroy(consumer);
  cudaFree(d_values);
  cudaFree(d_reversed);
  return wrong != 0;
}

// BUG does_not_wait_for_the_event
// - cudaStreamWaitEvent(consumer, filled, 0);
// +
// ! stream

// BUG event_recorded_too_early
// - fill_kernel<<<blocks, 128, 0, producer>>>(d_values, count);
// - cudaEventRecord(filled, producer);
// + cudaEventRecord(filled, producer);
// + fill_kernel<<<blocks, 128, 0, producer>>>(d_values, count);
// ! stream

// BUG wrong_stream_synchronised
// - cudaStreamSynchronize(consumer);
// + cudaStreamSynchronize(producer);
// ! stream

// BUG consumer_first
// - fill_kernel<<<blocks, 128, 0, producer>>>(d_values, count);
// +
// - cudaStreamSynchronize(consumer);
// + fill_kernel<<<blocks, 128, 0, producer>>>(d_values, count);
// + cudaStreamSynchronize(consumer);
// ! which no copy and no earlier launch has initialised
// @ if (i < count) to[i] = from[count - 1 - i];
