// cudaLaunchKernelEx(): launches with attributes, and kernels that begin before the one ahead has ended.
#pragma once
#include <utility>

#include "simt/shim/launch.h"

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
