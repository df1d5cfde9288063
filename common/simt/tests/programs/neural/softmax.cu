// Softmax of each row, one block a row: the largest element, the sum of the powers, then the quotients.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kThreads = 64;

__global__ void softmax_kernel(const float* x, float* y, int cols) {
  __shared__ float shared[kThreads];
  const int tid = threadIdx.x;
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float largest = -INFINITY;
  for (int i = tid; i < cols; i += kThreads) largest = fmaxf(largest, x[i]);
  shared[tid] = largest;
  __syncthreads();
  for (int s = kThreads / 2; s > 0; s /= 2) {
    if (tid < s) shared[tid] = fmaxf(shared[tid], shared[tid + s]);
    __syncthreads();
  }
  largest = shared[0];  // all read it
  __syncthreads();  // all know the largest
  float sum = 0;
  for (int i = tid; i < cols; i += kThreads) sum += expf(x[i] - largest);
  shared[tid] = sum;
  __syncthreads();  // the sums of all threads are there
  for (int s = kThreads / 2; s > 0; s /= 2) {
    if (tid < s) shared[tid] += shared[tid + s];
    __syncthreads();
  }
  for (int i = tid; i < cols; i += kThreads) {
    y[i] = expf(x[i] - largest) / shared[0];
  }
}

int main() {
  const int rows = 7, cols = 150, bytes = rows * cols * sizeof(float);
  std::vector<float> x(rows * cols), y(rows * cols);
  for (int i = 0; i < rows * cols; ++i) x[i] = float(i * 17 % 41) / 8 - 2;
  float *d_x, *d_y;
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&d_y, bytes);
  cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
  softmax_kernel<<<rows, kThreads>>>(d_x, d_y, cols);
  cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < cols; ++i) sum += std::exp(double(x[row * cols + i]));
    for (int i = 0; i < cols; ++i) {
      wrong += !(std::fabs(y[row * cols + i] - std::exp(double(x[row * cols + i])) / sum) < 1e-5);
    }
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  cudaFree(d_y);
  return wrong != 0;
}

// BUG largest_overwritten
// - __syncthreads();  // all know the largest
// +
// ! shared
// ! with no __syncthreads() or __syncwarp() since another thread
// @ shared[tid] = sum;

// BUG no_barrier_behind_the_sums
// - __syncthreads();  // the sums of all threads are there
// +
// ! shared
// ! with no __syncthreads()
// @ if (tid < s) shared[tid] += shared[tid + s];

// BUG one_thread_too_few
// - softmax_kernel<<<rows, kThreads>>>
// + softmax_kernel<<<rows, kThreads - 1>>>
// ! shared
// ! which no thread of this block has written
// @ if (tid < s) shared[tid] = fmaxf(shared[tid], shared[tid + s]);

// BUG quotient_by_the_own_sum
// - y[i] = expf(x[i] - largest) / shared[0];
// + y[i] = expf(x[i] - largest) / sum;
// ! wrong result
