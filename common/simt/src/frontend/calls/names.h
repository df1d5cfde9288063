// Functions and classes whose names say for what they are.
#pragma once
#include <string>

namespace simt {

// Functions of CUDA's API that kernels may call, and names that CUDA overloads for kernels.
bool is_for_devices(const std::string& name);
// Functions of C and of CUDA's API for which there is none on the device.
bool is_of_hosts(const std::string& name);
// Functions that only kernels may call.
bool is_of_devices(const std::string& name);
// What std:: has for kernels, too: mathematics, casts, and what only the compiler computes.
bool is_std_for_devices(const std::string& name);
// Algorithms of std:: that one calls without std:: behind a `using`.
bool is_algorithm(const std::string& name);
// Classes and objects of std:: that kernels cannot use.
bool is_host_object(const std::string& name);

}  // namespace simt
