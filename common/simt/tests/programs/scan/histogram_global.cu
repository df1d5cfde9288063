// A histogram by atomics of global memory, with a grid-stride loop.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBins = 64;

__global__ void histogram_kernel(const unsigned char* bytes, int count, unsigned* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[bytes[i] / 4], 1u);
  }
}

int main() {
  const int count = 10000;
  std::vector<unsigned char> bytes(count);
  std::vector<unsigned> expected(kBins), bins(kBins);
  for (int i = 0; i < count; ++i) {
    bytes[i] = static_cast<unsigned char>((i * i + i / 3) % 256);
    ++expected[bytes[i] / 4];
  }
  unsigned char* d_bytes;
  unsigned* d_bins;
  cudaMalloc(&d_bytes, count);
  cudaMalloc(&d_bins, kBins * sizeof(unsigned));
  cudaMemcpy(d_bytes, bytes.data(), count, cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, kBins * sizeof(unsigned));
  histogram_kernel<<<8, 128>>>(d_bytes, count, d_bins);
  cudaMemcpy(bins.data(), d_bins, kBins * sizeof(unsigned), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int bin = 0; bin < kBins; ++bin) wrong += bins[bin] != expected[bin];
  std::printf("%d wrong bins\n", wrong);
  cudaFree(d_bytes);
  cudaFree(d_bins);
  return wrong != 0;
}

// BUG no_atomics
// - atomicAdd(&bins[bytes[i] / 4], 1u);
// + ++bins[bytes[i] / 4];
// ! which another thread stores as well
// @ ++bins[bytes[i] / 4];

// BUG bins_too_few
// - cudaMalloc(&d_bins, kBins * sizeof(unsigned));
// + cudaMalloc(&d_bins, kBins);
// ! its destination has 64 bytes to the end of its allocation, but the call needs 256
// @ cudaMemset(d_bins
