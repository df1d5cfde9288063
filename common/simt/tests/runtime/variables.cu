#include <cuda_pipeline.h>

#include "tests/runtime/variables.h"

namespace runtime {

#if defined(GEMM_LADDER_CPU) || defined(__CUDACC_RDC__)
extern __constant__ float coefficients[4];  // as a header has it, with -rdc=true
#endif
__constant__ float coefficients[4];
__constant__ static int shift_by = 1;
__device__ int positive;
__device__ int table[8], unused, *pointer_to_table = nullptr;
static __device__ __align__(16) float4 vectors[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
__device__ const float halves[2] = {0.5f, 1.5f};
__constant__ const int answer = 42;
constexpr __device__ float third = 3;
struct Settings {
  int scale;
  float bias;
};
__constant__ Settings settings = {2, 0.25f};
__device__ __managed__ int managed[16];
__managed__ int managed_sum{7};
namespace {
volatile __device__ int flag = 9;
}

__device__ float evaluate_at(float x) {
  float y = 0;
  for (int i = 3; i >= 0; --i) y = y * x + coefficients[i];
  return y;
}

__global__ void evaluate_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = evaluate_at(x[i]);
}

void evaluate(const float (&values)[4], const float* x, float* y, int n) {
  cudaMemcpyToSymbol(coefficients, values, sizeof(values));
  evaluate_kernel<<<(n + 63) / 64, 64>>>(x, y, n);
}

__global__ void count_kernel(const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) atomicAdd(&positive, 1);
}

int count_positive(const int* x, int n) {
  int count = 0;
  count_kernel<<<(n + 31) / 32, 32>>>(x, n);
  cudaMemcpyFromSymbol(&count, positive, sizeof(count));
  const int zero = 0;
  cudaMemcpyToSymbol(positive, &zero, sizeof(zero));
  return count;
}

__global__ void shift_kernel() {
  const int value = table[(threadIdx.x + shift_by) % 8];
  __syncthreads();
  table[threadIdx.x] = value;
}

void shift_table(const int (&values)[8], int (&last)[5]) {
  const int by = 2;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyToSymbolAsync(table, values, sizeof(values), 0, cudaMemcpyHostToDevice, stream);
  cudaMemcpyToSymbolAsync(shift_by, &by, sizeof(by), 0, cudaMemcpyHostToDevice, stream);
  shift_kernel<<<1, 8, 0, stream>>>();
  cudaMemcpyFromSymbolAsync(last, table, sizeof(last), 3 * sizeof(int), cudaMemcpyDeviceToHost,
                            stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

__global__ void sum_managed_kernel(int n) {
  managed_sum = 0;
  for (int i = 0; i < n; ++i) managed_sum += managed[i];
}

int sum_managed(int count) {
  if (managed_sum != 7) return -1;
  for (int i = 0; i < count; ++i) managed[i] = i;
  sum_managed_kernel<<<1, 1>>>(count);
  cudaDeviceSynchronize();
  const int sum = managed_sum;
  managed_sum = 7;
  return sum;
}

__global__ void initial_kernel(float* out) {
  out[0] = float(unused + flag);
  const float4 last = vectors[1];
  out[1] = last.x + last.w;
  out[2] = halves[1];
  out[3] = float(answer) + third;
  out[4] = float(settings.scale) + settings.bias;
  pointer_to_table = table + 1;
  pointer_to_table[0] = 11;
  out[5] = float(table[1]);
}

void initial_values(float (&values)[6]) {
  float* out;
  cudaMalloc(&out, sizeof(values));
  initial_kernel<<<1, 1>>>(out);
  cudaMemcpy(values, out, sizeof(values), cudaMemcpyDeviceToHost);
  cudaFree(out);
}

cudaError_t find_table(void** address, size_t* bytes) {
  const cudaError_t status = cudaGetSymbolSize(bytes, table);
  return status != cudaSuccess ? status : cudaGetSymbolAddress(address, table);
}

__global__ void sum_kernel(const int* x, int* sum) {
  for (int i = 0; i < 8; ++i) *sum += x[i];
}

int sum_by_address() {
  int *address, *sum, result = 0;
  cudaGetSymbolAddress((void**)&address, table);
  cudaGetSymbolAddress((void**)&sum, positive);
  sum_kernel<<<1, 1>>>(address, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemset(sum, 0, sizeof(int));
  return result;
}

__global__ void copy_async_kernel(int* out) {
  __shared__ int copy[8];
  __pipeline_memcpy_async(&copy[threadIdx.x], &table[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = copy[threadIdx.x];
}

void copy_table_async(int* out) {
  copy_async_kernel<<<1, 8>>>(out);
}

__global__ void race_kernel() {
  table[threadIdx.x] = table[(threadIdx.x + 1) % 8];
}

void race_in_table() {
  race_kernel<<<1, 8>>>();
}

__global__ void take_address_kernel() {
  pointer_to_table = table;
}

__global__ void beyond_kernel(int i) {
  pointer_to_table[i] = 1;
}

__global__ void visibly_beyond_kernel(int by) {
  int* const last = table + 7;
  last[by] = 1;
}

void go_beyond_table(int by, bool visibly) {
  take_address_kernel<<<1, 1>>>();
  if (visibly) {
    visibly_beyond_kernel<<<1, 1>>>(by);
  } else {
    beyond_kernel<<<1, 1>>>(7 + by);
  }
}

__global__ void beyond_constants_kernel(int by, float* out) {
  out[0] = coefficients[by];
}

void go_beyond_constants(int by, float* out) {
  beyond_constants_kernel<<<1, 1>>>(by, out);
}

__global__ void write_constants_kernel() {
  coefficients[2] = 1;
}

void write_constants() {
  write_constants_kernel<<<1, 1>>>();
}

__global__ void conflict_kernel() {
  positive = int(blockIdx.x) + positive;
}

void conflict_of_blocks() {
  conflict_kernel<<<4, 1>>>();
}

__global__ void read_kernel(const int* from, int* to) {
  *to = *from;
}

cudaError_t pass_host_address(int* out) {
  read_kernel<<<1, 1>>>(&table[0], out);
  return cudaGetLastError();
}

int read_on_host() {
  return table[3];
}

}  // namespace runtime
