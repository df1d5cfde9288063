// cudaGetDeviceProperties() and cudaDeviceGetAttribute().
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>

#include "device/device.h"
#include "execution/execution.h"
#include "memory/memory.h"
#include "simt/api/device.h"
#include "simt/api/occupancy.h"

namespace simt {
namespace {

int capability = 80;

struct IntProperty {
  cudaDeviceAttr attribute;
  int cudaDeviceProp::*member;
};
const IntProperty kIntProperties[] = {
    {cudaDevAttrMaxThreadsPerBlock, &cudaDeviceProp::maxThreadsPerBlock},
    {cudaDevAttrWarpSize, &cudaDeviceProp::warpSize},
    {cudaDevAttrMaxRegistersPerBlock, &cudaDeviceProp::regsPerBlock},
    {cudaDevAttrClockRate, &cudaDeviceProp::clockRate},
    {cudaDevAttrGpuOverlap, &cudaDeviceProp::deviceOverlap},
    {cudaDevAttrMultiProcessorCount, &cudaDeviceProp::multiProcessorCount},
    {cudaDevAttrKernelExecTimeout, &cudaDeviceProp::kernelExecTimeoutEnabled},
    {cudaDevAttrIntegrated, &cudaDeviceProp::integrated},
    {cudaDevAttrCanMapHostMemory, &cudaDeviceProp::canMapHostMemory},
    {cudaDevAttrComputeMode, &cudaDeviceProp::computeMode},
    {cudaDevAttrConcurrentKernels, &cudaDeviceProp::concurrentKernels},
    {cudaDevAttrEccEnabled, &cudaDeviceProp::ECCEnabled},
    {cudaDevAttrPciBusId, &cudaDeviceProp::pciBusID},
    {cudaDevAttrPciDeviceId, &cudaDeviceProp::pciDeviceID},
    {cudaDevAttrTccDriver, &cudaDeviceProp::tccDriver},
    {cudaDevAttrMemoryClockRate, &cudaDeviceProp::memoryClockRate},
    {cudaDevAttrGlobalMemoryBusWidth, &cudaDeviceProp::memoryBusWidth},
    {cudaDevAttrL2CacheSize, &cudaDeviceProp::l2CacheSize},
    {cudaDevAttrMaxThreadsPerMultiProcessor, &cudaDeviceProp::maxThreadsPerMultiProcessor},
    {cudaDevAttrAsyncEngineCount, &cudaDeviceProp::asyncEngineCount},
    {cudaDevAttrUnifiedAddressing, &cudaDeviceProp::unifiedAddressing},
    {cudaDevAttrPciDomainId, &cudaDeviceProp::pciDomainID},
    {cudaDevAttrComputeCapabilityMajor, &cudaDeviceProp::major},
    {cudaDevAttrComputeCapabilityMinor, &cudaDeviceProp::minor},
    {cudaDevAttrStreamPrioritiesSupported, &cudaDeviceProp::streamPrioritiesSupported},
    {cudaDevAttrGlobalL1CacheSupported, &cudaDeviceProp::globalL1CacheSupported},
    {cudaDevAttrLocalL1CacheSupported, &cudaDeviceProp::localL1CacheSupported},
    {cudaDevAttrMaxRegistersPerMultiprocessor, &cudaDeviceProp::regsPerMultiprocessor},
    {cudaDevAttrManagedMemory, &cudaDeviceProp::managedMemory},
    {cudaDevAttrIsMultiGpuBoard, &cudaDeviceProp::isMultiGpuBoard},
    {cudaDevAttrMultiGpuBoardGroupID, &cudaDeviceProp::multiGpuBoardGroupID},
    {cudaDevAttrHostNativeAtomicSupported, &cudaDeviceProp::hostNativeAtomicSupported},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio,
     &cudaDeviceProp::singleToDoublePrecisionPerfRatio},
    {cudaDevAttrPageableMemoryAccess, &cudaDeviceProp::pageableMemoryAccess},
    {cudaDevAttrConcurrentManagedAccess, &cudaDeviceProp::concurrentManagedAccess},
    {cudaDevAttrComputePreemptionSupported, &cudaDeviceProp::computePreemptionSupported},
    {cudaDevAttrCanUseHostPointerForRegisteredMem,
     &cudaDeviceProp::canUseHostPointerForRegisteredMem},
    {cudaDevAttrCooperativeLaunch, &cudaDeviceProp::cooperativeLaunch},
    {cudaDevAttrCooperativeMultiDeviceLaunch, &cudaDeviceProp::cooperativeMultiDeviceLaunch},
    {cudaDevAttrHostRegisterSupported, &cudaDeviceProp::hostRegisterSupported},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables,
     &cudaDeviceProp::pageableMemoryAccessUsesHostPageTables},
    {cudaDevAttrDirectManagedMemAccessFromHost, &cudaDeviceProp::directManagedMemAccessFromHost},
    {cudaDevAttrMaxBlocksPerMultiprocessor, &cudaDeviceProp::maxBlocksPerMultiProcessor},
    {cudaDevAttrMaxPersistingL2CacheSize, &cudaDeviceProp::persistingL2CacheMaxSize},
    {cudaDevAttrMaxAccessPolicyWindowSize, &cudaDeviceProp::accessPolicyMaxWindowSize},
    {cudaDevAttrHostRegisterReadOnlySupported, &cudaDeviceProp::hostRegisterReadOnlySupported},
    {cudaDevAttrMemoryPoolsSupported, &cudaDeviceProp::memoryPoolsSupported},
    {cudaDevAttrGPUDirectRDMASupported, &cudaDeviceProp::gpuDirectRDMASupported},
    {cudaDevAttrClusterLaunch, &cudaDeviceProp::clusterLaunch},
    {cudaDevAttrIpcEventSupport, &cudaDeviceProp::ipcEventSupported},
};

