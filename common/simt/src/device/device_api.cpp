// The device, events and the default stream.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "device/device.h"
#include "execution/execution.h"
#include "memory/memory.h"
#include "simt/api/device.h"
#include "simt/api/events.h"

using simt::remember;

namespace simt {
namespace {

int capability = 80;
int current = 0;  // device

}  // namespace

bool is_device(int number) {
  return number >= 0 && number < std::max(number_asked_for("SIMT_DEVICES"), 1);
}

int current_device() {
  return current;
}

int claim_capability(int needed) {
  capability = std::max(capability, needed);
  return needed;
}

}  // namespace simt

struct CUevent_st {
  std::chrono::steady_clock::time_point time;
  bool recorded = false;
};

cudaError_t cudaGetDeviceCount(int* count) {
  for (*count = 0; simt::is_device(*count);) ++*count;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  if (simt::fails("cudaGetDevice")) return remember(cudaErrorNoDevice);
  *device = simt::current;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (!simt::is_device(device)) return remember(cudaErrorInvalidDevice);
  simt::current = device;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (!simt::is_device(device)) {
    return remember(cudaErrorInvalidDevice);
  }
  *p = cudaDeviceProp();
  std::snprintf(p->name, sizeof p->name, "CPU backend");
  p->totalGlobalMem = simt::Arena::get().total();
  p->sharedMemPerBlock = simt::kStaticSharedLimit;
  p->sharedMemPerBlockOptin = simt::shared_limit();
  p->sharedMemPerMultiprocessor = simt::shared_limit() + 1024;
  p->reservedSharedMemPerBlock = 1024;
  p->warpSize = 32;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsPerMultiProcessor = 1024;
  p->maxBlocksPerMultiProcessor = 1;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  // What nvcc would be told: the newest architecture whose features all lessons use, or more if a kernel needs it.
  p->major = simt::capability / 10;
  p->minor = simt::capability % 10;
  // Those of an H200, so that a lesson which plans by them launches here what it launches there.
  const int multiprocessors = simt::number_asked_for("SIMT_MULTIPROCESSORS");
  p->multiProcessorCount = multiprocessors > 0 ? multiprocessors : 132;
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  p->l2CacheSize = cache > 0 ? int(cache) : 0;
  p->unifiedAddressing = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (simt::fails("cudaDeviceGetAttribute")) return remember(cudaErrorInvalidDevice);
  cudaDeviceProp p;
  const cudaError_t status = cudaGetDeviceProperties(&p, device);
  if (status != cudaSuccess) {
    return status;
  }
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = p.maxThreadsPerBlock;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = int(p.sharedMemPerBlock);
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = int(p.sharedMemPerBlockOptin);
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = int(p.sharedMemPerMultiprocessor);
      return cudaSuccess;
    case cudaDevAttrWarpSize:
      *value = p.warpSize;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = p.multiProcessorCount;
      return cudaSuccess;
    case cudaDevAttrL2CacheSize:
      *value = p.l2CacheSize;
      return cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = p.maxThreadsPerMultiProcessor;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = p.major;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = p.minor;
      return cudaSuccess;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate:
    case cudaDevAttrGlobalMemoryBusWidth:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = 0;
      return cudaSuccess;
  }
  return remember(cudaErrorInvalidValue);
}

namespace {

cudaError_t synchronize(const char* function) {
  simt::note_wait(function);
  // Launches are synchronous: what a launch left behind is all there can be. It is reported once.
  return cudaPeekAtLastError() == cudaErrorLaunchFailure ? cudaGetLastError() : cudaSuccess;
}

}  // namespace

cudaError_t cudaDeviceSynchronize() {
  return synchronize("cudaDeviceSynchronize");
}

cudaError_t cudaDeviceReset() {
  simt::note_wait("cudaDeviceReset");
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return stream == nullptr ? synchronize("cudaStreamSynchronize")
                           : remember(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return cudaEventCreate(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event == nullptr || stream != nullptr) {
    return remember(cudaErrorInvalidResourceHandle);
  }
  event->time = std::chrono::steady_clock::now();
  event->recorded = true;
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return event == nullptr ? remember(cudaErrorInvalidResourceHandle)
                          : synchronize("cudaEventSynchronize");
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  simt::note_wait("cudaEventQuery");  // who asks wants to wait
  return event == nullptr ? remember(cudaErrorInvalidResourceHandle) : cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop) {
  if (start == nullptr || stop == nullptr || !start->recorded || !stop->recorded) {
    return remember(cudaErrorInvalidResourceHandle);
  }
  *ms = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
