// Kernel launches. simtcc turns kernel<<<grid, block, shared, stream>>>(args) into these calls.
#pragma once
#include <cstddef>
#include <type_traits>

#include "simt/api/launch_config.h"
#include "simt/api/qualifiers.h"
#include "simt/api/settings.h"
#include "simt/api/threads.h"

namespace simt {

template <typename T>
SIMT_UNCHECKED inline void check_argument(LaunchConfig& config, const T& argument) {
  if constexpr (std::is_pointer_v<T>) {
    const void* const address = (const void*)argument;
    config.wrong_argument = is_device_variable(address) ? address : config.wrong_argument;
  }
}

// Adds the launch to the graph that its stream captures. The body holds the arguments.
template <typename Body>
SIMT_UNCHECKED cudaError_t capture(const LaunchConfig& config, Body body) {
  return capture_launch(
      config, [](void* self) SIMT_UNCHECKED { (*static_cast<Body*>(self))(); },
      new Body(static_cast<Body&&>(body)), [](void* self) { delete static_cast<Body*>(self); });
}

// A thread's own copy of an argument, byte by byte: a GPU gets no other, and calls no copy constructor or destructor.
template <typename T>
struct Bytes {
  alignas(T) char bytes[sizeof(T)];
  SIMT_UNCHECKED explicit Bytes(const T& value) {
    __builtin_memcpy(bytes, static_cast<const void*>(&value), sizeof(T));
  }
  SIMT_UNCHECKED operator T&() { return *reinterpret_cast<T*>(bytes); }
};
// What the compiler passes for a parameter: the address of a copy, if the class has such functions.
template <typename T>
constexpr bool kByAddress = std::is_class_v<T> && !(std::is_trivially_copy_constructible_v<T> &&
                                                    std::is_trivially_destructible_v<T>);
template <typename T>
using Passed = std::conditional_t<kByAddress<T>, T&, T>;
template <typename T>
using Copied = std::conditional_t<kByAddress<T>, Bytes<T>, T>;

template <typename... Params, typename Call>
SIMT_UNCHECKED void call_with(const Call& call, Copied<Params>... own) {
  call(static_cast<Params&>(own)...);
}

// What a graph keeps of an argument: a copy. A reference stays one.
template <typename T>
struct Kept {
  T value;
};
template <typename Call, typename... Params>
SIMT_UNCHECKED cudaError_t capture_call(const LaunchConfig& config, Call call,
                                        Kept<Params>... kept) {
  // Not mutable: clang expects that keyword after the attribute, g++ before it.
  return capture(config, [call, kept...]() SIMT_UNCHECKED {
    call_with<Params...>(call, static_cast<Copied<Params>>(const_cast<Params&>(kept.value))...);
  });
}

// Launches call(args...) in threads, each with its own copies. Parameters that are references name the object itself.
template <typename... Params, typename Call>
SIMT_UNCHECKED cudaError_t launch_call(LaunchConfig config, Call call, Params&... args) {
  auto body = [&]() SIMT_UNCHECKED {
    call_with<Params...>(call, static_cast<Copied<Params>>(args)...);
  };
  (check_argument(config, args), ...);
  if (is_captured(config.stream)) return capture_call(config, call, Kept<Params>{args}...);
  return launch(
      config, [](void* self) SIMT_UNCHECKED { (*static_cast<decltype(body)*>(self))(); }, &body);
}

template <typename... Params>
struct Launcher {
  LaunchConfig config;
  void (*kernel)(Params...);

  SIMT_UNCHECKED cudaError_t operator()(Params... args) const {
    return launch_call<Params...>(config, reinterpret_cast<void (*)(Passed<Params>...)>(kernel),
                                  args...);
  }
};

template <typename Call>
struct CallLauncher {
  LaunchConfig config;
  Call call;

  template <typename... Args>
  SIMT_UNCHECKED void operator()(Args... args) const {
    launch_call<Args...>(config, call, args...);
  }
};

// For a kernel with parameters that are references. Which ones is unknown, so a graph keeps copies.
template <typename Call>
struct ReferenceLauncher {
  LaunchConfig config;
  Call call;

