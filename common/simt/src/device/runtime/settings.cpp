// Limits, caches, peers and flags of the device. They are stored but have no effect.
#include "simt/api/settings.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "device/device.h"

namespace {

using simt::remember;

std::map<cudaLimit, size_t> device_limits = {{cudaLimitStackSize, 1024},
                                             {cudaLimitPrintfFifoSize, 1 << 20},
                                             {cudaLimitMallocHeapSize, 8 << 20},
                                             {cudaLimitDevRuntimeSyncDepth, 2},
                                             {cudaLimitDevRuntimePendingLaunchCount, 2048},
                                             {cudaLimitMaxL2FetchGranularity, 64},
                                             {cudaLimitPersistingL2CacheSize, 0}};
cudaFuncCache cache_config = cudaFuncCachePreferNone;
unsigned device_flags = cudaDeviceScheduleAuto;
std::set<std::pair<int, int>> open_peers;  // (device, peer)

}  // namespace

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  const auto found = device_limits.find(limit);
  if (found == device_limits.end()) return remember(cudaErrorUnsupportedLimit);
  found->second = value;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  const auto found = device_limits.find(limit);
  if (value == nullptr || found == device_limits.end()) {
    return remember(value == nullptr ? cudaErrorInvalidValue : cudaErrorUnsupportedLimit);
  }
  *value = found->second;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) {
    return remember(cudaErrorInvalidValue);
  }
  cache_config = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  *config = cache_config;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  const bool known =
      config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  return known ? cudaSuccess : remember(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (config == nullptr) return remember(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  constexpr unsigned kAll = cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax;
  if ((flags & ~kAll) != 0) return remember(cudaErrorInvalidValue);
  device_flags = flags;
  return cudaSuccess;
}

// Pinned memory is always mapped.
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  if (flags == nullptr) return remember(cudaErrorInvalidValue);
  *flags = device_flags | cudaDeviceMapHost;
  return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (can == nullptr) return remember(cudaErrorInvalidValue);
  if (!simt::is_device(device) || !simt::is_device(peer)) return remember(cudaErrorInvalidDevice);
  *can = device != peer;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (!simt::is_device(peer) || peer == simt::current_device()) {
    return remember(cudaErrorInvalidDevice);
  }
  if (flags != 0) return remember(cudaErrorInvalidValue);
  const bool is_new = open_peers.insert({simt::current_device(), peer}).second;
  return is_new ? cudaSuccess : remember(cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  if (!simt::is_device(peer)) return remember(cudaErrorInvalidDevice);
  const bool was_open = open_peers.erase({simt::current_device(), peer}) != 0;
  return was_open ? cudaSuccess : remember(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  if (device == nullptr || properties == nullptr) return remember(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  if (id == nullptr || length < 13) return remember(cudaErrorInvalidValue);
  if (!simt::is_device(device)) return remember(cudaErrorInvalidDevice);
  std::snprintf(id, size_t(length), "0000:00:%02x.0", unsigned(device) & 0xffu);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  if (device == nullptr || id == nullptr) return remember(cudaErrorInvalidValue);
  // With or without a domain: 0000:00:01.0 as cudaDeviceGetPCIBusId() writes it, or 00:01.0.
  const char* const last = std::strrchr(id, ':');
  char* end = nullptr;
  const long bus = std::strtol(last == nullptr ? id : last + 1, &end, 16);
  if (last == nullptr || *end != '.') return remember(cudaErrorInvalidValue);
  if (!simt::is_device(int(bus))) return remember(cudaErrorInvalidDevice);
  *device = int(bus);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  if (!simt::is_device(device) || !simt::is_device(peer) || device == peer)
    return remember(cudaErrorInvalidDevice);
  *value = attribute == cudaDevP2PAttrAccessSupported ||
           attribute == cudaDevP2PAttrNativeAtomicSupported;
  return cudaSuccess;
}

cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}

cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}
