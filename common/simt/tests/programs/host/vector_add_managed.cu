// c = a + b in managed memory, which host and device both use.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add_kernel(const int* a, const int* b, int* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

int main() {
  const int count = 700;
  int *a, *b, *c;
  cudaMallocManaged(&a, count * sizeof(int));
  cudaMallocManaged(&b, count * sizeof(int));
  cudaMallocManaged(&c, count * sizeof(int));
  for (int i = 0; i < count; ++i) {
    a[i] = i;
    b[i] = 2 * i;
  }
  add_kernel<<<(count + 127) / 128, 128>>>(a, b, c, count);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    wrong += c[i] != 3 * i;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return wrong != 0;
}

// BUG no_guard
// - if (i < count) c[i] = a[i] + b[i];
// + c[i] = a[i] + b[i];
// ! out of bounds
// @ c[i] = a[i] + b[i];

// BUG read_without_synchronising
// - cudaDeviceSynchronize();
// +
// ! cudaDeviceSynchronize()
// @ wrong += c[i] != 3 * i;

// BUG half_initialised
// - b[i] = 2 * i;
// + if (i % 2 == 0) b[i] = 2 * i;
// ! initialised
// @ if (i < count) c[i] = a[i] + b[i];
