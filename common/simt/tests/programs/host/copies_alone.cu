// Copies without any kernel.
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  int *device, *from, *to;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&device, 400);
  cudaMallocHost(&from, 400);
  cudaMallocHost(&to, 400);
  for (int i = 0; i < 100; ++i) from[i] = i, to[i] = -1;
  cudaMemcpyAsync(device, from, 400, cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(to, device, 400, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  int wrong = 0;
  for (int i = 0; i < 100; ++i) wrong += to[i] != i;
  std::printf("%d wrong\n", wrong);
  cudaStreamDestroy(stream);
  cudaFreeHost(from);
  cudaFreeHost(to);
  cudaFree(device);
  return wrong != 0;
}

// BUG host_does_not_wait
// - cudaStreamSynchronize(stream);
// +
// ! before it has waited for the cudaMemcpyAsync() that writes it
// @ wrong += to[i] != i;
