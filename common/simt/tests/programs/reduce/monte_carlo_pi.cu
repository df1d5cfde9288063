// Pi by random points in a square. Each thread has a linear congruential generator of its own.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

constexpr int kThreads = 64, kBlocks = 8, kPoints = 50;

__host__ __device__ unsigned next(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

__host__ __device__ int inside(unsigned seed, int points) {
  unsigned state = seed * 2654435761u + 12345u;
  int hits = 0;
  for (int i = 0; i < points; ++i) {
    const float x = next(state) * (1.0f / 16777216), y = next(state) * (1.0f / 16777216);
    hits += x * x + y * y < 1.0f;
  }
  return hits;
}

__global__ void pi_kernel(int points, unsigned long long* hits) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int mine = inside(thread, points);
  atomicAdd(hits, static_cast<unsigned long long>(mine));
}

int main() {
  const int threads = kThreads * kBlocks;
  unsigned long long *d_hits, hits = 0, expected = 0;
  for (int i = 0; i < threads; ++i) expected += inside(i, kPoints);
  cudaMalloc(&d_hits, sizeof(hits));
  cudaMemset(d_hits, 0, sizeof(hits));
  pi_kernel<<<kBlocks, kThreads>>>(kPoints, d_hits);
  cudaMemcpy(&hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost);
  const double pi = 4.0 * double(hits) / (double(threads) * kPoints);
  std::printf("pi is about %g, %llu hits, expected %llu\n", pi, hits, expected);
  cudaFree(d_hits);
  return hits != expected || std::fabs(pi - 3.14159) > 0.1;
}

// BUG endless_loop
// - const int mine = inside(thread, points);
// + int mine = 0;
// + unsigned state = thread;
// + for (int i = 0; i != points; i += points > 100) mine += next(state) % 2;
// ! makes no progress: an endless loop?
// @ state = state * 1664525u + 1013904223u;

// BUG counter_without_atomics
// - atomicAdd(hits, static_cast<unsigned long long>(mine));
// + *hits += static_cast<unsigned long long>(mine);
// ! which another thread stores as well
// ! or use an atomic operation
// @ *hits += static_cast<unsigned long long>(mine);

// BUG same_seed
// - const int mine = inside(thread, points);
// + const int mine = inside(threadIdx.x, points);
// ! wrong result

// BUG function_for_the_host
// - __host__ __device__ int inside(
// + int inside(
// ! inside() is a function for the host
// @ const int mine = inside(thread, points);