  template <typename... Args>
  SIMT_UNCHECKED void operator()(Args&&... args) const {
    if (is_captured(config.stream)) return CallLauncher<Call>{config, call}(args...);
    launch_call<Args&...>(config, call, args...);
  }
};

// For a kernel with default arguments. A launch gives the first parameters, `Given`, and perhaps some of `Rest`. It
// converts them to their types. call(args...) adds the others.
template <typename... Params>
struct Types {};
template <typename Call, typename Given, typename... Rest>
struct PartialLauncher;
template <typename Call, typename... Params>
struct PartialLauncher<Call, Types<Params...>> : Launcher<Params...> {
  PartialLauncher(const Launcher<Params...>& launcher, Call c)
      : Launcher<Params...>(launcher), call(c) {}
  using Launcher<Params...>::operator();
  Call call;
};
template <typename Call, typename... Given, typename Next, typename... Rest>
struct PartialLauncher<Call, Types<Given...>, Next, Rest...>
    : PartialLauncher<Call, Types<Given..., Next>, Rest...> {
  using Base = PartialLauncher<Call, Types<Given..., Next>, Rest...>;
  using Base::Base;
  using Base::operator();
  SIMT_UNCHECKED cudaError_t operator()(Given... args) const {
    return launch_call<Given...>(this->config, this->call, args...);
  }
};

template <typename... Params>
Launcher<Params...> configure(void (*kernel)(Params...), dim3 grid, dim3 block, size_t shared = 0,
                              cudaStream_t stream = nullptr) {
  return {{grid, block, shared, stream, reinterpret_cast<const void*>(kernel), nullptr}, kernel};
}

template <typename Call, typename... Params>
PartialLauncher<Call, Types<>, Params...> configure_partial(void (*kernel)(Params...), Call call,
                                                            dim3 grid, dim3 block,
                                                            size_t shared = 0,
                                                            cudaStream_t stream = nullptr) {
  return {configure(kernel, grid, block, shared, stream), call};
}

// For a kernel template whose arguments are deduced: call(args...) calls it.
template <typename Call>
CallLauncher<Call> configure_call(const char* name, Call call, dim3 grid, dim3 block,
                                  size_t shared = 0, cudaStream_t stream = nullptr) {
  return {{grid, block, shared, stream, nullptr, name}, call};
}
template <typename Call>
ReferenceLauncher<Call> configure_references(const char* name, Call call, dim3 grid, dim3 block,
                                             size_t shared = 0, cudaStream_t stream = nullptr) {
  return {{grid, block, shared, stream, nullptr, name}, call};
}

// Stands for `extern __shared__ T name[]`.
template <typename T>
SIMT_UNCHECKED inline T* dynamic_shared_as(size_t alignment = alignof(T)) {
  return static_cast<T*>(dynamic_shared(alignment));
}

}  // namespace simt

// Allows a kernel more dynamic shared memory than 48 KB, up to the device's limit of 227 KB.
template <typename... Params>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Params...), cudaFuncAttribute attribute,
                                 int value) {
  return simt::set_attribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
inline cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute,
                                        int value) {
  return simt::set_attribute(kernel, attribute, value);
}

// A kernel's attributes. The versions are __CUDA_ARCH__ of the calling file, else 90. Registers are 0, because the
// backend does not know them.
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes,
                                                const void* kernel) {
#ifdef __CUDA_ARCH__
  const int version = __CUDA_ARCH__ / 10;
#else
  const int version = 90;
#endif
  return simt::get_attributes(attributes, kernel, version);
}
template <typename... Params>
static cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes,
                                         void (*kernel)(Params...)) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}

// Hints without an effect.
template <typename Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel* kernel, cudaFuncCache) {
  return simt::check_kernel_pointer((const void*)kernel);
}
template <typename Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel* kernel, cudaSharedMemConfig) {
  return simt::check_kernel_pointer((const void*)kernel);
}
