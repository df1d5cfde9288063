// A separable convolution: rows, then columns, each by a kernel with a tile in shared memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kRadius = 2, kTile = 16, kSize = 48;

struct Weights {
  float w[2 * kRadius + 1];
};

template <bool ROWS>
__global__ void pass_kernel(const float* from, float* to, Weights weights) {
  __shared__ float tile[kTile][kTile + 2 * kRadius];
  // Along the direction of the pass, and across it.
  const int along = ROWS ? threadIdx.x : threadIdx.y, across = ROWS ? threadIdx.y : threadIdx.x;
  const int line = (ROWS ? blockIdx.y : blockIdx.x) * kTile + across;
  const int begin = (ROWS ? blockIdx.x : blockIdx.y) * kTile - kRadius;
  const auto index = [&](int at) { return ROWS ? line * kSize + at : at * kSize + line; };
  for (int i = along; i < kTile + 2 * kRadius; i += kTile) {
    const int at = begin + i;
    tile[across][i] = at >= 0 && at < kSize ? from[index(at)] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i <= 2 * kRadius; ++i) {
    sum += weights.w[i] * tile[across][along + i];
  }
  to[index(begin + kRadius + along)] = sum;
}

int main() {
  const int count = kSize * kSize, bytes = count * sizeof(float);
  const Weights weights = {{1, 2, 4, 2, 1}};
  std::vector<float> from(count), to(count);
  for (int i = 0; i < count; ++i) from[i] = float(i * 3 % 13);
  float *d_from, *d_rows, *d_to;
  cudaMalloc(&d_from, bytes);
  cudaMalloc(&d_rows, bytes);
  cudaMalloc(&d_to, bytes);
  cudaMemcpy(d_from, from.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 grid(kSize / kTile, kSize / kTile), block(kTile, kTile);
  pass_kernel<true><<<grid, block>>>(d_from, d_rows, weights);
  pass_kernel<false><<<grid, block>>>(d_rows, d_to, weights);
  cudaMemcpy(to.data(), d_to, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    float sum = 0;
    for (int j = 0; j < 25; ++j) {
      const int x = i % kSize + j % 5 - kRadius, y = i / kSize + j / 5 - kRadius;
      if (x < 0 || x >= kSize || y < 0 || y >= kSize) continue;
      sum += weights.w[j / 5] * weights.w[j % 5] * from[y * kSize + x];
    }
    wrong += to[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_from);
  cudaFree(d_rows);
  cudaFree(d_to);
  return wrong != 0;
}

// BUG no_barrier
// - __syncthreads();
// +
// ! tile
// ! with no __syncthreads()
// @ sum += weights.w[i] * tile[across][along + i];

// BUG halo_not_copied
// - i < kTile + 2 * kRadius; i += kTile
// + i < kTile; i += kTile
// ! tile
// ! which no thread of this block has written
// @ sum += weights.w[i] * tile[across][along + i];

// BUG passes_exchanged
// - pass_kernel<true><<<grid, block>>>(d_from, d_rows, weights);
// - pass_kernel<false><<<grid, block>>>(d_rows, d_to, weights);
// + pass_kernel<false><<<grid, block>>>(d_rows, d_to, weights);
// + pass_kernel<true><<<grid, block>>>(d_from, d_rows, weights);
// ! which no copy and no earlier launch has initialised
// @ tile[across][i] = at >= 0 && at < kSize ? from[index(at)] : 0;

// BUG no_guard
// - at >= 0 && at < kSize ? from[index(at)] : 0;
// + at >= 0 ? from[index(at)] : 0;
// ! out of bounds
// @ tile[across][i] = at >= 0 ? from[index(at)] : 0;
