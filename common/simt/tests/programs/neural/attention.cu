// Attention in one pass: for each query, keys and values come in tiles, and the softmax is corrected as it goes.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kTile = 32, kDim = 16, kLength = 96;

__global__ void attention_kernel(const float* q, const float* k, const float* v, float* out) {
  __shared__ float ks[kTile][kDim], vs[kTile][kDim];
  const int row = blockIdx.x * kTile + threadIdx.x;
  float query[kDim], sum[kDim] = {}, largest = -INFINITY, total = 0;
  for (int d = 0; d < kDim; ++d) query[d] = q[row * kDim + d];
  for (int first = 0; first < kLength; first += kTile) {
    for (int i = threadIdx.x; i < kTile * kDim; i += kTile) {
      ks[i / kDim][i % kDim] = k[first * kDim + i];
      vs[i / kDim][i % kDim] = v[first * kDim + i];
    }
    __syncthreads();  // keys and values are there
    for (int j = 0; j < kTile; ++j) {
      float score = 0;
      for (int d = 0; d < kDim; ++d) score += query[d] * ks[j][d];
      const float now = fmaxf(largest, score), old = expf(largest - now),
                  weight = expf(score - now);
      total = total * old + weight;
      for (int d = 0; d < kDim; ++d) sum[d] = sum[d] * old + weight * vs[j][d];
      largest = now;
    }
    __syncthreads();  // all have used them
  }
  for (int d = 0; d < kDim; ++d) out[row * kDim + d] = sum[d] / total;
}

int main() {
  const int count = kLength * kDim, bytes = count * sizeof(float);
  std::vector<float> q(count), k(count), v(count), out(count);
  for (int i = 0; i < count; ++i) {
    q[i] = float(i * 7 % 13) / 13 - 0.5f;
    k[i] = float(i * 5 % 17) / 17 - 0.5f;
    v[i] = float(i * 3 % 19);
  }
  float *d_q, *d_k, *d_v, *d_out;
  cudaMalloc(&d_q, bytes);
  cudaMalloc(&d_k, bytes);
  cudaMalloc(&d_v, bytes);
  cudaMalloc(&d_out, bytes);
  cudaMemcpy(d_q, q.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_k, k.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_v, v.data(), bytes, cudaMemcpyHostToDevice);
  attention_kernel<<<kLength / kTile, kTile>>>(d_q, d_k, d_v, d_out);
  cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < kLength; ++row) {
    double total = 0, sum[kDim] = {};
    for (int j = 0; j < kLength; ++j) {
      double score = 0;
      for (int d = 0; d < kDim; ++d) score += q[row * kDim + d] * k[j * kDim + d];
      total += std::exp(score);
      for (int d = 0; d < kDim; ++d) sum[d] += std::exp(score) * v[j * kDim + d];
    }
    for (int d = 0; d < kDim; ++d)
      wrong += !(std::fabs(out[row * kDim + d] - sum[d] / total) < 1e-3);
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_q);
  cudaFree(d_k);
  cudaFree(d_v);
  cudaFree(d_out);
  return wrong != 0;
}

// BUG no_barrier_behind_the_copies
// - __syncthreads();  // keys and values are there
// +
// ! ks
// ! with no __syncthreads() or __syncwarp() since another thread
// @ score += query[d] * ks[j][d];

// BUG no_barrier_behind_the_use
// - __syncthreads();  // all have used them
// +
// ! with no __syncthreads() or __syncwarp() since another thread
// @ ks[i / kDim][i % kDim] = k[first * kDim + i];

// BUG values_not_loaded
// - vs[i / kDim][i % kDim] = v[first * kDim + i];
// +
// ! vs
// ! which no thread of this block has written
// @ sum[d] = sum[d] * old + weight * vs[j][d];

// MISSED total_without_a_first_value
// - largest = -INFINITY, total = 0;
// + largest = -INFINITY, total;
// ! never given a value

// BUG dimension_too_large
// - for (int d = 0; d < kDim; ++d) query[d] = q[row * kDim + d];
// + for (int d = 0; d < kDim + 1; ++d) query[d] = q[row * kDim + d];
// ! index 16
// @ query[d] = q[row * kDim + d];
