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

// Memory registered by cudaHostRegister(): begin -> bytes.
std::map<uintptr_t, size_t>& registered_memory() {
  static std::map<uintptr_t, size_t> all;
  return all;
}

std::map<void*, unsigned>& pinned_flags() {
  static std::map<void*, unsigned> all;
  return all;
}

bool is_registered(uintptr_t begin, size_t bytes) {
  const auto next = registered_memory().lower_bound(begin + bytes);
  return next != registered_memory().begin() &&
         std::prev(next)->first + std::prev(next)->second > begin;
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
  if (pages_at(pointer) != Pages::kPinned || !Arena::get().free(pointer)) {
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
  if (!is_registered(reinterpret_cast<uintptr_t>(host), 1)) return remember(cudaErrorInvalidValue);
  simt::tell_host_error(
      "cudaHostGetDevicePointer(): on the CPU backend kernels cannot use memory of "
      "cudaHostRegister(); cudaHostAlloc() allocates memory that they can use");
  return remember(cudaErrorNotSupported);
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  const auto found = pinned_flags().find(host);
  if (flags == nullptr || found == pinned_flags().end()) return remember(cudaErrorInvalidValue);
  *flags = found->second;
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(pointer);
  if (pointer == nullptr || bytes == 0 || flags > 15 || Arena::get().contains(begin)) {
    return remember(cudaErrorInvalidValue);
  }
  if (is_registered(begin, bytes)) return remember(cudaErrorHostMemoryAlreadyRegistered);
  registered_memory()[begin] = bytes;
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer) {
  const bool known = registered_memory().erase(reinterpret_cast<uintptr_t>(pointer)) != 0;
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
  if (arena.contains(address) && address - near.begin < near.bytes) {
    const Pages pages = pages_at(pointer);
    const bool managed = is_managed(pointer, 1), pinned = pages == Pages::kPinned;
    *attributes = {managed  ? cudaMemoryTypeManaged
                   : pinned ? cudaMemoryTypeHost
                            : cudaMemoryTypeDevice,
                   simt::current_device(), same, managed || pinned ? same : nullptr};
  } else if (is_registered(address, 1)) {
    *attributes = {cudaMemoryTypeHost, simt::current_device(), nullptr, same};
  } else {
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, same};
  }
  return cudaSuccess;
}
