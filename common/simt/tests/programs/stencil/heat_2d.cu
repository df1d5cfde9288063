// The heat equation in two dimensions: each step is a launch, and the two grids change places.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int kWidth = 50, kHeight = 34, kSteps = 6;
constexpr float kRate = 0.2f;

__global__ void step_kernel(const float* from, float* to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= kWidth || y >= kHeight) return;
  const int i = y * kWidth + x;
  if (x == 0 || y == 0 || x == kWidth - 1 || y == kHeight - 1) {
    to[i] = from[i];
    return;
  }
  const float sum = from[i - 1] + from[i + 1] + from[i - kWidth] + from[i + kWidth];
  to[i] = from[i] + kRate * (sum - 4 * from[i]);
}

int main() {
  const int count = kWidth * kHeight, bytes = count * sizeof(float);
  std::vector<float> now(count), next(count), result(count);
  for (int i = 0; i < count; ++i) now[i] = i % kWidth == 0 ? 100.0f : float(i % 7);
  float *d_now, *d_next;
  cudaMalloc(&d_now, bytes);
  cudaMalloc(&d_next, bytes);
  cudaMemcpy(d_now, now.data(), bytes, cudaMemcpyHostToDevice);
  for (int step = 0; step < kSteps; ++step) {
    step_kernel<<<dim3((kWidth + 15) / 16, (kHeight + 7) / 8), dim3(16, 8)>>>(d_now, d_next);
    std::swap(d_now, d_next);
    next = now;
    for (int y = 1; y < kHeight - 1; ++y) {
      for (int i = y * kWidth + 1; i < y * kWidth + kWidth - 1; ++i) {
        const float sum = now[i - 1] + now[i + 1] + now[i - kWidth] + now[i + kWidth];
        next[i] = now[i] + kRate * (sum - 4 * now[i]);
      }
    }
    std::swap(now, next);
  }
  cudaMemcpy(result.data(), d_now, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += !(std::fabs(result[i] - now[i]) < 1e-3);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_now);
  cudaFree(d_next);
  return wrong != 0;
}

// BUG in_place
// - step_kernel<<<dim3((kWidth + 15) / 16, (kHeight + 7) / 8), dim3(16, 8)>>>(d_now, d_next);
// - std::swap(d_now, d_next);
// + step_kernel<<<dim3((kWidth + 15) / 16, (kHeight + 7) / 8), dim3(16, 8)>>>(d_now, d_now);
// ! which another block reads in this launch
// @ to[i] = from[i] + kRate * (sum - 4 * from[i]);

// BUG no_guard_of_the_last_row
// - if (x == 0 || y == 0 || x == kWidth - 1 || y == kHeight - 1) {
// + if (x == 0 || y == 0 || x == kWidth - 1) {
// ! out of bounds
// @ const float sum = from[i - 1] + from[i + 1] + from[i - kWidth] + from[i + kWidth];

// BUG border_not_copied
// - to[i] = from[i];
// - return;
// + return;
// ! which no copy and no earlier launch has initialised
// @ const float sum = from[i - 1] + from[i + 1] + from[i - kWidth] + from[i + kWidth];

// BUG grids_not_exchanged
// - std::swap(d_now, d_next);
// +
// ! wrong result
