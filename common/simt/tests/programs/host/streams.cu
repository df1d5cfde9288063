// Copies and kernels of four streams overlap: each stream works on its part of pinned host memory.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kStreams = 4, kPart = 512, kCount = kStreams * kPart;

__global__ void square_kernel(const int* from, int* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i] * from[i];
}

int main() {
  int *from, *to, *d_from, *d_to;
  cudaMallocHost(&from, kCount * sizeof(int));
  cudaMallocHost(&to, kCount * sizeof(int));
  cudaMalloc(&d_from, kCount * sizeof(int));
  cudaMalloc(&d_to, kCount * sizeof(int));
  for (int i = 0; i < kCount; ++i) from[i] = i % 300, to[i] = -1;
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  for (int s = 0; s < kStreams; ++s) {
    const int at = s * kPart, bytes = kPart * sizeof(int);
    cudaMemcpyAsync(d_from + at, from + at, bytes, cudaMemcpyHostToDevice, streams[s]);
    square_kernel<<<kPart / 128, 128, 0, streams[s]>>>(d_from + at, d_to + at, kPart);
    cudaMemcpyAsync(to + at, d_to + at, bytes, cudaMemcpyDeviceToHost, streams[s]);
  }
  for (cudaStream_t stream : streams) cudaStreamSynchronize(stream);
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) {
    wrong += to[i] != from[i] * from[i];
  }
  std::printf("%d wrong\n", wrong);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFreeHost(from);
  cudaFreeHost(to);
  cudaFree(d_from);
  cudaFree(d_to);
  return wrong != 0;
}

// BUG host_waits_for_another_stream
// - for (cudaStream_t stream : streams) cudaStreamSynchronize(stream);
// + cudaStreamSynchronize(streams[0]);
// ! before it has waited for the cudaMemcpyAsync() that writes it
// @ wrong += to[i] != from[i] * from[i];

// BUG host_does_not_wait
// - for (cudaStream_t stream : streams) cudaStreamSynchronize(stream);
// +
// ! wait

// BUG kernel_in_another_stream
// - square_kernel<<<kPart / 128, 128, 0, streams[s]>>>
// + square_kernel<<<kPart / 128, 128, 0, streams[(s + 1) % kStreams]>>>
// ! stream

// BUG part_too_large
// - square_kernel<<<kPart / 128, 128, 0, streams[s]>>>(d_from + at, d_to + at, kPart);
// + square_kernel<<<kCount / 128, 128, 0, streams[s]>>>(d_from + at, d_to + at, kCount);
// ! initialised

// BUG copied_in_the_wrong_direction
// - cudaMemcpyAsync(to + at, d_to + at, bytes, cudaMemcpyDeviceToHost, streams[s]);
// + cudaMemcpyAsync(d_to + at, to + at, bytes, cudaMemcpyDeviceToHost, streams[s]);
// ! cudaMemcpyAsync() fails: its destination is device memory, not the host's
// @ cudaMemcpyAsync(d_to + at, to + at
