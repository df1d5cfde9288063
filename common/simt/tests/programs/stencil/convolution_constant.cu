// A convolution in two dimensions, with its weights in constant memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kRadius = 2, kSide = 2 * kRadius + 1;

__constant__ float weights[kSide][kSide];

__global__ void convolution_kernel(const float* from, float* to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -kRadius; dy <= kRadius; ++dy) {
    for (int dx = -kRadius; dx <= kRadius; ++dx) {
      if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) {
        sum += weights[dy + kRadius][dx + kRadius] * from[(y + dy) * width + x + dx];
      }
    }
  }
  to[y * width + x] = sum;
}

int main() {
  const int width = 37, height = 22, count = width * height, bytes = count * sizeof(float);
  std::vector<float> from(count), to(count);
  float host_weights[kSide][kSide];
  for (int i = 0; i < kSide * kSide; ++i) host_weights[i / kSide][i % kSide] = float(i % 4) - 1;
  for (int i = 0; i < count; ++i) from[i] = float(i * 5 % 17);
  float *d_from, *d_to;
  cudaMalloc(&d_from, bytes);
  cudaMalloc(&d_to, bytes);
  cudaMemcpy(d_from, from.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights));
  convolution_kernel<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(d_from, d_to,
                                                                                 width, height);
  cudaMemcpy(to.data(), d_to, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    float sum = 0;
    for (int j = 0; j < kSide * kSide; ++j) {
      const int x = i % width + j % kSide - kRadius, y = i / width + j / kSide - kRadius;
      if (x < 0 || x >= width || y < 0 || y >= height) continue;
      sum += host_weights[j / kSide][j % kSide] * from[y * width + x];
    }
    wrong += to[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_from);
  cudaFree(d_to);
  return wrong != 0;
}

// BUG weights_not_copied
// - cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights));
// +
// ! wrong result

// BUG border_of_one_side
// - y + dy >= 0 && y + dy < height
// + y + dy < height
// ! out of bounds
// @ sum += weights[dy + kRadius][dx + kRadius] * from[(y + dy) * width + x + dx];

// BUG index_without_radius
// - weights[dy + kRadius][dx + kRadius]
// + weights[dy + kRadius][dx]
// ! of the array type
// @ sum += weights[dy + kRadius][dx] * from[(y + dy) * width + x + dx];

// BUG symbol_too_small
// - cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights));
// + cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights) + 4);
// ! cudaMemcpyToSymbol() fails: its symbol has
// @ sizeof(host_weights) + 4);
