// The device and its properties.
#pragma once
#include <cstddef>

#include "simt/api/errors.h"

struct CUuuid_st {
  char bytes[16];
};
typedef CUuuid_st cudaUUID_t;

// 0 for properties that a CPU lacks: clocks, textures, a bus. Members that CUDA 13 has removed stand at the end.
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem;
  size_t sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
  size_t reservedSharedMemPerBlock;
  int regsPerBlock, regsPerMultiprocessor;
  int warpSize;
  size_t memPitch, totalConstMem, textureAlignment, texturePitchAlignment, surfaceAlignment;
  int maxThreadsPerBlock, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
  int maxThreadsDim[3], maxGridSize[3];
  int major, minor;
  int multiProcessorCount;
  int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, accessPolicyMaxWindowSize;
  int integrated, concurrentKernels, unifiedAddressing, managedMemory, ECCEnabled;
  int pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, canMapHostMemory;
  int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  int isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
  int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, cooperativeLaunch;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
  int hostRegisterSupported, hostRegisterReadOnlySupported, memoryPoolsSupported;
  int gpuDirectRDMASupported, clusterLaunch, unifiedFunctionPointers, ipcEventSupported;
  int maxTexture1D, maxTexture2D[2], maxTexture3D[3];
  int maxTexture1DLayered[2], maxTexture2DLayered[3];
  int maxTexture1DMipmap, maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
  int maxTexture3DAlt[3], maxTextureCubemap, maxTextureCubemapLayered[2];
  int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2];
  int maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  int sparseCudaArraySupported, deferredMappingCudaArraySupported;
  int timelineSemaphoreInteropSupported, gpuDirectRDMAWritesOrdering;
  unsigned gpuDirectRDMAFlushWritesOptions, memoryPoolSupportedHandleTypes;
  int deviceNumaConfig, deviceNumaId, hostNumaId, hostNumaMultinodeIpcSupported, mpsEnabled;
  unsigned gpuPciDeviceID, gpuPciSubsystemID;
  int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode;
  int cooperativeMultiDeviceLaunch, singleToDoublePrecisionPerfRatio;
};

enum cudaComputeMode {
  cudaComputeModeDefault = 0,
  cudaComputeModeExclusive = 1,
  cudaComputeModeProhibited = 2,
  cudaComputeModeExclusiveProcess = 3
};

// Numbers as in CUDA's driver_types.h.
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxPitch = 11,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrTextureAlignment = 14,
  cudaDevAttrGpuOverlap = 15,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrKernelExecTimeout = 17,
  cudaDevAttrIntegrated = 18,
  cudaDevAttrCanMapHostMemory = 19,
  cudaDevAttrComputeMode = 20,
  cudaDevAttrMaxTexture1DWidth = 21,
  cudaDevAttrMaxTexture2DWidth = 22,
  cudaDevAttrMaxTexture2DHeight = 23,
  cudaDevAttrMaxTexture3DWidth = 24,
  cudaDevAttrMaxTexture3DHeight = 25,
  cudaDevAttrMaxTexture3DDepth = 26,
  cudaDevAttrSurfaceAlignment = 30,
  cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrEccEnabled = 32,
  cudaDevAttrPciBusId = 33,
  cudaDevAttrPciDeviceId = 34,
  cudaDevAttrTccDriver = 35,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrAsyncEngineCount = 40,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrPciDomainId = 50,
  cudaDevAttrTexturePitchAlignment = 51,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrStreamPrioritiesSupported = 78,
  cudaDevAttrGlobalL1CacheSupported = 79,
  cudaDevAttrLocalL1CacheSupported = 80,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrIsMultiGpuBoard = 84,
  cudaDevAttrMultiGpuBoardGroupID = 85,
  cudaDevAttrHostNativeAtomicSupported = 86,
  cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
  cudaDevAttrPageableMemoryAccess = 88,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrComputePreemptionSupported = 90,
  cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrCooperativeMultiDeviceLaunch = 96,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrCanFlushRemoteWrites = 98,
  cudaDevAttrHostRegisterSupported = 99,
  cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
  cudaDevAttrDirectManagedMemAccessFromHost = 101,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrMaxPersistingL2CacheSize = 108,
  cudaDevAttrMaxAccessPolicyWindowSize = 109,
  cudaDevAttrReservedSharedMemoryPerBlock = 111,
  cudaDevAttrSparseCudaArraySupported = 112,
  cudaDevAttrHostRegisterReadOnlySupported = 113,
  cudaDevAttrTimelineSemaphoreInteropSupported = 114,
  cudaDevAttrMemoryPoolsSupported = 115,
  cudaDevAttrGPUDirectRDMASupported = 116,
  cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117,
  cudaDevAttrGPUDirectRDMAWritesOrdering = 118,
  cudaDevAttrMemoryPoolSupportedHandleTypes = 119,
  cudaDevAttrClusterLaunch = 120,
  cudaDevAttrDeferredMappingCudaArraySupported = 121,
  cudaDevAttrIpcEventSupport = 125,
  cudaDevAttrMemSyncDomainCount = 126,
  cudaDevAttrNumaConfig = 130,
  cudaDevAttrNumaId = 131,
  cudaDevAttrMpsEnabled = 133,
  cudaDevAttrHostNumaId = 134
};

namespace simt {
// Raises the device's compute capability to at least this (90: 9.0), for files compiled for it.
int claim_capability(int needed);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
inline const int claimed_capability = claim_capability(__CUDA_ARCH__ / 10);
#endif
}  // namespace simt

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
// Only checks the number: the device is always ready. flags: those of cudaSetDeviceFlags().
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
// The value of the property with that name.
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
// The first error's code, once, after a launch in which the checks found an error.
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
// Their names before CUDA 13.
inline cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
inline cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
