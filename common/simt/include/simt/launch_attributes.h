// cudaLaunchKernelEx(): launches with attributes, and kernels that begin before the one ahead has ended.
#pragma once
#include <cstddef>
#include <utility>

#include "simt/launch.h"

// Numbers as in CUDA's driver_types.h.
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8
};

union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  struct {
    unsigned x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
};

struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

namespace simt {
// What <<<>>> would say of this launch. cudaErrorNotSupported for any attribute but the one of programmatic
// stream serialization, cudaErrorInvalidValue for a null pointer.
cudaError_t read_config(const cudaLaunchConfig_t* config, const void* kernel, LaunchConfig* out);
void wait_for_launch();
}  // namespace simt

// kernel<<<gridDim, blockDim, dynamicSmemBytes, stream>>>(args...) with attributes.
template <typename... ExpTypes, typename... ActTypes>
SIMT_UNCHECKED cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                              void (*kernel)(ExpTypes...), ActTypes&&... args) {
  simt::Launcher<ExpTypes...> launcher{{}, kernel};
  const cudaError_t status =
      simt::read_config(config, reinterpret_cast<const void*>(kernel), &launcher.config);
  return status != cudaSuccess ? status : launcher(std::forward<ActTypes>(args)...);
}

// In a kernel: waits until the launch ahead has ended, and what it wrote is there. Here it has; but a kernel
// that was launched to begin early, and touches global memory before this, is reported.
__forceinline__ void cudaGridDependencySynchronize() {
  simt::wait_for_launch();
}
// In a kernel: the next launch may begin when all blocks have called this or ended.
__forceinline__ void cudaTriggerProgrammaticLaunchCompletion() {}
