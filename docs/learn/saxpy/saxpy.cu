// saxpy: y = a * x + y, the smallest kernel that shows how a GPU works. docs/learn/gpu_in_ten_minutes.md
// explains it. Thread i works on element i * stride, so that one number changes what memory has to do.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256)
    saxpy_kernel(int n, int stride, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i * stride] = a * x[i * stride] + y[i * stride];
}

// n threads; x and y have (n - 1) * stride + 1 elements or more. Returns when the launch is queued.
void saxpy(int n, int stride, float a, const float* x, float* y) {
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, stride, a, x, y);
}
