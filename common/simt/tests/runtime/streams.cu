#include <vector>

#include "tests/runtime/streams.h"

namespace runtime {

__global__ void scale_kernel(float* x, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

__global__ void add_kernel(const int* in, int* out, int by) {
  out[threadIdx.x] = in[threadIdx.x] + by;
}

__global__ void reach_too_far_kernel(float* x, int n) {
  x[n] = 1;
}

float scale_in_chunks(const float* in, float* out, int n, int count) {
  std::vector<cudaStream_t> streams(count);
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop, cudaEventBlockingSync);
  float *pinned = nullptr, *device = nullptr;
  cudaHostAlloc(&pinned, n * sizeof(float), cudaHostAllocDefault);
  cudaMallocAsync(&device, n * sizeof(float), streams[0]);
  for (int i = 0; i < n; ++i) pinned[i] = in[i];
  cudaEventRecord(start, streams[0]);
  const int chunk = (n + count - 1) / count;
  for (int s = 0; s < count; ++s) {
    const int begin = s * chunk, size = n - begin < chunk ? n - begin : chunk;
    if (size <= 0) break;
    const cudaStream_t stream = streams[s];
    cudaMemcpyAsync(device + begin, pinned + begin, size * sizeof(float), cudaMemcpyHostToDevice,
                    stream);
    scale_kernel<<<(size + 127) / 128, 128, 0, stream>>>(device + begin, size, 2.0f);
    cudaMemcpyAsync(pinned + begin, device + begin, size * sizeof(float), cudaMemcpyDeviceToHost,
                    stream);
  }
  for (cudaStream_t stream : streams) cudaStreamSynchronize(stream);
  cudaEventRecordWithFlags(stop, streams[0], cudaEventRecordDefault);
  cudaEventSynchronize(stop);
  float ms = -1;
  cudaEventElapsedTime(&ms, start, stop);
  for (int i = 0; i < n; ++i) out[i] = pinned[i];
  cudaFreeAsync(device, streams[0]);
  cudaFreeHost(pinned);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  return cudaGetLastError() == cudaSuccess ? ms : -1;
}

cudaError_t launch_on_destroyed() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamDestroy(stream);
  scale_kernel<<<1, 32, 0, stream>>>(nullptr, 0, 1.0f);
  return cudaGetLastError();
}

static void increment(void* value) {
  ++*static_cast<int*>(value);
}

int count_on_two_streams(int value) {
  int least = 0, greatest = 0;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStream_t first, second;
  cudaStreamCreateWithPriority(&first, cudaStreamDefault, greatest);
  cudaStreamCreate(&second);
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  int *device, *pinned;
  cudaMalloc(&device, sizeof(int));
  cudaMallocHost(&pinned, sizeof(int));
  cudaMemcpyAsync(device, &value, sizeof(int), cudaMemcpyHostToDevice, first);
  cudaEventRecord(event, first);
  cudaStreamWaitEvent(second, event, 0);
  add_kernel<<<1, 1, 0, second>>>(device, device, 0);
  cudaMemcpyAsync(pinned, device, sizeof(int), cudaMemcpyDefault, second);
  cudaLaunchHostFunc(second, increment, pinned);
  cudaStreamSynchronize(second);
  const int result = cudaStreamQuery(second) == cudaSuccess ? *pinned : -1;
  cudaFree(device);
  cudaFreeHost(pinned);
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return result;
}

void scale_too_far(float* x, int n) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  reach_too_far_kernel<<<1, 1, 0, stream>>>(x, n);
  cudaStreamDestroy(stream);
}

cudaError_t add_by_pointers(const int* in, int* out, int by, bool with_config) {
  void* arguments[] = {&in, &out, &by};
  if (!with_config) {
    return cudaLaunchKernel((void*)add_kernel, dim3(1), dim3(8), arguments, 0, nullptr);
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(8);
  return cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(add_kernel), arguments);
}

cudaError_t add_by_address(const void* kernel, void** arguments) {
  return cudaLaunchKernel(kernel, dim3(1), dim3(8), arguments, 0, nullptr);
}

const void* kernel_address() {
  return reinterpret_cast<const void*>(add_kernel);
}

}  // namespace runtime
