// What programs ask of a device and of kernels, with the headers and macros that they bring along.
#pragma once
#include <cuda_runtime.h>

#include <string>

namespace runtime {

// What a program prints of the device.
std::string describe_device();
// How many attributes of the device differ from its properties.
int compare_attributes();

struct Occupancy {
  int blocks, with_flags, grid, block, limited, variable, clusters;
  size_t dynamic;
};
// Of a kernel with 4 KB of static shared memory and 96 threads at most, or of one with neither.
Occupancy occupancy_of(bool bounded, int threads, size_t dynamic);
// Hints, limits and versions as programs set and ask for them; the name of the first call's error that fails.
std::string prepare_device();
// The line and the text of a macro that checks calls, for one that fails.
std::string check_failing_call();
// A kernel's attributes, by its address without a type.
cudaError_t attributes_of(cudaFuncAttributes* attributes);

}  // namespace runtime
