#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

#include "tests/blas/blas.h"

namespace blas {

__global__ void gemm_kernel(int M, int N, int K, float alpha, const float* A, const float* B,
                            float beta, float* C) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
  }
}

double difference(int M, int N, int K) {
  std::vector<float> a(M * K), b(K * N), c(M * N, 1.5f), d(M * N);
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(int(i * 7 % 11) - 5) / 4;
  for (size_t i = 0; i < b.size(); ++i) b[i] = float(int(i * 5 % 13) - 6) / 8;
  float *A, *B, *C, *D;
  cudaMalloc(&A, a.size() * sizeof(float));
  cudaMalloc(&B, b.size() * sizeof(float));
  cudaMalloc(&C, c.size() * sizeof(float));
  cudaMalloc(&D, c.size() * sizeof(float));
  cudaMemcpy(A, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(B, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(C, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(D, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  gemm_kernel<<<grid, block>>>(M, N, K, 2.0f, A, B, -1.0f, C);
  cublasHandle_t handle;
  const float alpha = 2, beta = -1;
  bool good = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
  good = good && cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &alpha, B, N, A, K, &beta,
                             D, N) == CUBLAS_STATUS_SUCCESS;
  cublasDestroy(handle);
  good = good && cudaDeviceSynchronize() == cudaSuccess;
  cudaMemcpy(c.data(), C, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(d.data(), D, d.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(A), cudaFree(B), cudaFree(C), cudaFree(D);
  double most = good ? 0 : -1;
  for (size_t i = 0; good && i < c.size(); ++i) most = std::fmax(most, std::fabs(c[i] - d[i]));
  return most;
}

}  // namespace blas
