// Lists of function and class names, by the side that may use them: host or device.
#pragma once
#include <string>

namespace simt {

// CUDA API functions that kernels may call, and names that CUDA overloads for kernels.
bool is_callable_from_kernels(const std::string& name);
// Functions of C and of the CUDA API that have no device version.
bool is_host_only(const std::string& name);
// Functions that only kernels may call.
bool is_device_only(const std::string& name);
// Names in std:: that kernels may use: mathematics, casts, and compile-time functions.
bool is_std_for_kernels(const std::string& name);
// Algorithms of std:: that a program may call without std:: after a `using`.
bool is_algorithm(const std::string& name);
// Those of them that are constexpr.
bool is_constexpr_algorithm(const std::string& name);
// Classes and objects of std:: that kernels cannot use.
bool is_host_object(const std::string& name);

}  // namespace simt
