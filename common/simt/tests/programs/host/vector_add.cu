// c = a + b, with a check of every call and of the launch.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                      \
  do {                                                                   \
    const cudaError_t error = (call);                                    \
    if (error != cudaSuccess) {                                          \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                      \
    }                                                                    \
  } while (false)

__global__ void add_kernel(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    c[i] = a[i] + b[i];
  }
}

int main() {
  const int count = 1003, threads = 256;
  const size_t bytes = count * sizeof(float);
  std::vector<float> a(count), b(count), c(count);
  for (int i = 0; i < count; ++i) a[i] = float(i), b[i] = float(3 * i);
  float *d_a, *d_b, *d_c;
  CHECK(cudaMalloc(&d_a, bytes));
  CHECK(cudaMalloc(&d_b, bytes));
  CHECK(cudaMalloc(&d_c, bytes));
  CHECK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
  add_kernel<<<(count + threads - 1) / threads, threads>>>(d_a, d_b, d_c, count);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += c[i] != a[i] + b[i];
  std::printf("%d wrong\n", wrong);
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
  return wrong != 0;
}

// BUG no_guard
// - if (i < count) {
// + {
// ! out of bounds
// @ c[i] = a[i] + b[i];

// BUG count_instead_of_bytes
// - CHECK(cudaMalloc(&d_c, bytes));
// + CHECK(cudaMalloc(&d_c, count));
// ! out of bounds
// @ c[i] = a[i] + b[i];

// BUG not_allocated
// - float *d_a, *d_b, *d_c;
// + float *d_a, *d_b, *d_c = nullptr;
// - CHECK(cudaMalloc(&d_c, bytes));
// +
// ! which is not device memory (a null pointer)
// @ c[i] = a[i] + b[i];

// BUG too_many_threads
// - threads = 256;
// + threads = 2048;
// ! is refused: a block of 2048 threads; it has at most 1024
// @ add_kernel<<<

// BUG no_blocks
// - (count + threads - 1) / threads, threads>>>
// + threads / count, threads>>>
// ! is refused: a grid of 0 blocks
// @ add_kernel<<<

// BUG host_writes_device_memory
// - add_kernel<<<
// + d_c[0] = 0;
// + add_kernel<<<
// ! host code touches device memory
// @ d_c[0] = 0;

// BUG host_reads_device_memory
// - wrong += c[i] != a[i] + b[i];
// + wrong += d_c[i] != a[i] + b[i];
// ! host code touches device memory
// @ wrong += d_c[i] != a[i] + b[i];

// BUG copies_too_much
// - CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
// + CHECK(cudaMemcpy(c.data(), d_c, 2 * bytes, cudaMemcpyDeviceToHost));
// ! cudaMemcpy() fails: its source has
// @ CHECK(cudaMemcpy(c.data(), d_c

// BUG freed_too_early
// - add_kernel<<<
// + CHECK(cudaFree(d_b));
// + add_kernel<<<
// ! that has been freed
// @ c[i] = a[i] + b[i];

// BUG freed_twice
// - CHECK(cudaFree(d_c));
// + CHECK(cudaFree(d_b));
// ! cudaFree() fails: this memory has been freed already

// BUG frees_host_memory
// - CHECK(cudaFree(d_c));
// + CHECK(cudaFree(c.data()));
// ! cudaFree() fails: no memory on the device begins here
// @ CHECK(cudaFree(c.data()));
