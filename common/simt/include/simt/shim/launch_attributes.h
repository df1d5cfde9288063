// cudaLaunchKernelEx(): launches with attributes, and programmatic dependent launches (PDL).
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

// In a kernel: waits until the previous launch has ended and its writes are visible. Here it has always ended. The
// checks report a PDL kernel that touches global memory before this call.
__forceinline__ void cudaGridDependencySynchronize() {
  simt::wait_for_launch();
}
// In a kernel: the next launch may begin when all blocks have called this or exited.
__forceinline__ void cudaTriggerProgrammaticLaunchCompletion() {}
