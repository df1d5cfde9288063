#include <cmath>
#include <cuda/atomic>
#include <vector>

#include "tests/runtime/unified.h"

namespace runtime {

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

float saxpy_managed(int n, float a) {
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float), cudaMemAttachGlobal);
  for (int i = 0; i < n; ++i) {
    x[i] = float(i);
    y[i] = 2;
  }
#if CUDART_VERSION >= 13000
  cudaMemLocation device = {};
  device.type = cudaMemLocationTypeDevice;
  cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetReadMostly, device);
  cudaMemPrefetchAsync(x, n * sizeof(float), device, 0, 0);
#endif
  saxpy_kernel<<<4, 64>>>(n, a, x, y);
  cudaDeviceSynchronize();
  float most = 0;
  for (int i = 0; i < n; ++i) most = fmaxf(most, fabsf(y[i] - (a * float(i) + 2)));
  cudaFree(x);
  cudaFree(y);
  return most;
}

struct Node {
  int value;
  Node* next;
};

__global__ void sum_kernel(const Node* node, int* sum) {
  for (; node != nullptr; node = node->next) *sum += node->value;
}

int sum_of_list(int count) {
  Node* first = nullptr;
  int* sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  for (int i = 0; i < count; ++i) {
    Node* node;
    cudaMallocManaged(&node, sizeof(Node));
    *node = {i, first};
    first = node;
  }
  sum_kernel<<<1, 1>>>(first, sum);
  cudaDeviceSynchronize();
  while (first != nullptr) {
    Node* const next = first->next;
    cudaFree(first);
    first = next;
  }
  const int result = *sum;
  cudaFree(sum);
  return result;
}

__global__ void add_up_kernel(const int* x, int n, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}

int sum_of_pinned(int count) {
  int *x, *mapped, *sum;
  cudaHostAlloc(&x, count * sizeof(int), cudaHostAllocMapped);
  cudaMallocHost(&sum, sizeof(int));
  *sum = 0;
  for (int i = 0; i < count; ++i) x[i] = i;
  cudaHostGetDevicePointer(&mapped, x, 0);
  add_up_kernel<<<(count + 63) / 64, 64>>>(mapped, count, sum);
  cudaDeviceSynchronize();
  const int result = *sum;
  cudaFreeHost(x);
  cudaFreeHost(sum);
  return result;
}

__global__ void race_kernel(int* x) {
  x[threadIdx.x] += x[threadIdx.x + 1];
}

void race(int* x, int n) {
  race_kernel<<<1, n>>>(x);
}

__global__ void write_kernel(int* x) {
  x[threadIdx.x] = 5;
}

int read_after_kernel(int* x, int n, bool wait, int index) {
  x[n - 1] = 4;
  write_kernel<<<1, 1>>>(x);
  if (wait) cudaDeviceSynchronize();
  return x[index];
}

int read_after_copy(int* pinned, const int* device, bool wait) {
  cudaMemcpyAsync(pinned, device, sizeof(int), cudaMemcpyDeviceToHost);
  if (wait) cudaStreamSynchronize(0);
  return *pinned;
}

__global__ void flag_kernel(int* flag) {
  cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_release);
}

int read_after_flag(int* pinned, const int* device, bool copy_first) {
  int* flag;
  cudaMallocManaged(&flag, sizeof(int));
  *flag = 0;
  if (copy_first) cudaMemcpyAsync(pinned, device, sizeof(int), cudaMemcpyDeviceToHost);
  flag_kernel<<<1, 1>>>(flag);
  if (!copy_first) cudaMemcpyAsync(pinned, device, sizeof(int), cudaMemcpyDeviceToHost);
  while (cuda::atomic_ref<int>(*flag).load(cuda::memory_order_acquire) == 0) {
  }
  const int value = *pinned;
  cudaFree(flag);
  return value;
}

int read_after_flag_of(int* pinned, const int* device, cudaStream_t copy, cudaStream_t kernel,
                       bool event) {
  int* flag;
  cudaEvent_t copied;
  cudaEventCreate(&copied);
  cudaMallocManaged(&flag, sizeof(int));
  *flag = 0;
  cudaMemcpyAsync(pinned, device, sizeof(int), cudaMemcpyDeviceToHost, copy);
  if (event) {
    cudaEventRecord(copied, copy);
    cudaStreamWaitEvent(kernel, copied, 0);
  }
  flag_kernel<<<1, 1, 0, kernel>>>(flag);
  while (cuda::atomic_ref<int>(*flag).load(cuda::memory_order_acquire) == 0) {
  }
  const int value = *pinned;
  cudaFree(flag);
  cudaEventDestroy(copied);
  return value;
}

int copy_volume() {
  const int width = 24, height = 5, depth = 3;
  std::vector<unsigned char> from(width * height * depth), to(from.size(), 0);
  for (size_t i = 0; i < from.size(); ++i) from[i] = (unsigned char)(i * 7);
  const cudaExtent extent = make_cudaExtent(width, height, depth);
  cudaPitchedPtr device;
  cudaMalloc3D(&device, extent);
  cudaMemset3D(device, 0, extent);
  cudaMemset3DAsync(device, 1, extent);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(from.data(), width, width, height);
  copy.srcPos = copy.dstPos = make_cudaPos(0, 0, 0);
  copy.dstPtr = device;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  copy.srcPtr = device;
  copy.dstPtr = make_cudaPitchedPtr(to.data(), width, width, height);
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3DAsync(&copy);
  cudaDeviceSynchronize();
  cudaFree(device.ptr);
  int differ = cudaGetLastError() == cudaSuccess ? 0 : -1;
  for (size_t i = 0; i < from.size(); ++i) differ += from[i] != to[i];
  return differ;
}

}  // namespace runtime
