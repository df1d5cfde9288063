// C = A B, one element of C a thread, with sides that are no multiples of the block's.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void multiply_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    sum += a[row * k + i] * b[i * n + col];
  }
  c[row * n + col] = sum;
}

int main() {
  const int m = 33, n = 41, k = 20;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = float(i % 7) - 3;
  for (int i = 0; i < k * n; ++i) b[i] = float(i % 5) - 2;
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  multiply_kernel<<<dim3((n + 15) / 16, (m + 7) / 8), dim3(16, 8)>>>(d_a, d_b, d_c, m, n, k);
  cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < m * n; ++i) {
    float sum = 0;
    for (int j = 0; j < k; ++j) sum += a[i / n * k + j] * b[j * n + i % n];
    wrong += c[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return wrong != 0;
}

// BUG sum_without_a_first_value
// - float sum = 0;
// - for (int i = 0;
// + float sum;
// + for (int i = 0;
// ! never given a value
// @ c[row * n + col] = sum;

// BUG one_round_too_many
// - i < k; ++i
// + i <= k; ++i
// ! out of bounds
// @ sum += a[row * k + i] * b[i * n + col];

// BUG guard_by_or
// - if (row >= m || col >= n) return;
// + if (row >= m && col >= n) return;
// ! out of bounds

// BUG input_not_copied
// - cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
// +
// ! which no copy and no earlier launch has initialised
// @ sum += a[row * k + i] * b[i * n + col];

// BUG stride_of_the_other_matrix
// - a[row * k + i]
// + a[row * n + i]
// ! out of bounds
// @ sum += a[row * n + i] * b[i * n + col];
