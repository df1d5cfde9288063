// cudaLaunchCooperativeKernel(): launches whose blocks can wait for each other. simt_rewrite drops a cast to void* in
// front of the kernel, so that its parameters are known here.
#pragma once
#include <cstddef>
#include <cstdio>
#include <type_traits>
#include <utility>

#include "simt/shim/launch.h"

namespace simt {

template <typename... Params, size_t... Numbers>
SIMT_UNCHECKED cudaError_t launch_cooperative(const Launcher<Params...>& launcher, void** arguments,
                                              std::index_sequence<Numbers...>) {
  static_cast<void>(arguments);  // unused if the kernel has no parameters
  return launcher(*static_cast<std::remove_reference_t<Params>*>(arguments[Numbers])...);
}

}  // namespace simt

template <typename... Params>
SIMT_UNCHECKED cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Params...), dim3 grid,
                                                       dim3 block, void** arguments,
                                                       size_t shared = 0,
                                                       cudaStream_t stream = nullptr) {
  auto launcher = simt::configure(kernel, grid, block, shared, stream);
  launcher.config.cooperative = true;
  return simt::launch_cooperative(launcher, arguments, std::index_sequence_for<Params...>());
}
// For a pointer to a kernel with unknown parameters.
inline cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t = 0,
                                               cudaStream_t = nullptr) {
  std::fputs(
      "cudaLaunchCooperativeKernel(): the CPU backend must be given the kernel itself: a pointer "
      "to "
      "void does not tell its parameters\n",
      stderr);
  return cudaErrorNotSupported;
}
