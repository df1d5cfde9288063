// cudaLaunchKernel() and cudaLaunchKernelExC(): launches by an array of pointers to the arguments. simt_rewrite drops a
// cast to void* in front of the kernel, so that its parameters are known here.
#pragma once
#include <cstddef>
#include <utility>

#include "simt/shim/launch_attributes.h"

namespace simt {

template <typename... Params, size_t... Numbers>
SIMT_UNCHECKED cudaError_t launch_by_pointers(const Launcher<Params...>& launcher, void** arguments,
                                              std::index_sequence<Numbers...>) {
  static_cast<void>(arguments);  // unused if the kernel has no parameters
  return launcher(*static_cast<std::remove_reference_t<Params>*>(arguments[Numbers])...);
}

}  // namespace simt

template <typename... Params>
SIMT_UNCHECKED cudaError_t cudaLaunchKernel(void (*kernel)(Params...), dim3 grid, dim3 block,
                                            void** arguments, size_t shared = 0,
                                            cudaStream_t stream = nullptr) {
  return simt::launch_by_pointers(simt::configure(kernel, grid, block, shared, stream), arguments,
                                  std::index_sequence_for<Params...>());
}
// For a pointer to a kernel with unknown parameters.
inline cudaError_t cudaLaunchKernel(const void* kernel, dim3, dim3, void**, size_t = 0,
                                    cudaStream_t = nullptr) {
  return simt::refuse_unknown_kernel("cudaLaunchKernel", kernel);
}

template <typename... Params>
SIMT_UNCHECKED cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config,
                                               void (*kernel)(Params...), void** arguments) {
  simt::Launcher<Params...> launcher{{}, kernel};
  const cudaError_t status =
      simt::read_config(config, reinterpret_cast<const void*>(kernel), &launcher.config);
  return status != cudaSuccess
             ? status
             : simt::launch_by_pointers(launcher, arguments, std::index_sequence_for<Params...>());
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void* kernel, void**) {
  return simt::refuse_unknown_kernel("cudaLaunchKernelExC", kernel);
}
