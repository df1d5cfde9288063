// Memory that two streams may use at the same time: blocks that kernels allocate, allocations in the order of a stream,
// and bytes of one word.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void allocate_kernel(int* result, int i) {
  int* const block = static_cast<int*>(malloc(64));
  block[0] = i;
  result[i] = block[0];
  free(block);
}

__global__ void mark_kernel(char* to, int count) {
  const int i = threadIdx.x;
  if (i < count) to[i] = 1;
}

int main() {
  int *results, host[4];
  char *bytes, *pinned;
  cudaStream_t streams[4];
  cudaMalloc(&results, sizeof host);
  cudaMalloc(&bytes, 16);
  cudaMallocHost(&pinned, 16);
  for (int i = 0; i < 16; ++i) pinned[i] = 2;
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int i = 0; i < 4; ++i) allocate_kernel<<<1, 1, 0, streams[i]>>>(results, i);
  mark_kernel<<<1, 32, 0, streams[0]>>>(bytes, 5);
  cudaMemcpyAsync(bytes + 5, pinned, 11, cudaMemcpyHostToDevice, streams[1]);
  for (int i = 0; i < 40; ++i) {
    char* piece;
    const cudaStream_t stream = streams[i % 4];
    cudaMallocAsync(reinterpret_cast<void**>(&piece), 1 << 20, stream);
    mark_kernel<<<1, 32, 0, stream>>>(piece, 32);
    cudaFreeAsync(piece, stream);
  }
  cudaDeviceSynchronize();
  cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(pinned, bytes, 16, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 4; ++i) wrong += host[i] != i;
  for (int i = 0; i < 16; ++i) wrong += pinned[i] != (i < 5 ? 1 : 2);
  std::printf("%d wrong\n", wrong);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFreeHost(pinned);
  cudaFree(results);
  cudaFree(bytes);
  return wrong != 0;
}

// BUG copy_into_a_word_of_the_kernel
// - cudaMemcpyAsync(bytes + 5, pinned, 11, cudaMemcpyHostToDevice, streams[1]);
// + cudaMemcpyAsync(bytes + 4, pinned, 12, cudaMemcpyHostToDevice, streams[1]);
// ! cudaMemcpyAsync() writes
// ! mark_kernel in another stream writes it
// @ cudaMemcpyAsync(bytes + 4, pinned, 12, cudaMemcpyHostToDevice, streams[1]);
