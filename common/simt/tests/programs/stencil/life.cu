// Conway's game of life on a torus.
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

constexpr int kSide = 40, kSteps = 5;

__host__ __device__ unsigned char next(const unsigned char* cells, int x, int y) {
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      alive += cells[(y + dy + kSide) % kSide * kSide + (x + dx + kSide) % kSide];
    }
  }
  return alive == 3 || (alive == 2 && cells[y * kSide + x] != 0);
}

__global__ void life_kernel(const unsigned char* from, unsigned char* to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kSide && y < kSide) {
    to[y * kSide + x] = next(from, x, y);
  }
}

int main() {
  const int count = kSide * kSide;
  std::vector<unsigned char> now(count), after(count), result(count);
  for (int i = 0; i < count; ++i) now[i] = (i * 7 + i / 9) % 3 == 0;
  unsigned char *d_now, *d_after;
  cudaMalloc(&d_now, count);
  cudaMalloc(&d_after, count);
  cudaMemcpy(d_now, now.data(), count, cudaMemcpyHostToDevice);
  for (int step = 0; step < kSteps; ++step) {
    life_kernel<<<dim3(3, 3), dim3(16, 16)>>>(d_now, d_after);
    std::swap(d_now, d_after);
    for (int i = 0; i < count; ++i) after[i] = next(now.data(), i % kSide, i / kSide);
    std::swap(now, after);
  }
  cudaMemcpy(result.data(), d_now, count, cudaMemcpyDeviceToHost);
  std::printf("%s\n", result == now ? "right" : "wrong");
  cudaFree(d_now);
  cudaFree(d_after);
  return result != now;
}

// BUG in_place
// - life_kernel<<<dim3(3, 3), dim3(16, 16)>>>(d_now, d_after);
// - std::swap(d_now, d_after);
// + life_kernel<<<dim3(3, 3), dim3(16, 16)>>>(d_now, d_now);
// ! another

// BUG no_torus_to_the_left
// - (y + dy + kSide) % kSide * kSide + (x + dx + kSide) % kSide
// + (y + dy) * kSide + (x + dx) % kSide
// ! out of bounds
// @ alive += cells[

// BUG grid_too_small
// - life_kernel<<<dim3(3, 3), dim3(16, 16)>>>
// + life_kernel<<<dim3(2, 3), dim3(16, 16)>>>
// ! which no copy and no earlier launch has initialised
// @ alive += cells[
