// cudaLaunchKernel() and the like: launches by an array of pointers to the arguments. simtcc turns (void*)kernel into
// kernel_pointer(kernel), so that the backend knows the kernel's parameters.
#pragma once
#include <cstddef>
#include <utility>

#include "simt/shim/launch_attributes.h"

namespace simt {

// What an array of arguments points to: the argument, or the address of a reference's object.
template <typename T>
using InArray = std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*, T>;
template <typename T>
SIMT_UNCHECKED T& argument_at(void* place) {
  if constexpr (std::is_reference_v<T>) {
    return **static_cast<InArray<T>*>(place);
  } else {
    return *static_cast<T*>(place);
  }
}

template <typename... Params, size_t... Numbers>
SIMT_UNCHECKED cudaError_t launch_by_pointers(const Launcher<Params...>& launcher, void** arguments,
                                              std::index_sequence<Numbers...>) {
  static_cast<void>(arguments);  // unused if the kernel has no parameters
  return launcher(argument_at<Params>(arguments[Numbers])...);
}

template <typename... Params>
SIMT_UNCHECKED void* kernel_pointer(void (*kernel)(Params...)) {
  static constexpr size_t sizes[] = {sizeof(InArray<Params>)..., 0};
  add_kernel(reinterpret_cast<const void*>(kernel),
             {sizeof...(Params), sizes, [](const LaunchConfig& config, void** arguments) {
                const auto known =
                    reinterpret_cast<void (*)(Params...)>(const_cast<void*>(config.kernel));
                return launch_by_pointers(Launcher<Params...>{config, known}, arguments,
                                          std::index_sequence_for<Params...>());
              }});
  return reinterpret_cast<void*>(kernel);
}
template <typename T>
void* kernel_pointer(T* pointer) {
  return (void*)pointer;
}

}  // namespace simt

template <typename... Params>
SIMT_UNCHECKED cudaError_t cudaLaunchKernel(void (*kernel)(Params...), dim3 grid, dim3 block,
                                            void** arguments, size_t shared = 0,
                                            cudaStream_t stream = nullptr) {
  return simt::launch_by_pointers(simt::configure(kernel, grid, block, shared, stream), arguments,
                                  std::index_sequence_for<Params...>());
}
inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared = 0, cudaStream_t stream = nullptr) {
  return simt::launch_pointer("cudaLaunchKernel", {grid, block, shared, stream, kernel, nullptr},
                              arguments);
}

// All blocks can wait for each other.
inline cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block,
                                               void** arguments, size_t shared = 0,
                                               cudaStream_t stream = nullptr) {
  simt::LaunchConfig config = {grid, block, shared, stream, kernel, nullptr};
  config.cooperative = true;
  return simt::launch_pointer("cudaLaunchCooperativeKernel", config, arguments);
}
template <typename... Params>
SIMT_UNCHECKED cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Params...), dim3 grid,
                                                       dim3 block, void** arguments,
                                                       size_t shared = 0,
                                                       cudaStream_t stream = nullptr) {
  return cudaLaunchCooperativeKernel(simt::kernel_pointer(kernel), grid, block, arguments, shared,
                                     stream);
}

inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                       void** arguments) {
  simt::LaunchConfig read{};
  const cudaError_t status = simt::read_config(config, kernel, &read);
  return status != cudaSuccess ? status
                               : simt::launch_pointer("cudaLaunchKernelExC", read, arguments);
}
template <typename... Params>
SIMT_UNCHECKED cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config,
                                               void (*kernel)(Params...), void** arguments) {
  return cudaLaunchKernelExC(config, simt::kernel_pointer(kernel), arguments);
}
