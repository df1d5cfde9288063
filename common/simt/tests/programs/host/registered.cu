// Kernels use memory of malloc() that the program registers, through its own address and through the device's.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void double_kernel(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 2 * from[i];
}

bool all_doubled(const int* numbers, int n, int factor) {
  for (int i = 0; i < n; ++i) {
    if (numbers[i] != factor * i) return false;
  }
  return true;
}

int main() {
  constexpr int n = 5000;
  constexpr size_t bytes = n * sizeof(int);
  // Small allocations: they share pages with each other and with other memory of the program.
  int* const from = static_cast<int*>(std::malloc(bytes));
  int* const to = static_cast<int*>(std::malloc(bytes));
  for (int i = 0; i < n; ++i) from[i] = i;
  bool right = true;
  for (int round = 0; round < 3; ++round) {
    cudaHostRegister(from, bytes, cudaHostRegisterMapped);
    cudaHostRegister(to, bytes, cudaHostRegisterDefault);
    int* d_from;
    cudaHostGetDevicePointer(&d_from, from, 0);
    double_kernel<<<(n + 255) / 256, 256>>>(d_from, to, n);
    cudaDeviceSynchronize();
    right = right && all_doubled(to, n, 2);
    double_kernel<<<(n + 255) / 256, 256>>>(to, d_from, n);
    cudaDeviceSynchronize();
    right = right && all_doubled(from, n, 4);
    for (int i = 0; i < n; ++i) from[i] = i;
    cudaHostUnregister(from);
    cudaHostUnregister(to);  // the last use of both
  }
  right = right && all_doubled(to, n, 2) && all_doubled(from, n, 1);
  if (cudaGetLastError() != cudaSuccess) return 1;
  std::printf("%s\n", right ? "right" : "wrong");
  std::free(from);
  std::free(to);
  return !right;
}

// BUG one_too_many
// - if (i < n) to[i]
// + if (i <= n) to[i]
// ! reads 4 bytes of global memory out of bounds: 0 bytes past the end of an allocation of 20000 bytes
// @ if (i <= n) to[i]

// BUG not_registered
// - cudaHostRegister(to, bytes, cudaHostRegisterDefault);
// +
// ! which is not device memory (host memory)
// @ if (i < n) to[i]

// BUG used_after_the_end
// - cudaHostUnregister(to);  // the last use of both
// + cudaHostUnregister(to);
// + double_kernel<<<1, 32>>>(d_from, to, n);
// ! freed
// @ if (i < n) to[i]

// BUG blocks_overlap
// - to[i] = 2 * from[i];
// + to[i / 2] = 2 * from[i];
// ! which another thread stores as well
// @ if (i < n) to[i / 2]
