// cudaMemcpy(), cudaMemset() and their variants.
#include <cstring>
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

namespace {

using simt::Arena;
using simt::fails;
using simt::OpenMemory;
using simt::remember;

uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

bool on_device(const void* pointer) {
  return Arena::get().contains(address_of(pointer));
}

// True for memory that host and device share: pinned or managed.
bool is_shared(const void* pointer) {
  const Arena& arena = Arena::get();
  return arena.is_open(address_of(pointer)) &&
         arena.pages_of(address_of(pointer)) != simt::Pages::kSparse;
}

bool is_pinned(const void* pointer) {
  return Arena::get().pages_of(address_of(pointer)) == simt::Pages::kPinned;
}

// Returns what is wrong with one side of a copy; empty if nothing is. The device's side must be within one allocation,
// and the host's side must not be device memory. Shared memory may be on either side. advice: appended if a side is in
// the wrong memory.
std::string fault_of(const char* side, const void* pointer, size_t bytes, bool device,
                     const char* advice = "") {
  if (bytes == 0) return "";
  const std::string what = std::string("its ") + side;
  if (pointer == nullptr) return what + " is a null pointer";
  if (!is_shared(pointer) && on_device(pointer) != device) {
    return what + (device ? " is no device memory" : " is device memory, not the host's") + advice;
  }
  if (!on_device(pointer) || Arena::get().inside_one(pointer, bytes)) return "";
  const simt::Allocation near = Arena::get().nearest(address_of(pointer));
  const uintptr_t offset = address_of(pointer) - near.begin;
  if (offset >= near.bytes) return what + " is in no allocation";
  return what + " has " + std::to_string(near.bytes - offset) +
         " bytes to the end of its allocation, but the call needs " + std::to_string(bytes);
}

// Prints the reason to stderr, because CUDA returns only a code.
cudaError_t refuse(const char* function, const std::string& fault) {
  simt::tell_host_error(std::string(function) + "() fails: " + fault);
  return cudaErrorInvalidValue;
}

cudaError_t copy(const char* function, void* to, const void* from, size_t bytes,
                 cudaMemcpyKind kind, simt::CopyOperation& operation) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  const bool to_device = kind == cudaMemcpyDefault ? on_device(to) : (kind & 1) != 0;
  const bool from_device = kind == cudaMemcpyDefault ? on_device(from) : (kind & 2) != 0;
  const bool both = kind == cudaMemcpyDeviceToDevice;
  const char* const advice = "; check the direction of the copy";
  std::string fault = fault_of("destination", to, bytes, to_device || both, advice);
  if (fault.empty()) fault = fault_of("source", from, bytes, from_device || both, advice);
  if (!fault.empty()) return refuse(function, fault);
  if (bytes == 0) {
    return cudaSuccess;
  }
  const OpenMemory open;
  operation.read(from, bytes);
  operation.write(to, bytes);
  std::memmove(to, from, bytes);
  Arena& arena = Arena::get();
  if (on_device(to) && !is_shared(to)) {
    if (on_device(from)) {
      arena.find_host_stores(address_of(from), bytes);
      std::memmove(arena.state(address_of(to)), arena.state(address_of(from)), bytes);
    } else {
      arena.set_state(address_of(to), bytes, simt::kInitialized);
    }
  }
  return cudaSuccess;
}

cudaError_t copy_rows(const char* function, void* to, size_t to_pitch, const void* from,
                      size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                      cudaStream_t stream) {
  if (width > to_pitch || width > from_pitch) {
    return remember(cudaErrorInvalidPitchValue);
  }
  const OpenMemory open;  // once for all rows
  simt::CopyOperation operation(function, stream);
  for (size_t row = 0; row < height; ++row) {
    const cudaError_t status =
        copy(function, static_cast<char*>(to) + row * to_pitch,
             static_cast<const char*>(from) + row * from_pitch, width, kind, operation);
    if (status != cudaSuccess) {
      return remember(status);
    }
  }
  return cudaSuccess;
}

// A copy to pageable memory has completed when the call returns, even cudaMemcpyAsync().
void note_read_back(const char* function, const void* to, cudaStream_t stream) {
  if (!on_device(to)) {
    simt::note_stream_wait(function, stream);
  }
}

// cudaMemset() with a stream. As on a GPU, the host does not wait for it.
cudaError_t set(const char* function, void* to, int value, size_t bytes,
                simt::CopyOperation& operation) {
  const std::string fault = fault_of("destination", to, bytes, true);
  if (!fault.empty()) return remember(refuse(function, fault));
  if (bytes == 0) return cudaSuccess;
  const OpenMemory open;
  operation.write(to, bytes);
  std::memset(to, value, bytes);
  Arena::get().set_state(address_of(to), bytes, simt::kInitialized);
  return cudaSuccess;
}