struct SizeProperty {
  cudaDeviceAttr attribute;
  size_t cudaDeviceProp::*member;
};
const SizeProperty kSizeProperties[] = {
    {cudaDevAttrMaxSharedMemoryPerBlock, &cudaDeviceProp::sharedMemPerBlock},
    {cudaDevAttrTotalConstantMemory, &cudaDeviceProp::totalConstMem},
    {cudaDevAttrMaxPitch, &cudaDeviceProp::memPitch},
    {cudaDevAttrTextureAlignment, &cudaDeviceProp::textureAlignment},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, &cudaDeviceProp::sharedMemPerMultiprocessor},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, &cudaDeviceProp::sharedMemPerBlockOptin},
    {cudaDevAttrReservedSharedMemoryPerBlock, &cudaDeviceProp::reservedSharedMemPerBlock},
};

// Limits of launches and multiprocessors. They are the same on all GPUs from 8.0 to 9.0 except 8.6 and 8.9.
void set_limits(cudaDeviceProp& p) {
  p.warpSize = 32;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.sharedMemPerBlock = kStaticSharedLimit;
  p.sharedMemPerBlockOptin = shared_limit();
  p.sharedMemPerMultiprocessor = shared_limit() + 1024;
  p.reservedSharedMemPerBlock = 1024;
  p.totalConstMem = 65536;
  p.memPitch = INT_MAX;
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
}

// CUDA features that programs can use here.
void set_features(cudaDeviceProp& p) {
  p.unifiedAddressing = p.managedMemory = p.canMapHostMemory = 1;
  p.streamPrioritiesSupported = p.hostRegisterSupported = p.memoryPoolsSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.asyncEngineCount = p.deviceOverlap = p.concurrentKernels = 1;
  p.concurrentManagedAccess = p.cooperativeLaunch = 1;
  p.clusterLaunch = capability >= 90;
}

bool cooperative = false;  // the program has cooperative launches

}  // namespace

bool note_cooperative() {
  return cooperative = true;
}

// An H200's number, so that a lesson that plans by it launches the same blocks here. Where all threads of a device must
// run at the same time, as many multiprocessors as the backend has room for.
int multiprocessor_count() {
  const int chosen = number_asked_for("SIMT_MULTIPROCESSORS");
  return chosen > 0 ? chosen : cooperative ? 14 : 132;
}

int claim_capability(int needed) {
  capability = std::max(capability, needed);
  return needed;
}

}  // namespace simt

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (p == nullptr) return simt::remember(cudaErrorInvalidValue);
  if (!simt::is_device(device)) return simt::remember(cudaErrorInvalidDevice);
  *p = cudaDeviceProp();
  std::snprintf(p->name, sizeof p->name, "CPU backend");
  p->totalGlobalMem = simt::Arena::get().total();
  simt::set_limits(*p);
  simt::set_features(*p);
  // The compute capability: the newest one whose features all lessons use, or a newer one that a kernel needs.
  p->major = simt::capability / 10;
  p->minor = simt::capability % 10;
  p->multiProcessorCount = simt::multiprocessor_count();
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  p->l2CacheSize = cache > 0 ? int(cache) : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (simt::fails("cudaDeviceGetAttribute")) return simt::remember(cudaErrorInvalidDevice);
  cudaDeviceProp p;
  const cudaError_t status = cudaGetDeviceProperties(&p, device);
  if (status != cudaSuccess || value == nullptr) {
    return status != cudaSuccess ? status : simt::remember(cudaErrorInvalidValue);
  }
  for (const simt::IntProperty& each : simt::kIntProperties) {
    if (each.attribute == attribute) return *value = p.*each.member, cudaSuccess;
  }
  for (const simt::SizeProperty& each : simt::kSizeProperties) {
    if (each.attribute == attribute) return *value = int(p.*each.member), cudaSuccess;
  }
  if (attribute >= cudaDevAttrMaxBlockDimX && attribute <= cudaDevAttrMaxBlockDimZ) {
    *value = p.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX];
    return cudaSuccess;
  }
  if (attribute >= cudaDevAttrMaxGridDimX && attribute <= cudaDevAttrMaxGridDimZ) {
    *value = p.maxGridSize[attribute - cudaDevAttrMaxGridDimX];
    return cudaSuccess;
  }
  // No textures, no sharing with other interfaces, no NUMA: all of these are 0.
  const bool known = attribute > 0 && attribute <= cudaDevAttrHostNumaId;
  if (known) *value = 0;
  return known ? cudaSuccess : simt::remember(cudaErrorInvalidValue);
}
