// Kernel launches: their configuration, and what the backend does with them.
#pragma once
#include <cstddef>

#include "simt/api/dim3.h"
#include "simt/api/errors.h"
#include "simt/api/events.h"

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15
};

// What the compiler knows of a kernel. A version is that of a compute capability, as in 90.
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
  int cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

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

struct LaunchConfig {
  dim3 grid, block;
  size_t dynamic_shared;  // bytes per block
  cudaStream_t stream;
  const void* kernel;  // its address, or null where the compiler deduced its template arguments
  const char* name;  // its name, where kernel is null
  bool early = false;  // may begin before the launch ahead of it has ended
  dim3 cluster{};  // blocks that are one cluster
  // An argument that is the host's address of a variable in device memory: no address for a kernel.
  const void* wrong_argument = nullptr;
  bool cooperative = false;  // all blocks are there at the same time, and can wait for each other
};

// Runs thread(arguments) once per thread of the grid and returns when all are done. What is wrong
// with the configuration or was found by the checks is the next cudaGetLastError(). Returns what is wrong with
// the configuration.
cudaError_t launch(LaunchConfig config, void (*thread)(void*), void* arguments);

// Whether the program has a variable of __device__ or __constant__ there.
bool is_device_variable(const void* address);

cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value);
// version: what the kernel's file is compiled for.
cudaError_t get_attributes(cudaFuncAttributes* attributes, const void* kernel, int version);
// cudaErrorInvalidDeviceFunction for a null pointer.
cudaError_t check_kernel_pointer(const void* kernel);
// For a launch by a pointer whose type says nothing of the kernel's parameters: says so on stderr.
cudaError_t refuse_unknown_kernel(const char* function, const void* kernel);
// What <<<>>> would say of this launch. cudaErrorNotSupported for any attribute but clusters and programmatic
// stream serialization, cudaErrorInvalidValue for a null pointer.
cudaError_t read_config(const cudaLaunchConfig_t* config, const void* kernel, LaunchConfig* out);

}  // namespace simt
