// The one device that there is, and its properties.
#pragma once
#include <cstddef>

#include "simt/api/errors.h"

struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
  size_t reservedSharedMemPerBlock;
  int regsPerBlock, regsPerMultiprocessor;
  int warpSize;
  int maxThreadsPerBlock, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
  int maxThreadsDim[3], maxGridSize[3];
  int major, minor;
  int multiProcessorCount;
  int memoryBusWidth, l2CacheSize;
  int integrated, concurrentKernels, unifiedAddressing, managedMemory, ECCEnabled;
};

// Numbers as in CUDA's driver_types.h.
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

namespace simt {
// The device has at least this compute capability, as in 90. For files that are compiled for it.
int claim_capability(int needed);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
inline const int claimed_capability = claim_capability(__CUDA_ARCH__ / 10);
#endif
}  // namespace simt

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
// 0 for what a CPU has not: clocks, bus width, registers.
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
// cudaErrorLaunchFailure once after a launch in which the checks found an error.
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
