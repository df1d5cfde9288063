// cudaMalloc() and its variants, and memory pools.
#include <cstdlib>
#include <string>

#include "device/device.h"
#include "device/runtime/copy_operation.h"
#include "device/runtime/graphs.h"
#include "host/host.h"
#include "memory/memory.h"
#include "races/races.h"
#include "reports/reports.h"
#include "simt/api/memory.h"
#include "simt/api/streams.h"
#include "simt/report.h"
#include "simt/testing.h"

namespace {

using simt::Arena;
using simt::fails;
using simt::remember;

// Reports leaks when the program ends. A program that fails early frees nothing, so one with another exit status than 0
// is not checked.
void report_leaks(int status, void*) {
  const size_t count = Arena::get().count();
  if (status == 0 && count != 0 && !simt::calls_may_have_failed()) {
    simt::tell_note("", std::to_string(count) + (count == 1 ? " allocation" : " allocations") +
                            " of device memory never freed, " +
                            std::to_string(Arena::get().used()) + " bytes");
  }
}

}  // namespace

cudaError_t simt::allocate(void** pointer, size_t bytes, Pages pages) {
  if (pointer == nullptr) {
    return remember(cudaErrorInvalidValue);
  }
  *pointer = nullptr;
  if (bytes == 0) {
    return cudaSuccess;
  }
  const simt::Turn turn;
  static const int registered = on_exit(report_leaks, nullptr);
  static_cast<void>(registered);
  simt::close_memory();
  *pointer = Arena::get().allocate(bytes, pages);
  if (StreamOrder::get().has_streams()) forget_uses(*pointer, bytes);
  return *pointer == nullptr ? remember(cudaErrorMemoryAllocation) : cudaSuccess;
}

namespace {

// Returns the handle of a device's only memory pool. Nobody dereferences it.
cudaMemPool_t pool_of(int device) {
  return reinterpret_cast<cudaMemPool_t>(uintptr_t(device) + 1);
}

bool is_pool(cudaMemPool_t pool) {
  return pool != nullptr && simt::is_device(int(reinterpret_cast<uintptr_t>(pool) - 1));
}

bool refuses_capture(const char* function, cudaStream_t stream) {
  if (!simt::is_captured(stream)) return false;
  simt::tell_host_error(std::string(function) +
                        "() fails: the CPU backend has no nodes of graphs that allocate memory");
  return true;
}

cudaError_t allocate_async(const char* function, void** pointer, size_t bytes,
                           cudaStream_t stream) {
  if (simt::check_stream(stream) != cudaSuccess) {
    return remember(cudaErrorInvalidResourceHandle);
  }
  if (fails(function) || refuses_capture(function, stream)) {
    return remember(cudaErrorMemoryAllocation);
  }
  return bytes == 0 ? remember(cudaErrorInvalidValue) : simt::allocate(pointer, bytes);
}

// Frees an allocation. Prints the reason for a failure to stderr, because CUDA returns only a code.
cudaError_t release(const char* function, void* pointer) {
  const simt::Turn turn;
  Arena& arena = Arena::get();
  if (arena.pages_of(reinterpret_cast<uintptr_t>(pointer)) == simt::Pages::kPinned) {
    simt::tell_host_error(std::string(function) + "() fails: cudaFreeHost() frees pinned memory");
    return remember(cudaErrorInvalidValue);
  }
  if (arena.free(pointer)) {
    simt::close_freed();
    return cudaSuccess;
  }
  const bool freed = arena.freed(reinterpret_cast<uintptr_t>(pointer)).bytes != 0;
  simt::tell_host_error(
      std::string(function) + "() fails: " +
      (freed ? "this memory has been freed already" : "no memory on the device begins here"));
  return remember(cudaErrorInvalidValue);
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  simt::note_wait("cudaMalloc");  // a GPU's may wait
  return fails("cudaMalloc") ? remember(cudaErrorMemoryAllocation) : simt::allocate(pointer, bytes);
}

void* simt::malloc_sparse(size_t bytes) {
  return bytes == 0 ? nullptr : Arena::get().allocate(bytes, Pages::kSparse);
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pitch == nullptr) {
    return remember(cudaErrorInvalidValue);
  }
  if (width > SIZE_MAX - 511 || (width != 0 && height > SIZE_MAX / (width + 511))) {
    return remember(cudaErrorMemoryAllocation);
  }
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaFree(void* pointer) {
  simt::note_wait("cudaFree");
  if (fails("cudaFree")) return remember(cudaErrorInvalidValue);
  return pointer == nullptr ? cudaSuccess : release("cudaFree", pointer);
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return allocate_async("cudaMallocAsync", pointer, bytes, stream);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  if (!is_pool(pool)) return remember(cudaErrorInvalidValue);
  if (pool != pool_of(simt::current_device())) {
    simt::tell_host_error(
        "cudaMallocFromPoolAsync(): the pool belongs to another device, whose memory kernels of "
        "this "
        "one cannot use");
    return remember(cudaErrorInvalidValue);
  }
  return allocate_async("cudaMallocFromPoolAsync", pointer, bytes, stream);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (simt::check_stream(stream) != cudaSuccess) {
    return remember(cudaErrorInvalidResourceHandle);
  }
  if (fails("cudaFreeAsync") || refuses_capture("cudaFreeAsync", stream)) {
    return remember(cudaErrorInvalidValue);
  }
  return release("cudaFreeAsync", pointer);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (fails("cudaDeviceGetDefaultMemPool")) return remember(cudaErrorNotSupported);
  if (pool == nullptr || !simt::is_device(device)) {
    return remember(pool != nullptr ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  }
  *pool = pool_of(device);
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (fails("cudaMemPoolCreate")) return remember(cudaErrorMemoryAllocation);
  const bool known = pool != nullptr && properties != nullptr &&
                     properties->allocType == cudaMemAllocationTypePinned &&
                     properties->location.type == cudaMemLocationTypeDevice &&
                     simt::is_device(properties->location.id);
  if (!known) return remember(cudaErrorInvalidValue);
  *pool = pool_of(properties->location.id);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return is_pool(pool) ? cudaSuccess : remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (fails("cudaMemPoolSetAttribute")) return remember(cudaErrorNotSupported);
  // The attributes that report usage may be reset to 0.
  const bool known = is_pool(pool) && attribute >= cudaMemPoolReuseFollowEventDependencies &&
                     attribute <= cudaMemPoolAttrUsedMemHigh && value != nullptr;
  return known ? cudaSuccess : remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (!is_pool(pool) || value == nullptr) return remember(cudaErrorInvalidValue);
  if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
      attribute <= cudaMemPoolReuseAllowInternalDependencies) {
    *static_cast<int*>(value) = 0;
  } else if (attribute >= cudaMemPoolAttrReleaseThreshold &&
             attribute <= cudaMemPoolAttrUsedMemHigh) {
    *static_cast<uint64_t*>(value) =
        attribute == cudaMemPoolAttrReleaseThreshold ? 0 : Arena::get().used();
  } else {
    return remember(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access,
                                 size_t count) {
  return is_pool(pool) && (access != nullptr || count == 0) ? cudaSuccess
                                                            : remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return is_pool(pool) ? cudaSuccess : remember(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return simt::is_device(device) && pool == pool_of(device) ? cudaSuccess
                                                            : remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  if (free_bytes == nullptr || total_bytes == nullptr) {
    return remember(cudaErrorInvalidValue);
  }
  *total_bytes = Arena::get().total();
  *free_bytes = *total_bytes - Arena::get().used();
  return cudaSuccess;
}