cudaError_t set_rows(const char* function, void* to, size_t pitch, int value, size_t width,
                     size_t height, cudaStream_t stream) {
  if (width > pitch) {
    return remember(cudaErrorInvalidPitchValue);
  }
  const OpenMemory open;  // once for all rows
  simt::CopyOperation operation(function, stream);
  for (size_t row = 0; row < height; ++row) {
    if (fails("cudaMemset")) return remember(cudaErrorInvalidValue);
    const cudaError_t status =
        set(function, static_cast<char*>(to) + row * pitch, value, width, operation);
    if (status != cudaSuccess) {
      return status;
    }
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const simt::Turn turn;
  if (fails("cudaMemcpy")) return remember(cudaErrorInvalidValue);
  simt::CopyOperation operation("cudaMemcpy", nullptr);
  const cudaError_t status = copy("cudaMemcpy", to, from, bytes, kind, operation);
  simt::note_stream_wait("cudaMemcpy", nullptr);
  return remember(status);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (simt::capture(stream, cudaGraphNodeTypeMemcpy,
                    [=] { return cudaMemcpyAsync(to, from, bytes, kind, nullptr); })) {
    return cudaSuccess;
  }
  const simt::Turn turn;
  if (fails("cudaMemcpyAsync")) return remember(cudaErrorInvalidValue);
  if (simt::check_stream(stream) != cudaSuccess) {
    return remember(cudaErrorInvalidResourceHandle);
  }
  simt::CopyOperation operation("cudaMemcpyAsync", stream);
  const cudaError_t status = copy("cudaMemcpyAsync", to, from, bytes, kind, operation);
  note_read_back("cudaMemcpyAsync", to, stream);
  if (status == cudaSuccess && bytes != 0) {
    if (is_pinned(to)) simt::begin_pending_copy(to, bytes, false);
    if (is_pinned(from)) simt::begin_pending_copy(from, bytes, true);
  }
  return remember(status);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (simt::capture(stream, cudaGraphNodeTypeMemcpy, [=] {
        return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
      })) {
    return cudaSuccess;
  }
  const simt::Turn turn;
  if (fails("cudaMemcpy2DAsync")) return remember(cudaErrorInvalidValue);
  if (simt::check_stream(stream) != cudaSuccess) {
    return remember(cudaErrorInvalidResourceHandle);
  }
  const cudaError_t status =
      copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind, stream);
  note_read_back("cudaMemcpy2DAsync", to, stream);
  if (status == cudaSuccess && width * height != 0) {
    if (is_pinned(to)) simt::begin_pending_copy(to, (height - 1) * to_pitch + width, false);
    // The host may store between the rows.
    if (is_pinned(from) && from_pitch == width) {
      simt::begin_pending_copy(from, height * width, true);
    }
  }
  return status;
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  const simt::Turn turn;
  const cudaError_t status =
      copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, nullptr);
  simt::note_stream_wait("cudaMemcpy2D", nullptr);
  return status;
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  const simt::Turn turn;
  if (fails("cudaMemset")) return remember(cudaErrorInvalidValue);
  simt::CopyOperation operation("cudaMemset", nullptr);
  return set("cudaMemset", to, value, bytes, operation);
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  if (simt::capture(stream, cudaGraphNodeTypeMemset,
                    [=] { return cudaMemset(to, value, bytes); })) {
    return cudaSuccess;
  }
  const simt::Turn turn;
  const cudaError_t status = simt::check_stream(stream);
  if (status != cudaSuccess) return remember(status);
  if (fails("cudaMemset")) return remember(cudaErrorInvalidValue);
  simt::CopyOperation operation("cudaMemsetAsync", stream);
  return set("cudaMemsetAsync", to, value, bytes, operation);
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  const simt::Turn turn;
  return set_rows("cudaMemset2D", to, pitch, value, width, height, nullptr);
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  if (simt::capture(stream, cudaGraphNodeTypeMemset,
                    [=] { return cudaMemset2D(to, pitch, value, width, height); })) {
    return cudaSuccess;
  }
  const simt::Turn turn;
  const cudaError_t status = simt::check_stream(stream);
  return status != cudaSuccess
             ? remember(status)
             : set_rows("cudaMemset2DAsync", to, pitch, value, width, height, stream);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  if (!simt::is_device(to_device) || !simt::is_device(from_device)) {
    return remember(cudaErrorInvalidDevice);
  }
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr);
}
