// Sums by several threads of the host, each with a stream of its own. The last lanes of a block are a part of a warp.
#include <cuda_runtime.h>

#include <cstdio>
#include <thread>
#include <vector>

constexpr int kHosts = 4, kBlocks = 6, kThreads = 144, kRounds = 8;

__device__ int warp_sum(unsigned mask, int value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(mask, value, step);
  return value;
}

__global__ void sum_kernel(const int* values, int count, int* sums) {
  __shared__ int part[(kThreads + 31) / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int mine = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += kThreads * kBlocks) {
    mine += values[i];
  }
  mine = warp_sum(__activemask(), mine);
  if (lane == 0) part[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    const bool mask_of = lane < (kThreads + 31) / 32;
    const unsigned mask = __ballot_sync(0xffffffff, mask_of);
    if (mask_of) mine = warp_sum(mask, part[lane]);
    if (lane == 0) sums[blockIdx.x] = mine;
  }
}

void run(int host, int* result) {
  const int count = 2000 + host;
  int *values, *d_values, *d_sums, *sums;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int round = 0; round < kRounds; ++round) {
    cudaMallocHost(&values, count * sizeof(int));
    cudaMallocHost(&sums, kBlocks * sizeof(int));
    cudaMalloc(&d_values, count * sizeof(int));
    cudaMalloc(&d_sums, kBlocks * sizeof(int));
    for (int i = 0; i < count; ++i) values[i] = i % (host + 2);
    cudaMemcpyAsync(d_values, values, count * sizeof(int), cudaMemcpyHostToDevice, stream);
    sum_kernel<<<kBlocks, kThreads, 0, stream>>>(d_values, count, d_sums);
    cudaMemcpyAsync(sums, d_sums, kBlocks * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    int difference = 0;
    for (int i = 0; i < count; ++i) difference += values[i];
    for (int block = 0; block < kBlocks; ++block) difference -= sums[block];
    *result += difference != 0;
    cudaFree(d_values);
    cudaFree(d_sums);
    cudaFreeHost(values);
    cudaFreeHost(sums);
  }
  cudaStreamDestroy(stream);
}

int main() {
  std::vector<std::thread> hosts;
  std::vector<int> wrong(kHosts, 0);
  for (int host = 0; host < kHosts; ++host) hosts.emplace_back(run, host, &wrong[host]);
  int all = 0;
  for (int host = 0; host < kHosts; ++host) {
    hosts[host].join();
    all += wrong[host];
  }
  std::printf("%d wrong sums\n", all);
  return all != 0;
}

// BUG no_barrier
// - __syncthreads();
// +
// ! part
// @ if (mask_of) mine = warp_sum(mask, part[lane]);

// BUG stops_early
// - step > 0
// + step > 1
// ! wrong result
