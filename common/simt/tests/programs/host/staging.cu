// Chunks pass through two pinned buffers, each with its stream: the host refills one while the other's copy is on its
// way.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

constexpr int kChunk = 2048, kChunks = 5;

__global__ void add_kernel(float* sums, const float* chunk, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += chunk[i];
}

int main() {
  cudaStream_t streams[2];
  float *staged[2], *chunks[2], *sums[2];
  for (int b = 0; b < 2; ++b) {
    cudaStreamCreate(&streams[b]);
    cudaMallocHost(&staged[b], kChunk * sizeof(float));
    cudaMalloc(&chunks[b], kChunk * sizeof(float));
    cudaMalloc(&sums[b], kChunk * sizeof(float));
    cudaMemset(sums[b], 0, kChunk * sizeof(float));
  }
  for (int c = 0; c < kChunks; ++c) {
    const int b = c % 2;
    cudaStreamSynchronize(streams[b]);
    for (int i = 0; i < kChunk; ++i) staged[b][i] = float(c + i);
    cudaMemcpyAsync(chunks[b], staged[b], kChunk * sizeof(float), cudaMemcpyHostToDevice,
                    streams[b]);
    if (staged[b][0] != float(c)) return 1;  // the host may read what a copy reads
    add_kernel<<<kChunk / 256, 256, 0, streams[b]>>>(sums[b], chunks[b], kChunk);
  }
  float* results = static_cast<float*>(std::malloc(kChunk * sizeof(float)));
  if (cudaThreadSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(results, sums[0], kChunk * sizeof(float), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int i = 0; i < kChunk; ++i) right &= results[i] == float(0 + 2 + 4 + 3 * i);
  std::printf("%g\n", results[1]);
  std::free(results);
  for (int b = 0; b < 2; ++b) {
    cudaStreamDestroy(streams[b]);
    cudaFreeHost(staged[b]);
    cudaFree(chunks[b]);
    cudaFree(sums[b]);
  }
  return cudaThreadExit() != cudaSuccess || !right;
}

// BUG refilled_too_early
// - cudaStreamSynchronize(streams[b]);
// +
// ! host code writes to pinned memory before it has waited for the cudaMemcpyAsync() that reads it
// @ for (int i = 0; i < kChunk; ++i) staged[b][i] = float(c + i);

// BUG waits_for_one_stream
// - cudaStreamSynchronize(streams[b]);
// + cudaStreamSynchronize(streams[0]);
// ! host code writes to pinned memory before it has waited for the cudaMemcpyAsync() that reads it
// @ for (int i = 0; i < kChunk; ++i) staged[b][i] = float(c + i);

// BUG never_allocated
// - cudaMalloc(&sums[b], kChunk * sizeof(float));
// +
// - cudaMemset(sums[b], 0, kChunk * sizeof(float));
// +
// ! which is not device memory (a pointer that was never given a value)
// @ if (i < n) sums[i] += chunk[i];

// BUG freed_as_memory_of_the_host
// - cudaFree(chunks[b]);
// + std::free(chunks[b]);
// ! host code touches device memory 8 bytes before an allocation: cudaFree() frees it, not free() or delete
// @ std::free(chunks[b]);
