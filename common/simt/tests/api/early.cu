// Launches with attributes. ERROR marks lines that must be reported.
#include <cuda_pipeline.h>

#include "tests/api/early.h"

namespace api {

enum Bug { NONE, ONE_WAITS, NEVER, READS, WRITES, ADDS, COPIES, NO_BARRIER, OTHER_WARP };

template <Bug BUG>
__global__ void early_kernel(const float* from, float* to) {
  __shared__ float s[THREADS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  s[t] = 1;
  cudaTriggerProgrammaticLaunchCompletion();
  if (BUG == READS && t == 70) {
    s[t] = from[i];  // ERROR reads
  }
  if (BUG == WRITES && t == 70) {
    to[i] = 2;  // ERROR writes
  }
  if (BUG == ADDS && t == 70) {
    atomicAdd(&to[i], 2.0f);  // ERROR adds
  }
  if (BUG == COPIES && t == 70) {
    __pipeline_memcpy_async(&s[t], &from[i], 4);  // ERROR copies
    __pipeline_wait_prior(0);
  }
  const bool one = BUG == ONE_WAITS || BUG == NO_BARRIER;
  if (BUG != NEVER && (!one || t == 0) && (BUG != OTHER_WARP || t % 32 == 0)) {
    cudaGridDependencySynchronize();
  }
  if (BUG == OTHER_WARP && t < 32) {
    __syncwarp();
  }
  if (BUG == ONE_WAITS) {
    __syncthreads();
  }
  to[i] = from[i] + 1;  // ERROR all
}

template <typename... Parameters, typename... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, int bytes, bool allowed,
                   Arguments... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = allowed;
  cudaLaunchConfig_t config{grid, block, size_t(bytes), 0, &early, 1};
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

template <Bug BUG>
cudaError_t run(bool early, const float* from, float* to) {
  return launch(early_kernel<BUG>, BLOCKS, THREADS, 0, early, from, to);
}

const Early waits = run<NONE>;
const Early one_waits = run<ONE_WAITS>;
const Early never_waits = run<NEVER>;
const Early reads_early = run<READS>;
const Early writes_early = run<WRITES>;
const Early adds_early = run<ADDS>;
const Early copies_early = run<COPIES>;
const Early no_barrier = run<NO_BARRIER>;
const Early other_warp = run<OTHER_WARP>;

__global__ void __launch_bounds__(64) sum_kernel(float* to, int64_t n, float by) {
  extern __shared__ float dynamic[];
  dynamic[threadIdx.x] = by;
  if (threadIdx.x < n) {
    to[threadIdx.x] += dynamic[threadIdx.x];
  }
}

cudaError_t sum(const cudaLaunchConfig_t* config, float* to) {
  return cudaLaunchKernelEx(config, sum_kernel, to, 3, 2);  // ints become int64_t and float
}

}  // namespace api
