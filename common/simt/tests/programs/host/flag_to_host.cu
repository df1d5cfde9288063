// The host works on what a kernel has written as soon as a flag in pinned memory says so. It does not wait for the kernel's
// end.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/atomic>

using Flag = cuda::atomic<int, cuda::thread_scope_system>;

__global__ void fill_kernel(int* values, int count, Flag* flag) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    values[i] = i * i;
  }
  __syncthreads();
  if (threadIdx.x == 0) flag->store(1, cuda::memory_order_release);
}

__global__ void double_kernel(int* values, int count, volatile int* done) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    values[i] *= 2;
  }
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *done = 1;
}

int main() {
  const int count = 5000;
  int *values, *done;
  Flag* flag;
  cudaMallocManaged(&values, count * sizeof(int));
  cudaMallocHost(&done, sizeof(int));
  cudaMallocHost(&flag, sizeof(Flag));
  *done = 0;
  flag->store(0);
  int wrong = 0;
  fill_kernel<<<1, 128>>>(values, count, flag);
  while (flag->load(cuda::memory_order_acquire) == 0) {
  }
  for (int i = 0; i < count; ++i) wrong += values[i] != i * i;
  double_kernel<<<1, 128>>>(values, count, done);
  while (*static_cast<volatile int*>(done) == 0) {
  }
  for (int i = 0; i < count; ++i) wrong += values[i] != 2 * i * i;
  std::printf("%d wrong\n", wrong);
  cudaFree(values);
  cudaFreeHost(done);
  cudaFreeHost(flag);
  return wrong != 0;
}

// BUG does_not_wait
// - while (flag->load(cuda::memory_order_acquire) == 0) {
// + {
// ! host code uses memory at offset 0 of an allocation of 20000 bytes before it has waited for the kernel that writes it
// @ wrong += values[i] != i * i;

// BUG relaxed_load
// - flag->load(cuda::memory_order_acquire)
// + flag->load(cuda::memory_order_relaxed)
// ! before it has waited for the kernel that writes it

// BUG relaxed_store
// - flag->store(1, cuda::memory_order_release);
// + flag->store(1, cuda::memory_order_relaxed);
// ! before it has waited for the kernel that writes it

// BUG no_fence
// - __threadfence_system();
// +
// ! before it has waited for the kernel that writes it

// MISSED written_behind_the_flag
// - if (threadIdx.x == 0) *done = 1;
// + if (threadIdx.x == 0) *done = 1;
// + values[threadIdx.x] = 2 * threadIdx.x * threadIdx.x;
// ! before it has waited for the kernel that writes it
