// Launches a kernel of another file, and asks the backend what it counted.
#include <cuda_runtime.h>

#include <cstdio>

#include "simt/report.h"

void launch_scale(const float* from, float* to, int rows, int cols);

int main() {
  const int rows = 64, cols = 32;
  float *from = nullptr, *to = nullptr;
  cudaMalloc(&from, sizeof(float) * rows * cols);
  cudaMalloc(&to, sizeof(float) * rows * cols);
  cudaMemset(from, 0, sizeof(float) * rows * cols);
  launch_scale(from, to, rows, cols);
  const simt::GlobalTraffic loads = simt::last_report().total.global_load;
  std::printf("%llu requests, %llu sectors, %llu at best\n", (unsigned long long)loads.requests,
              (unsigned long long)loads.sectors, (unsigned long long)loads.ideal);
  cudaFree(from);
  cudaFree(to);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
