// Where pointers point to: shared memory, global memory, constants, a thread's own variables.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kThreads = 32;

__device__ int in_device;
__constant__ int in_constant;

__device__ int kind_of(const void* pointer) {
  return __isShared(pointer) ? 1 : __isGlobal(pointer) ? 2 : __isConstant(pointer) ? 4 : 3;
}
__device__ bool is_local(const void* pointer) {
  int is;
  asm("{ .reg .pred p, q; isspacep.local p, %1; isspacep.const q, %1; and.pred p, p, !q;"
      " selp.s32 %0, 1, 0, p; }"
      : "=r"(is)
      : "l"(pointer));
  return is != 0 && __isLocal(pointer);
}

__global__ void __maxnreg__(64) kinds(int* out, half* least) {
  __shared__ int shared[kThreads];
  int own = 0;
  shared[threadIdx.x] = kind_of(out);
  __syncthreads();
  const int other = shared[kThreads - 1 - threadIdx.x];
  void* const again = __cvta_global_to_generic(__cvta_generic_to_global(out));
  static_cast<int*>(again)[threadIdx.x] = kind_of(shared) * 100 + other * 10 + kind_of(&own);
  if (kind_of(&in_device) != 2 || kind_of(&in_constant) != 4) out[threadIdx.x] = 1;
  if (!is_local(&own) || is_local(&in_constant) || is_local(shared) || is_local(out)) {
    out[threadIdx.x] = 2;
  }
  least[threadIdx.x] = __hmin(CUDART_INF_FP16, CUDART_ONE_FP16);
}

int main() {
  int *out, host[kThreads], wrong = 0;
  half *least, numbers[kThreads];
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&least, sizeof numbers);
  kinds<<<1, kThreads>>>(out, least);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(numbers, least, sizeof numbers, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads; ++i) wrong += host[i] != 123 || __half2float(numbers[i]) != 1;
  std::printf("%d wrong kinds\n", wrong);
  cudaFree(out);
  cudaFree(least);
  return wrong != 0;
}

// BUG no_barrier
// - __syncthreads();
// +
// ! shared
// @ const int other = shared[kThreads - 1 - threadIdx.x];
