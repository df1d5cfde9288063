// Pinned and managed memory.
#include "simt/api/unified.h"

#include <map>

#include "device/device.h"
#include "host/host.h"
#include "memory/memory.h"
#include "reports/reports.h"
#include "simt/api/streams.h"
#include "simt/report.h"

namespace {

using simt::Arena;
using simt::Pages;
using simt::remember;

std::map<void*, unsigned>& pinned_flags() {
  static std::map<void*, unsigned> all;
  return all;
}

Pages pages_at(const void* pointer) {
  return Arena::get().pages_of(reinterpret_cast<uintptr_t>(pointer));
}

bool is_managed(const void* pointer, size_t bytes) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  const bool known = pages_at(pointer) == Pages::kManaged ||
                     (pages_at(pointer) == Pages::kVariable && Arena::get().is_open(address));
  return known && Arena::get().inside_one(pointer, bytes);
}

cudaError_t check_hint(const void* pointer, size_t bytes, int device) {
  if (!is_managed(pointer, bytes) || bytes == 0) return remember(cudaErrorInvalidValue);
  const bool known = device == cudaCpuDeviceId || simt::is_device(device);
  return known ? cudaSuccess : remember(cudaErrorInvalidDevice);
}

// Returns the device's number; -1 (cudaCpuDeviceId) for the host.
int number_of(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice ? location.id
         : location.type == cudaMemLocationTypeHost ? int(cudaCpuDeviceId)
                                                    : int(cudaInvalidDeviceId);
}

}  // namespace

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  simt::note_wait("cudaMallocHost");
  if (flags > 7) return remember(cudaErrorInvalidValue);
  const simt::Turn turn;
  const cudaError_t status = simt::allocate(pointer, bytes, Pages::kPinned);
  if (status == cudaSuccess && *pointer != nullptr) pinned_flags()[*pointer] = flags;
  return status;
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc(pointer, bytes, flags);
}

cudaError_t cudaFreeHost(void* pointer) {
  simt::note_wait("cudaFreeHost");
  if (pointer == nullptr) return cudaSuccess;
  const simt::Turn turn;
  if (pinned_flags().count(pointer) == 0 || !Arena::get().free(pointer)) {
    simt::tell_host_error("cudaFreeHost() fails: no pinned memory begins here");
    return remember(cudaErrorInvalidValue);
  }
  pinned_flags().erase(pointer);
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void** pointer, void* host, unsigned flags) {
  if (pointer == nullptr || flags != 0) return remember(cudaErrorInvalidValue);
  if (pages_at(host) == Pages::kPinned) {
    *pointer = host;
    return cudaSuccess;
  }
  const uintptr_t address = reinterpret_cast<uintptr_t>(host);
  if (simt::registered_memory_at(address) == nullptr) return remember(cudaErrorInvalidValue);
  *pointer = reinterpret_cast<void*>(simt::in_device_memory(address));
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  const auto found = pinned_flags().find(host);
  if (flags == nullptr || found == pinned_flags().end()) return remember(cudaErrorInvalidValue);
  *flags = found->second;
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  const simt::Turn turn;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(pointer);
  if (pointer == nullptr || bytes == 0 || flags > 15 || Arena::get().contains(begin)) {
    return remember(cudaErrorInvalidValue);
  }
  if (simt::is_registered(begin, bytes)) return remember(cudaErrorHostMemoryAlreadyRegistered);
  if (simt::register_memory(begin, bytes) == 0) {
    simt::tell_host_error(
        "cudaHostRegister() fails: the CPU backend registers only memory that the host may write, "
        "and no local arrays");
    return remember(cudaErrorNotSupported);
  }
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer) {
  const simt::Turn turn;
  const bool known = simt::unregister_memory(reinterpret_cast<uintptr_t>(pointer));
  return known ? cudaSuccess : remember(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  simt::note_wait("cudaMallocManaged");
  if (simt::fails("cudaMallocManaged")) return remember(cudaErrorMemoryAllocation);
  if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
    return remember(cudaErrorInvalidValue);
  }
  return simt::allocate(pointer, bytes, Pages::kManaged);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                 cudaStream_t stream) {
  if (simt::check_stream(stream) != cudaSuccess) return remember(cudaErrorInvalidResourceHandle);
  return check_hint(pointer, bytes, device);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
  if (flags != 0) return remember(cudaErrorInvalidValue);
  return cudaMemPrefetchAsync(pointer, bytes, number_of(location), stream);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
    return remember(cudaErrorInvalidValue);
  }
  const bool needs_device =
      advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly;
  return check_hint(pointer, bytes, needs_device ? device : 0);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return cudaMemAdvise(pointer, bytes, advice, number_of(location));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned flags) {
  if (simt::check_stream(stream) != cudaSuccess) return remember(cudaErrorInvalidResourceHandle);
  const bool known = (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ||
                      flags == cudaMemAttachSingle) &&
                     is_managed(pointer, 0);
  return known ? cudaSuccess : remember(cudaErrorInvalidValue);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (attributes == nullptr || pointer == nullptr) return remember(cudaErrorInvalidValue);
  void* const same = const_cast<void*>(pointer);
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  const Arena& arena = Arena::get();
  const simt::Allocation near = arena.nearest(address);
  if (const simt::VariableSection* const own = simt::registered_memory_at(address)) {
    const uintptr_t offset =
        address - (address - own->begin < own->size ? own->begin : own->mirror);
    *attributes = {cudaMemoryTypeHost, simt::current_device(),
                   reinterpret_cast<void*>(own->mirror + offset),
                   reinterpret_cast<void*>(own->begin + offset)};
  } else if (arena.contains(address) && address - near.begin < near.bytes) {
    const Pages pages = pages_at(pointer);
    const bool managed = is_managed(pointer, 1), pinned = pages == Pages::kPinned;
    *attributes = {managed  ? cudaMemoryTypeManaged
                   : pinned ? cudaMemoryTypeHost
                            : cudaMemoryTypeDevice,
                   simt::current_device(), same, managed || pinned ? same : nullptr};
  } else {
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, same};
  }
  return cudaSuccess;
}
